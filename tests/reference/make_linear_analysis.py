#!/usr/bin/python3
"""integrators_linear_analysis.csv: damping, period error and spectral radius of the methods of rt/offline on x'' = -x.

    make_linear_analysis.py            writes the file
    make_linear_analysis.py --check    compares the file with what this script computes

Nothing is stepped: every number follows from the roots of a method's stability function at z = i h. A row is one step
h = dt_over_nT 2 pi n with n solves a step. The principal root l begins at 1 and is followed from h = 0; with
ln l = -xi w + i w sqrt(1 - xi^2) the damping AD is 100 xi and the period error PE is 100 (h / w - 1). Rows of long
steps give the radius alone.
"""
import csv
import itertools
import math
import sys
from math import comb, factorial, sqrt

import numpy as np
from numpy.polynomial import Polynomial

from reference_file import FOLDER

FILE = FOLDER / "integrators_linear_analysis.csv"
SHORT, LONG = (0.01, 0.02, 0.03, 0.05, 0.1, 0.2), (1.0, 10.0, 1e6)
TUNABLE = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


# Multistep methods: sum_j (x^j terms) P(x) = z beta_0 (x + p)^r; roots in u = x + p, where long steps lose no digits.
def multistep_roots(P, beta_0, p, z):
    """P ascends in powers of x."""
    r = len(P) - 1
    shifted = Polynomial(P)(Polynomial([-p, 1.0])).coef.astype(complex)
    shifted = -shifted / (z * beta_0)
    shifted[r] += 1
    return np.roots(shifted[::-1]) - p


def lms(r, p):
    """P (ascending) and beta_0 of LMSr, closed form in rho_inf."""
    d = {2: 3 - p, 3: 10 - 5 * p + p**2, 4: 35 - 21 * p + 7 * p**2 - p**3}[r]
    alpha = {2: [4 * (1 - p), 3 * p - 1],
             3: [3 * (5 - 9 * p + 2 * p**2), -3 * (2 - 9 * p + 5 * p**2), 1 - 5 * p + 10 * p**2],
             4: [4 * (14 - 35 * p + 13 * p**2 - 2 * p**3), -4 * (1 - p) * (7 - 34 * p + 7 * p**2),
                 4 * (2 - 13 * p + 35 * p**2 - 14 * p**3), -(1 - 7 * p + 21 * p**2 - 35 * p**3)]}[r]
    beta_0 = {2: 2, 3: 6, 4: 20}[r] / ((1 + p) * d)
    return [*(-a / d for a in reversed(alpha)), 1.0], beta_0


def single_step(r, p):
    """P and beta_0 of SSr from its chain of links: odd links make P, even ones 1/(1 + p) each make (x + p)^r."""
    odd = [0.5 + (G - 0.5) * (1 - p) / (1 + p) for G in np.roots({
        2: [2, -3], 3: [6, -15, 10], 4: [20, -70, 84, -35]}[r])]
    P = Polynomial([-1, 1])
    for g in odd:
        P *= Polynomial([1 - g, g])
    lead = P.coef[-1]
    return list((P.coef / lead).real), float((1 / (1 + p) ** r / lead).real)


def follow(roots_at, h):
    """Logarithm of the root that begins at 1 as the step grows to h, with its phase."""
    root, phase = 1.0 + 0j, 0.0
    for k in range(1, 401):
        roots = roots_at(1j * h * k / 400)
        nearest = roots[np.argmin(np.abs(roots - root))]
        phase += np.angle(nearest / root)
        root = nearest
    return complex(math.log(abs(root)), phase)


# One-step methods: R(z) = 1 + z b^T (1 - z A)^-1 1.
def stability(A, b):
    A, b = np.array(A, float), np.array(b, float)
    one = np.ones(len(b))
    return lambda z: 1 + z * b @ np.linalg.solve(np.eye(len(b)) - z * A, one)


def composite(n, p):
    """rho_inf-Bathe (n = 2) and MSSTC(n): as flat as possible at low frequency, order two, limit (-1)^n p."""
    kappa = (1 - p**2) ** (1 / n)
    s = [np.sqrt(1 - kappa * np.exp(2j * np.pi * j / n)) for j in range(n)]
    gamma = 1 / (n + sum(s)).real
    N = Polynomial([1.0])
    for v in s:
        N *= Polynomial([1, v])
    # The product of all s is rho_inf; it decides the limit and has to be exact.
    coefficients = [*N.coef[:n], *[0] * (n - len(N.coef)), p]
    return lambda z: np.polyval(coefficients[::-1], gamma * z) / (1 - gamma * z) ** n


