#!/usr/bin/python3
"""spatial_double_pendulum.csv: two bodies of 1 kg with unit inertias on spherical joints, let go from rest ([DCA3]).

Coordinates: cartesian.py. F1 is the force of the ground on A; omega is in world axes.
"""
import numpy as np

import reference_file
from cartesian import Mechanism, dot

COLUMNS = [f"{q}{b}_{c}[{u}]" for q, u in (("r", "m"), ("v", "m/s"), ("omega", "rad/s")) for b in "AB" for c in "xyz"]
COLUMNS += ["F1_x[N]", "F1_y[N]", "F1_z[N]", "E[J]"]
GRAVITY = 9.81


def compute(times):
    pendulum = Mechanism([0, -GRAVITY, 0])
    pendulum.body("A", 1, [1, 1, 1])
    pendulum.body("B", 1, [1, 1, 1])
    pendulum.point(None, [0, 0, 0], "A", [-0.5, 0, 0])
    pendulum.point("A", [0.5, 0, 0], "B", [0, 0, -0.5])
    still = np.zeros((2, 3))
    start = pendulum.state([[0.5, 0, 0], [1, 0, 0.5]], [[1, 0, 0, 0]] * 2, still, still)
    poses = pendulum.poses(pendulum.run(start, times))
    force = -pendulum.accelerations(poses)[1][:, :3]
    energy = sum(0.5 * (dot(q.v, q.v) + dot(q.w, q.w)) + GRAVITY * q.r[:, 1] for q in poses)
    return np.column_stack([*(q.r for q in poses), *(q.v for q in poses), *(q.w for q in poses), force, energy])


if __name__ == "__main__":
    reference_file.main([reference_file.Case(
        "spatial_double_pendulum", COLUMNS, reference_file.samples(0.01, 10), compute, checked_until=2, tolerance=1e-10,
        tolerance_whole=1e-9, sized_like={"E[J]": "F1_y[N]"})])
