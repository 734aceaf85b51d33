#!/usr/bin/python3
"""chain_8.csv, chain_32.csv, chain_128.csv: equal links on joints without friction, let go from the horizontal.

The motion stays in the plane, so the absolute angles a_i of the links from the x axis are coordinates, and Lagrange's
equations are ordinary: with c_ij = m L^2 (n - max(i, j) + 1/2) and c_ii = J + m L^2 (n - i + 1/4),

    sum_j c_ij (cos(a_i - a_j) a_j'' + sin(a_i - a_j) a_j'^2) = -m g L (n - i + 1/2) cos a_i.
"""
import numpy as np
from scipy.integrate import solve_ivp
from scipy.linalg import cho_factor, cho_solve

import reference_file

MASS, LENGTH, INERTIA, GRAVITY = 1.0, 1.0, 1.0, 9.81


class Chain:
    def __init__(self, links):
        self.links = links
        i = np.arange(1, links + 1)
        outer = links - np.maximum.outer(i, i)
        self.c = MASS * LENGTH**2 * (outer + 0.5)
        self.c[np.diag_indices(links)] += INERTIA - 0.25 * MASS * LENGTH**2
        self.weight = MASS * GRAVITY * LENGTH * (links - i + 0.5)

    def accelerations(self, theta, rate):
        apart = theta[:, None] - theta[None, :]
        right = -(self.c * np.sin(apart)) @ rate**2 - self.weight * np.cos(theta)
        return cho_solve(cho_factor(self.c * np.cos(apart), check_finite=False), right, check_finite=False)

    def slope(self, _, y):
        theta, rate = y[: self.links], y[self.links :]
        return np.concatenate([rate, self.accelerations(theta, rate)])

    def row(self, theta, rate, marked):
        """Tip, its velocity, force of the ground on the first link, energies, angles of the marked links."""
        acceleration = self.accelerations(theta, rate)
        along = LENGTH * np.stack([np.cos(theta), np.sin(theta)], axis=1)
        across = LENGTH * np.stack([-np.sin(theta), np.cos(theta)], axis=1)
        moved = across * rate[:, None]
        turned = across * acceleration[:, None] - along * rate[:, None] ** 2

        def centers(links):
            return np.cumsum(links, axis=0) - 0.5 * links

        force = MASS * centers(turned).sum(axis=0) + [0, self.links * MASS * GRAVITY]
        kinetic = 0.5 * (MASS * (centers(moved) ** 2).sum() + INERTIA * (rate**2).sum())
        potential = MASS * GRAVITY * centers(along)[:, 1].sum()
        return [*along.sum(axis=0), *moved.sum(axis=0), *force, kinetic, potential, kinetic + potential,
                *theta[np.array(marked) - 1]]

    def compute(self, times, marked):
        start = np.zeros(2 * self.links)
        run = solve_ivp(self.slope, (0, times[-1]), start, method="DOP853", rtol=1e-12, atol=1e-13, t_eval=times)
        return np.array([self.row(y[: self.links], y[self.links :], marked) for y in run.y.T])


def case(links, end, marked, checked_until, tolerance_whole):
    columns = ["tip_x[m]", "tip_y[m]", "tip_vx[m/s]", "tip_vy[m/s]", "F1_x[N]", "F1_y[N]", "KE[J]", "PE[J]", "E[J]"]
    columns += [f"theta_{i}[rad]" for i in marked]
    chain = Chain(links)
    return reference_file.Case(f"chain_{links}", columns, reference_file.samples(0.01, end),
                               lambda times: chain.compute(times, marked), checked_until, 1e-9, tolerance_whole,
                               sized_like={"E[J]": "KE[J]"})


if __name__ == "__main__":
    reference_file.main([case(8, 10.0, (1, 2, 4, 6, 8), 5.0, 1e-7), case(32, 8.5, (1, 8, 16, 24, 32), 2.0, 1e-7),
                         case(128, 10.0, (1, 32, 64, 96, 128), 0.5, 1e-7)])