# Published abscissae of MSSTH: c_3 and c_4 (n = 4), c_4 (n = 5).
MSSTH4 = {0.0: (0.55909857542294173, 0.7414011664833654), 0.2: (0.6385228144891606, 0.77314366596046125),
          0.4: (0.71166263135355824, 0.79725148192031436), 0.6: (0.78843701152100362, 0.81396625294191349),
          0.8: (0.88365850394190859, 0.81624789465002423), 1.0: (1.0534803411702867, 0.76893053626170527)}


def mssth(n, p):
    """Order n with limit +-p: the stability function of n equal poles 1/gamma and order n, whatever the abscissae."""
    sign = -1 if n == 3 else 1
    coefficients = [(-1) ** k * comb(n, k) / factorial(n - k) for k in range(n + 1)]
    coefficients[n] -= sign * p
    roots = Polynomial(coefficients).roots()
    low, high = {3: (0.33, 0.44), 4: (0.39, 0.58), 5: (0.24, 0.28)}[n]
    gamma = next(g.real for g in roots if abs(g.imag) < 1e-9 and low < g.real < high)
    # N(z) = the expansion of (1 - gamma z)^n e^z up to z^n, so that R agrees with e^z up to order n.
    N = [sum((-gamma) ** j * comb(n, j) / factorial(m - j) for j in range(m + 1)) for m in range(n + 1)]
    return lambda z: np.polyval(N[::-1], z) / (1 - gamma * z) ** n


def kennedy_carpenter():
    """Rows 2 to s of the three tables, stiffly accurate."""
    g = sorted(r.real for r in Polynomial([-1 / 6, 1.5, -3, 1]).roots())[1]
    c3 = 0.6
    a32, b2 = c3 * (c3 - 2 * g) / (4 * g), (3 * c3 - 2 + 6 * g * (1 - c3)) / (12 * g * (c3 - 2 * g))
    b3 = (1 - 6 * g + 6 * g * g) / (3 * c3 * (c3 - 2 * g))
    yield "ESDIRK3(2)4L[2]SA", g, [[g], [c3 - g - a32, a32], [1 - g - b2 - b3, b2, b3]]
    q, g = sqrt(2), 9 / 40
    a, b, c = 9 * (1 + q) / 80, (22 + 15 * q) / (80 * (1 + q)), -7 / (40 * (1 + q))
    w = (2398 + 1205 * q) / (2835 * (4 + 3 * q))
    yield "ESDIRK3(2)5L[2]SA", g, [[g], [a, a], [b, b, c], [w, w, -2374 * (1 + 2 * q) / (2835 * (5 + 3 * q)),
                                                             5827 / 7560]]
    a3, a4 = -360286518617 / 7014585480527, -506388693497 / 5937754990171
    a5, w = -7628305438933 / 11061539393788, -12917657251 / 5222094901039
    yield "ESDIRK4(3)6L[2]SA2", 31 / 125, [
        [31 / 125], [a3, a3], [a4, a4, 7149918333491 / 13390931526268],
        [a5, a5, 21592626537567 / 14352247503901, 11630056083252 / 17263101053231],
        [w, w, 5602338284630 / 15643096342197, 9002339615474 / 18125249312447, -2420307481369 / 24731958684496]]


def esdirk(gamma, rows):
    s = len(rows) + 1
    A = np.zeros((s, s))
    for i, row in enumerate(rows, start=1):
        A[i, : len(row)] = row
        A[i, i] = gamma
    return stability(A, A[-1])


RN4_GAMMA = 0.57281606
RN4 = {"alpha": {(1, 0): 1.14563212, (2, 0): 0.520920789130629029328516, (2, 1): 0.134294186842504800149232,
                 (3, 0): 0.520920789130629029328516, (3, 1): 0.134294186842504800149232},
       "gamma": {(1, 0): -2.34199312711201394917052, (2, 0): -0.027333746543489836196505,
                 (2, 1): 0.213811650836699689867472, (3, 0): -0.259083837785510222112641,
                 (3, 1): -0.190595807732311751616358, (3, 2): -0.228031035973133829477744},
       "b": [0.324534707891734513474196, 0.049086544787523308684633, 0, 0.626378747320742177841171]}


def rosenbrock(alpha, gamma, diagonal, b):
    """On a linear equation a Rosenbrock method is the Runge-Kutta method with the sum of its two matrices."""
    A = diagonal * np.eye(len(b))
    for table in (alpha, gamma):
        for (i, j), value in table.items():
            A[i, j] += value
    return stability(A, b)


