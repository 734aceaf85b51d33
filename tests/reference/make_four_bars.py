#!/usr/bin/python3
"""four_bar.csv and four_bar_up.csv: the parallelogram of three rods of 1 m, swinging through its singular pose.

On the branch of the parallelogram the crank A and the follower C turn by phi and the coupler B only translates, so with
e = (cos phi, s sin phi), s = -1 for four_bar and +1 for four_bar_up, the motion has one coordinate:

    (2 (J + m/4) + m) phi'' = -s 2 m g cos phi.

The reaction follows from the moments about the ends of B and of A; every term of it has the factor cos phi, which is
divided out, so that it is exact in the singular pose, too.
"""
import numpy as np
from scipy.integrate import solve_ivp

import reference_file

MASS, INERTIA, GRAVITY = 1.0, 1.0, 9.81
PULL = 2 * MASS * GRAVITY / (2 * (INERTIA + MASS / 4) + MASS)  # rad/s^2
COLUMNS = ["phi[rad]", "phidot[rad/s]", "rA_x[m]", "rA_y[m]", "vA_x[m/s]", "vA_y[m/s]", "aA_x[m/s2]", "aA_y[m/s2]",
           "rB_x[m]", "rB_y[m]", "rC_x[m]", "rC_y[m]", "F1_x[N]", "F1_y[N]", "E[J]"]


def compute(times, s):
    run = solve_ivp(lambda _, y: [y[1], -s * PULL * np.cos(y[0])], (0, times[-1]), [np.pi / 4, 0.0], method="DOP853",
                    rtol=1e-13, atol=1e-14, t_eval=times)
    phi, rate = run.y
    acceleration = -s * PULL * np.cos(phi)
    along = np.array([np.cos(phi), s * np.sin(phi)])
    across = np.array([-np.sin(phi), s * np.cos(phi)])
    moved, turned = across * rate, across * acceleration - along * rate**2
    pivot = np.array([[0.0], [s]])

    # Force of the coupler on the crank: m/2 of the coupler's acceleration along x, moments about the first pivot.
    share = rate**2 - s * PULL * np.sin(phi)
    coupler = np.array([0.5 * MASS * np.cos(phi) * share,
                        s * 0.5 * MASS * np.sin(phi) * share + 0.5 * MASS * GRAVITY - (INERTIA + MASS / 4) * PULL])
    force = MASS * 0.5 * turned + np.array([[0.0], [MASS * GRAVITY]]) - coupler

    energy = 0.5 * (2 * (INERTIA + MASS / 4) + MASS) * rate**2
    energy += MASS * GRAVITY * (2 * along[1] + 1.5 * s)
    rows = [phi, rate, *(0.5 * along), *(0.5 * moved), *(0.5 * turned), *(along + 0.5 * pivot), *(0.5 * along + pivot),
            *force, energy]
    return np.array(rows).T


def case(name, s):
    return reference_file.Case(name, COLUMNS, reference_file.samples(0.01, 10, 0.1, 30),
                               lambda times: compute(times, s), checked_until=30, tolerance=2e-9, tolerance_whole=2e-9)


if __name__ == "__main__":
    reference_file.main([case("four_bar", -1), case("four_bar_up", 1)])
