"""Rigid bodies in Cartesian coordinates with constraints on acceleration level: an ordinary differential equation.

A body has the position r of its center of mass (world), Euler parameters p (scalar first, body to world), the velocity
of its center (world) and its angular velocity w (world). Accelerations and multipliers solve

    [M  H^T] [a     ]   [Q     ]
    [H   0 ] [lambda] = [gamma ],    H a = gamma is the second derivative of the constraints Phi = 0,

by elimination of a. Nothing corrects drift: at a relative tolerance of 1e-12 it stays below what the reference files
promise. Ground is the body None; its points and vectors are those of the world.

Every array has a leading axis of k states, so that the difference quotients of an implicit method cost one call.
"""
import numpy as np
from scipy.integrate import solve_ivp


def skew(a):
    zero = np.zeros(a.shape[:-1])
    return np.stack([np.stack([zero, -a[..., 2], a[..., 1]], -1), np.stack([a[..., 2], zero, -a[..., 0]], -1),
                     np.stack([-a[..., 1], a[..., 0], zero], -1)], -2)


def cross(a, b):
    return np.stack([a[..., 1] * b[..., 2] - a[..., 2] * b[..., 1], a[..., 2] * b[..., 0] - a[..., 0] * b[..., 2],
                     a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]], -1)


def dot(a, b):
    return (a * b).sum(axis=-1)


def rotation(p):
    e0, e = p[..., 0, None, None], p[..., 1:]
    square = e0 * e0 - dot(e, e)[..., None, None]
    return square * np.eye(3) + 2 * e[..., :, None] * e[..., None, :] + 2 * e0 * skew(e)


class Pose:
    """Position, rotation, velocity and angular velocity of one body, for k states."""

    def __init__(self, r, p, v, w):
        self.r, self.R, self.v, self.w = r, rotation(p), v, w


class Carried:
    """A point (factor 1) or a vector (factor 0) fixed to a body.

    Its value and rate in the world, `bias` = what its second derivative has besides the accelerations, and the factors
    `linear` (a number) and `angular` (3 x 3) of the body's acceleration in it.
    """

    def __init__(self, pose, local, linear):
        arm = pose.R @ local
        turned = cross(pose.w, arm)
        self.value, self.rate = arm + linear * pose.r, turned + linear * pose.v
        self.bias, self.linear, self.angular = cross(pose.w, turned), linear, -skew(arm)


