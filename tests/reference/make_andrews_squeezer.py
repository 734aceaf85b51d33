#!/usr/bin/python3
"""andrews_squeezer.csv: Andrews' squeezing mechanism from beta = -0.062, after the IVP test set.

Coordinates: center and angle of each of the seven bodies in the plane, constraints on acceleration level; two rows for
each joint. The table lists each body's origin, the direction of its x axis as an angle, and its points in its own axes.
"""
import numpy as np
from scipy.integrate import solve_ivp

import reference_file

O, A, B, C = (np.array(p) for p in ((0.0, 0.0), (-0.06934, -0.00227), (-0.03635, 0.03273), (0.01400, 0.07200)))
BETA, THETA, GAMMA, PHI = -0.0620, 2.145868538e-4, 0.4552798121003702, 0.2226683759030271
DELTA, EPSILON = 0.4873649811406328, 1.2305474391566007
STIFFNESS, FREE_LENGTH, TORQUE = 4530.0, 0.07785, 0.033


def e(angle):
    return np.array([np.cos(angle), np.sin(angle)])


def n(angle):
    return np.array([-np.sin(angle), np.cos(angle)])


F, G, H = O + 0.007 * e(BETA), A + 0.040 * e(DELTA), A - 0.040 * n(EPSILON)
# Mass, moment of inertia, origin, angle of the x axis, center of mass.
BODIES = {
    "OF": (0.04325, 2.194e-6, O, BETA, (0.00092, 0)),
    "FE": (0.00365, 4.410e-7, F, BETA + THETA + np.pi, (0.0115, 0)),
    "BED": (0.02373, 5.255e-6, B, GAMMA, (0.01043, -0.01874)),
    "GE": (0.00706, 5.667e-7, G, PHI + DELTA - 0.5 * np.pi, (0.00579, 0)),
    "AG": (0.07050, 1.169e-5, A, DELTA, (0.02308, 0.00916)),
    "HE": (0.00706, 5.667e-7, H, EPSILON - PHI, (0.00579, 0)),
    "AH": (0.05498, 1.912e-5, A, EPSILON - 0.5 * np.pi, (0.01228, -0.00449)),
}
NAMES = list(BODIES)
E_ON_BED = (0, -0.035)
JOINTS = [(None, O, "OF", (0, 0)), ("OF", (0.007, 0), "FE", (0, 0)), (None, B, "BED", (0, 0)),
          ("BED", E_ON_BED, "FE", (0.028, 0)), ("BED", E_ON_BED, "GE", (0.020, 0)), ("BED", E_ON_BED, "HE", (0.020, 0)),
          (None, A, "AG", (0, 0)), ("AG", (0.040, 0), "GE", (0, 0)), (None, A, "AH", (0, 0)),
          ("AH", (0.040, 0), "HE", (0, 0))]


def turned(angle, v):
    return v[0] * e(angle) + v[1] * n(angle)


def centered(name, point):
    """A point in the axes of its body, from the body's center of mass."""
    return np.array(point, float) - np.array(BODIES[name][4], float)


def slope(_, y):
    q, u = y[:21].reshape(7, 3), y[21:].reshape(7, 3)
    masses = np.array([[BODIES[k][0], BODIES[k][0], BODIES[k][1]] for k in NAMES]).ravel()
    load, rows, gamma = np.zeros((7, 3)), np.zeros((20, 21)), np.zeros(20)
    load[0, 2] += TORQUE
    bed = NAMES.index("BED")
    arm = turned(q[bed, 2], centered("BED", (0.020, -0.018)))
    line = C - (q[bed, :2] + arm)
    length = np.linalg.norm(line)
    force = STIFFNESS * (length - FREE_LENGTH) * line / length
    load[bed] += [*force, arm[0] * force[1] - arm[1] * force[0]]
    for k, (first, point_1, second, point_2) in enumerate(JOINTS):
        for name, point, sign in ((first, point_1, -1), (second, point_2, 1)):
            if name is None:
                continue
            b = NAMES.index(name)
            arm = turned(q[b, 2], centered(name, point))
            rows[2 * k : 2 * k + 2, 3 * b : 3 * b + 2] += sign * np.eye(2)
            rows[2 * k : 2 * k + 2, 3 * b + 2] += sign * np.array([-arm[1], arm[0]])
            gamma[2 * k : 2 * k + 2] += sign * arm * u[b, 2] ** 2
    free = load.ravel() / masses
    spread = rows / masses
    multipliers = np.linalg.solve(spread @ rows.T, rows @ free - gamma)
    return np.concatenate([u.ravel(), free - spread.T @ multipliers])


def compute(times):
    start = [[*(np.asarray(origin) + turned(angle, center)), angle]
             for _, _, origin, angle, center in BODIES.values()]
    run = solve_ivp(slope, (0, times[-1]), np.concatenate([np.ravel(start), np.zeros(21)]), method="DOP853", rtol=1e-12,
                    atol=1e-15, t_eval=times)
    beta = run.y[2]
    return np.array([beta, run.y[23], 0.007 * np.cos(beta), 0.007 * np.sin(beta)]).T


if __name__ == "__main__":
    reference_file.main([reference_file.Case(
        "andrews_squeezer", ["beta[rad]", "betadot[rad/s]", "F_x[m]", "F_y[m]"], reference_file.samples(1e-4, 0.05),
        compute, checked_until=0.02, tolerance=1e-8, tolerance_whole=1e-6, number="%.12e")])