def newmark(beta):
    """Roots of the amplification matrix with velocity weight 1/2."""
    def roots_at(z):
        square = abs(z) ** 2
        D = 1 + beta * square
        # x_1 and v_1 of (x, v) with a = -x; h = |z|, velocities times h.
        x = np.array([1 - (0.5 - beta) * square, 1.0]) / D
        v = np.array([-0.5 * square * (1 + x[0]), 1 - 0.5 * square * x[1]])
        roots = np.linalg.eigvals(np.array([x, v])).astype(complex)
        return roots[np.argsort(-roots.imag)]

    return roots_at


def methods():
    """(name, rho_inf or None, solves a step, roots at z), in the order of the file."""
    one_step = lambda R: lambda z: np.array([R(z)])
    for r, p in itertools.product((2, 3, 4), TUNABLE):
        yield f"LMS{r}", p, 1, (lambda z, P=lms(r, p), p=p: multistep_roots(*P, p, z))
    for r, p in itertools.product((2, 3, 4), TUNABLE):
        yield f"SS{r}", p, 1, (lambda z, P=single_step(r, p), p=p: multistep_roots(*P, p, z))
    for n, p in itertools.product((2, 3, 4, 5), TUNABLE):
        yield "RHO_BATHE" if n == 2 else f"MSSTC{n}", p, n, one_step(composite(n, p))
    for n, p in itertools.product((3, 4, 5), TUNABLE):
        yield f"MSSTH{n}", p, n, one_step(mssth(n, p))
    for name, gamma, rows in kennedy_carpenter():
        yield name, 0.0, len(rows), one_step(esdirk(gamma, rows))
    yield "TRAPEZOIDAL", 1.0, 1, one_step(lambda z: (1 + z / 2) / (1 - z / 2))
    yield "RN4", 0.0, 4, one_step(rosenbrock(RN4["alpha"], RN4["gamma"], RN4_GAMMA, RN4["b"]))
    for name, gamma in (("ROS2W", 1 + sqrt(0.5)), ("ROS2W_minus", 1 - sqrt(0.5))):
        yield name, 0.0, 2, one_step(rosenbrock({(1, 0): 1.0}, {(1, 0): -2 * gamma}, gamma, [0.5, 0.5]))
    for name, beta in (("TRAPEZOIDAL", 1 / 4), ("FOX_GOODWIN", 1 / 12), ("LINEAR_ACCELERATION", 1 / 6)):
        yield f"NEWMARK_{name}", None, 1, newmark(beta)


def rows():
    """The rows of the file: name, rho_inf, abscissa, damping, period error (or None), radius."""
    for name, p, solves, roots_at in methods():
        for abscissa in SHORT + LONG:
            h = abscissa * 2 * math.pi * solves
            radius = np.abs(roots_at(1j * h)).max()
            damping = period = None
            if abscissa in SHORT:
                log = follow(roots_at, h)
                damping, period = -100 * log.real / abs(log), 100 * (h / abs(log) - 1)
            yield name, p, abscissa, damping, period, radius


def text():
    number = lambda v: "" if v is None else f"{v if abs(v) > 1e-9 else 0:.10g}"
    lines = ["method,rho_inf,dt_over_nT,AD_percent,PE_percent,spectral_radius"]
    for name, p, abscissa, damping, period, radius in rows():
        lines.append(",".join([name, "" if p is None else f"{p:.1f}", f"{abscissa:g}", number(damping), number(period),
                               f"{radius:.12g}" if damping is not None else f"{radius:.8g}"]))
    return "\n".join(lines) + "\n"


def check():
    """Compares to what a double leaves: damping to 1e-6 or 2e-9, period error to 1e-6 or 1e-8, radius to 5e-8."""
    with open(FILE, newline="", encoding="utf-8") as file:
        found = list(csv.reader(file))[1:]
    made = {(row[0], "" if row[1] is None else f"{row[1]:.1f}", f"{row[2]:g}"): row[3:] for row in rows()}
    if len(found) != len(made):
        return f"{len(found)} rows, the generator makes {len(made)}"
    for name, p, abscissa, *values in found:
        for text_value, value, share, margin in zip(values, made[name, p, abscissa], (1e-6, 1e-6, 5e-8),
                                                    (2e-9, 1e-8, 1e-15)):
            if (text_value == "") != (value is None):
                return f"{name} {p} {abscissa}: \"{text_value}\", computed {value}"
            if value is not None and abs(float(text_value) - value) > margin + share * abs(value):
                return f"{name} {p} {abscissa}: {text_value}, computed {value:.12g}"
    print(f"{FILE.name} agrees: {len(found)} rows")
    return None


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        sys.exit(check())
    FILE.write_text(text())
