#!/usr/bin/python3
"""spatial_pendulum.csv and spin_top.csv: one body at a constant distance from the origin.

The pendulum is a point: r'' = g - 2 lambda r / m with the multiplier of r.r = l^2 from its second derivative. The top
is a body of cartesian.py whose tip u keeps |r + R u| = 1. Its printed initial state violates that; the tip starts at
(0, -1, 0) with the nearest velocity that is allowed, (0, -0.1, 0).
"""
import numpy as np
from scipy.integrate import solve_ivp

import reference_file
from cartesian import Mechanism, dot

GRAVITY = np.array([0, 0, -9.81])


def pendulum(times):
    length, mass = 0.08, 1.0

    def multiplier(r, v):
        return mass * (v @ v + GRAVITY @ r) / (2 * length**2)

    def slope(_, y):
        r, v = y[:3], y[3:]
        return np.concatenate([v, GRAVITY - 2 * multiplier(r, v) * r / mass])

    run = solve_ivp(slope, (0, times[-1]), [length, 0, 0, 0, 0.7895, 0], method="DOP853", rtol=1e-13, atol=1e-15,
                    t_eval=times)
    return np.array([[*y[:3], multiplier(y[:3], y[3:])] for y in run.y.T])


def top(times):
    body = Mechanism(GRAVITY)
    body.body("top", 30, [90, 90, 30])
    body.distance(None, [0, 0, 0], "top", [0, 0, -1])
    start = body.state([[0, -1, 1]], [[1, 0, 0, 0]], [[0, -0.1, 0]], [[0.1, 0.1, 0.3]])
    pose = body.poses(body.run(start, times))[0]
    return np.column_stack([pose.r, dot(pose.R[:, :, 2], pose.w)])


if __name__ == "__main__":
    reference_file.main([
        reference_file.Case("spatial_pendulum", ["x[m]", "y[m]", "z[m]", "lambda[N/m]"],
                            reference_file.samples(0.005, 2), pendulum, checked_until=2, tolerance=1e-9,
                            tolerance_whole=1e-9, number="%.12e"),
        reference_file.Case("spin_top", ["x[m]", "y[m]", "z[m]", "wbody_z[rad/s]"], reference_file.samples(0.02, 10),
                            top, checked_until=10, tolerance=1e-7, tolerance_whole=1e-7, number="%.12e")])