class Mechanism:
    """Bodies, constraint rows and loads; all are added before the run."""

    def __init__(self, gravity):
        self.gravity = np.array(gravity, float)
        self.names, self.masses, self.inertias, self.rows, self.loads = [], [], [], [], []

    def body(self, name, mass, inertia):
        """Inertia: principal moments (3) or a tensor (3 x 3) in the axes of the body."""
        inertia = np.array(inertia, float)
        self.names.append(name)
        self.masses.append(mass)
        self.inertias.append(np.diag(inertia) if inertia.ndim == 1 else inertia)

    def index(self, name):
        return None if name is None else self.names.index(name)

    def _fixed(self, body, local, linear):
        return self.index(body), np.array(local, float), linear

    def point(self, b1, p1, b2, p2):
        """The points coincide: three rows."""
        self.rows.append(("point", self._fixed(b1, p1, 1), self._fixed(b2, p2, 1)))

    def dot(self, b1, v1, b2, v2):
        """The scalar product of two vectors stays what it is at the start."""
        self.rows.append(("dot", self._fixed(b1, v1, 0), self._fixed(b2, v2, 0)))

    def along(self, b1, v1, p1, b2, p2):
        """The vector v1 of body 1 stays perpendicular to the line from its point p1 to p2 of body 2."""
        self.rows.append(("along", self._fixed(b1, v1, 0), self._fixed(b1, p1, 1), self._fixed(b2, p2, 1)))

    def distance(self, b1, p1, b2, p2):
        """The distance of the points stays what it is at the start."""
        self.rows.append(("distance", self._fixed(b1, p1, 1), self._fixed(b2, p2, 1)))

    def revolute(self, b1, p1, axis_1, b2, p2, axis_2):
        """A point and two perpendicularities: five rows."""
        self.point(b1, p1, b2, p2)
        first = np.cross(axis_1, [1, 0, 0] if abs(axis_1[0]) < 0.9 * np.linalg.norm(axis_1) else [0, 1, 0])
        self.dot(b1, first, b2, axis_2)
        self.dot(b1, np.cross(axis_1, first), b2, axis_2)

    def load(self, function):
        """function(poses) -> list of (body, force, arm): in the world, the arm from the center of mass."""
        self.loads.append(function)

    def poses(self, y):
        """Poses of all bodies from one state (13 n) or from k states (k x 13 n)."""
        n, y = len(self.names), np.atleast_2d(y)
        r, p = y[:, : 3 * n].reshape(-1, n, 3), y[:, 3 * n : 7 * n].reshape(-1, n, 4)
        v, w = y[:, 7 * n : 10 * n].reshape(-1, n, 3), y[:, 10 * n :].reshape(-1, n, 3)
        return [Pose(r[:, b], p[:, b], v[:, b], w[:, b]) for b in range(n)]

    @staticmethod
    def state(r, p, v, w_body):
        """State vector from positions, Euler parameters, velocities (world) and angular velocities (body)."""
        p = np.array(p, float)
        w = (rotation(p) @ np.array(w_body, float)[..., None])[..., 0]
        return np.concatenate([np.ravel(np.array(a, float)) for a in (r, p, v, w)])

    def constraints(self, poses):
        """H (k x rows x 6 n) and gamma (k x rows); columns of a body: linear, angular."""
        k, count = len(poses[0].r), sum(3 if row[0] == "point" else 1 for row in self.rows)
        H, gamma = np.zeros((k, count, 6 * len(poses))), np.zeros((k, count))
        still = np.zeros((k, 3))
        ground = Pose(still, np.tile([1.0, 0, 0, 0], (k, 1)), still, still)

        def carried(fixed):
            body, local, linear = fixed
            return Carried(ground if body is None else poses[body], local, linear)

        def add(at, body, factor, c):
            """Adds factor . (acceleration of c); factor None stands for the identity, -1 for its opposite."""
            if body is None:
                return
            if np.isscalar(factor):
                H[:, at : at + 3, 6 * body : 6 * body + 3] += factor * np.eye(3)
                H[:, at : at + 3, 6 * body + 3 : 6 * body + 6] += factor * c.angular
                return
            if c.linear:
                H[:, at, 6 * body : 6 * body + 3] += factor
            H[:, at, 6 * body + 3 : 6 * body + 6] += (factor[:, None, :] @ c.angular)[:, 0]

        at = 0
        for kind, *fixed in self.rows:
            parts = [carried(f) for f in fixed]
            bodies = [f[0] for f in fixed]
            if kind == "point":
                add(at, bodies[0], -1.0, parts[0])
                add(at, bodies[1], 1.0, parts[1])
                gamma[:, at : at + 3] = parts[0].bias - parts[1].bias
                at += 3
                continue
            if kind == "dot":
                one, two = parts
                add(at, bodies[0], two.value, one)
                add(at, bodies[1], one.value, two)
                bias = dot(one.value, two.bias) + dot(two.value, one.bias) + 2 * dot(one.rate, two.rate)
            else:
                origin, end = parts[-2:]
                line, rate, bend = end.value - origin.value, end.rate - origin.rate, end.bias - origin.bias
                if kind == "distance":
                    add(at, bodies[0], -line, origin)
                    add(at, bodies[1], line, end)
                    bias = dot(line, bend) + dot(rate, rate)
                else:
                    one = parts[0]
                    add(at, bodies[0], line, one)
                    add(at, bodies[0], -one.value, origin)
                    add(at, bodies[2], one.value, end)
                    bias = dot(one.value, bend) + dot(line, one.bias) + 2 * dot(one.rate, rate)
            gamma[:, at] = -bias
            at += 1
        return H, gamma

    def accelerations(self, poses):
        """Accelerations (k x 6 n) and multipliers (k x rows)."""
        k, n = len(poses[0].r), len(poses)
        inverse, Q = np.zeros((k, 6 * n, 6 * n)), np.zeros((k, 6 * n))
        for b, pose in enumerate(poses):
            turned = pose.R.transpose(0, 2, 1)
            inverse[:, 6 * b : 6 * b + 3, 6 * b : 6 * b + 3] = np.eye(3) / self.masses[b]
            inverse[:, 6 * b + 3 : 6 * b + 6, 6 * b + 3 : 6 * b + 6] = pose.R @ np.linalg.inv(self.inertias[b]) @ turned
            momentum = (pose.R @ self.inertias[b] @ (turned @ pose.w[..., None]))[..., 0]
            Q[:, 6 * b : 6 * b + 3] = self.masses[b] * self.gravity
            Q[:, 6 * b + 3 : 6 * b + 6] = -cross(pose.w, momentum)
        for load in self.loads:
            for b, force, arm in load(poses):
                Q[:, 6 * b : 6 * b + 3] += force
                Q[:, 6 * b + 3 : 6 * b + 6] += cross(arm, force)
        H, gamma = self.constraints(poses)
        spread, free = H @ inverse, (inverse @ Q[..., None])[..., 0]
        right = (H @ free[..., None])[..., 0] - gamma
        multipliers = np.linalg.solve(spread @ H.transpose(0, 2, 1), right[..., None])[..., 0]
        return free - (multipliers[:, None] @ spread)[:, 0], multipliers

    def slope(self, _, y):
        """Right side for one state (13 n) or for k of them as columns (13 n x k)."""
        n, states = len(self.names), np.atleast_2d(y.T)
        poses = self.poses(states)
        a = self.accelerations(poses)[0].reshape(-1, n, 6)
        p, w = states[:, 3 * n : 7 * n].reshape(-1, n, 4), states[:, 10 * n :].reshape(-1, n, 3)
        turned = np.concatenate([-dot(p[..., 1:], w)[..., None], p[..., :1] * w + cross(w, p[..., 1:])], axis=-1)
        parts = [states[:, 7 * n : 10 * n], 0.5 * turned, a[..., :3], a[..., 3:]]
        slopes = np.concatenate([part.reshape(len(states), -1) for part in parts], axis=1)
        return slopes[0] if y.ndim == 1 else slopes.T

    def difference_quotients(self, _, y, step=1e-6):
        """Jacobian of the right side by central differences; SciPy's own steps drown in round-off at stiff springs."""
        n = len(y)
        moved = y[:, None] + step * np.concatenate([np.eye(n), -np.eye(n)], axis=1)
        slopes = self.slope(0, moved)
        return (slopes[:, :n] - slopes[:, n:]) / (2 * step)

    def run(self, start, times, method="DOP853", rtol=1e-12, atol=1e-13, **options):
        """States at the times, one a row."""
        if method == "Radau":
            options["jac"] = self.difference_quotients
        result = solve_ivp(self.slope, (times[0], times[-1]), start, method=method, rtol=rtol, atol=atol, t_eval=times,
                           **options)
        if not result.success:
            raise SystemExit(result.message)
        return result.y.T
