#!/usr/bin/python3
"""slider_crank.csv: the spatial slider-crank of the IFToMM library, under gravity along -z.

Coordinates: cartesian.py. The crank turns about x at A and begins upright at 6 rad/s; a spherical joint at B connects
it to the rod, a universal joint at C the rod to the slider. All body axes are those of the world at the start.
"""
import numpy as np

import reference_file
from cartesian import Mechanism, cross

A, B, C = np.array([0, 0.1, 0.12]), np.array([0, 0.1, 0.20]), np.array([0.2, 0, 0])
X = np.array([1.0, 0, 0])


def mechanism():
    along = (C - B) / 0.3
    pin = np.array([0, 2, -1]) / np.sqrt(5)  # of the universal joint, on the rod
    light = cross(along, pin)  # the published axis of the rod's small moment of inertia
    crank, rod = 0.5 * (A + B), 0.5 * (B + C)
    m = Mechanism([0, 0, -9.81])
    m.body("crank", 0.12, [1e-4, 1e-4, 1e-5])
    m.body("rod", 0.5, 4e-3 * np.eye(3) - 3.6e-3 * np.outer(light, light))
    m.body("slider", 2.0, [1e-4, 1e-4, 1e-4])
    m.revolute(None, A, X, "crank", A - crank, X)
    m.point("crank", B - crank, "rod", B - rod)
    m.point("rod", C - rod, "slider", [0, 0, 0])
    m.dot("slider", X, "rod", pin)
    for across in ([0, 1, 0], [0, 0, 1]):
        m.along(None, across, C, "slider", [0, 0, 0])
    m.dot(None, [0, 1, 0], "slider", [0, 0, 1])
    m.dot(None, [0, 0, 1], "slider", X)
    m.dot(None, [0, 1, 0], "slider", X)

    spin, turn = np.array([6.0, 0, 0]), np.array([1.92, -0.96, 0.48])
    at_b = cross(spin, B - A)
    velocities = [cross(spin, crank - A), at_b + cross(turn, rod - B), at_b + cross(turn, C - B)]
    start = m.state([crank, rod, C], [[1, 0, 0, 0]] * 3, velocities, [spin, turn, np.zeros(3)])
    return m, start


def compute(times):
    m, start = mechanism()
    crank, _, slider = m.poses(m.run(start, times))
    arm = crank.R[:, :, 2]
    angle = np.unwrap(np.arctan2(-arm[:, 1], arm[:, 2]))
    return np.column_stack([angle, crank.w[:, 0], slider.r[:, 0], slider.v[:, 0]])


if __name__ == "__main__":
    reference_file.main([reference_file.Case(
        "slider_crank", ["crank_angle[rad]", "crank_rate[rad/s]", "slider_x[m]", "slider_vx[m/s]"],
        reference_file.samples(0.005, 5), compute, checked_until=0.5, tolerance=1e-8, tolerance_whole=1e-6,
        number="%.12e")])
