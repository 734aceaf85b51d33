#!/usr/bin/python3
"""stiff_double_pendulum.csv: Negrut's planar double pendulum with two rotational spring-dampers.

Coordinates: the absolute angles of both rods; Radau's method, because the second damper makes the system stiff. Links 1
and 2 have their centers L1 and L2 from their inner joints; joint 2 is at 2 L1. The inertias are those of uniform rods.
"""
import numpy as np
from scipy.integrate import solve_ivp

import reference_file

M1, M2, L1, L2, GRAVITY = 3.0, 0.3, 1.0, 1.5, 9.81
J1, J2 = M1 * (2 * L1) ** 2 / 12, M2 * (2 * L2) ** 2 / 12
K1, C1, K2, C2, REST = 400.0, 15.0, 3e5, 5e4, 1.5 * np.pi


def slope(_, y):
    t1, t2, w1, w2 = y
    coupling = 2 * M2 * L1 * L2
    inner = -K1 * (t1 - REST) - C1 * w1
    outer = -K2 * (t2 - t1) - C2 * (w2 - w1)
    M = np.array([[J1 + M1 * L1**2 + 4 * M2 * L1**2, coupling * np.cos(t1 - t2)],
                  [coupling * np.cos(t1 - t2), J2 + M2 * L2**2]])
    Q = np.array([inner - outer - coupling * np.sin(t1 - t2) * w2**2 - GRAVITY * L1 * (M1 + 2 * M2) * np.cos(t1),
                  outer + coupling * np.sin(t1 - t2) * w1**2 - GRAVITY * M2 * L2 * np.cos(t2)])
    return np.concatenate([[w1, w2], np.linalg.solve(M, Q)])


def compute(times):
    start = [2 * np.pi, 23 * np.pi / 12, 0, 10]
    run = solve_ivp(slope, (0, times[-1]), start, method="Radau", rtol=1e-10, atol=1e-12, t_eval=times)
    return run.y[:3].T


if __name__ == "__main__":
    reference_file.main([reference_file.Case(
        "stiff_double_pendulum", ["theta1[rad]", "theta2[rad]", "theta1dot[rad/s]"],
        reference_file.samples(0.002, 2, 0.02, 10), compute, checked_until=0.5, tolerance=1e-7, tolerance_whole=1e-7,
        number="%.12e")])
