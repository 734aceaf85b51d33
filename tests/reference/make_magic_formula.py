#!/usr/bin/python3
"""magic_formula.csv: forces of two published tyres by the published equations of the Magic Formula.

    make_magic_formula.py            writes the file
    make_magic_formula.py --check    compares the file with what this script computes

`book` is the tyre 205/60R15 of Pacejka, Tire and Vehicle Dynamics, appendix 3, table A3.1, by the equations (4.E9) to
(4.E78) of that book with all scaling factors 1, without turn slip and spin; the signs are those of its axes (ISO: a
positive slip angle makes a negative force). `centered` is that tyre without the offsets PVY of its side force. `1987` is the passenger car tyre of Bakker, Nyborg and Pacejka, SAE 870421,
by the formula of that paper: loads in kN, slip in percent, angles in degrees, y = D sin(C atan(B phi)),
phi = (1 - E) x + E / B atan(B x), without shifts.
"""
import csv
import io
import itertools
import math
import sys

from reference_file import FOLDER

FILE = FOLDER / "magic_formula.csv"
LOAD, RADIUS = 4000.0, 0.313  # nominal, N; m
# Table A3.1; a coefficient that is not in it is zero.
BOOK = dict(
    PCX1=1.685, PDX1=1.210, PDX2=-0.037, PEX1=0.344, PEX2=0.095, PEX3=-0.020, PKX1=21.51, PKX2=-0.163, PKX3=0.245,
    PHX1=-0.002, PHX2=0.002, RBX1=12.35, RBX2=-10.77, RCX1=1.092, RHX1=0.007,
    PCY1=1.193, PDY1=-0.990, PDY2=0.145, PDY3=-11.23, PEY1=-1.003, PEY2=-0.537, PEY3=-0.083, PEY4=-4.787, PKY1=-14.95,
    PKY2=2.130, PKY3=-0.028, PKY4=2.0, PKY6=-0.92, PKY7=-0.24, PHY1=0.003, PHY2=-0.001, PVY1=0.045, PVY2=-0.024,
    PVY3=-0.532, PVY4=0.039, RBY1=6.461, RBY2=4.196, RBY3=-0.015, RCY1=1.081, RHY1=0.009, RVY1=0.053, RVY2=-0.073,
    RVY3=0.517, RVY4=35.44, RVY5=1.9, RVY6=-10.71,
    QBZ1=8.964, QBZ2=-1.106, QBZ3=-0.842, QBZ5=-0.227, QBZ9=18.47, QCZ1=1.180, QDZ1=0.100, QDZ2=-0.001, QDZ3=0.007,
    QDZ4=13.05, QDZ6=-0.008, QDZ8=-0.296, QDZ9=-0.009, QEZ1=-1.609, QEZ2=-0.359, QEZ4=0.174, QEZ5=-0.896, QHZ1=0.007,
    QHZ2=-0.002, QHZ3=0.147, QHZ4=0.004, SSZ1=0.043, SSZ2=0.001, SSZ3=0.731, SSZ4=-0.238)


OFFSETS = ("PVY1", "PVY2", "PVY3", "PVY4")


def sign(x):
    return math.copysign(1.0, x)


def book(Fz, kappa, alpha, gamma, without=()):
    """(Fx, Fy, Mz) for the slip angle alpha, rad, of which the tangent counts, and the camber angle gamma, rad."""
    p = dict.fromkeys(("PDX3 PEX4 PVX1 PVX2 RBX3 REX1 REX2 PEY5 PKY5 RBY4 REY1 REY2 RHY2 QBZ6 QBZ10 QDZ7 QEZ3".split()), 0.0)
    p.update(BOOK)
    p.update(dict.fromkeys(without, 0.0))
    atan, cos, sin, tan, exp, sqrt = math.atan, math.cos, math.sin, math.tan, math.exp, math.sqrt
    df = (Fz - LOAD) / LOAD
    a, g, ca = tan(alpha), sin(gamma), cos(alpha)
    # Longitudinal force, pure: (4.E9) to (4.E18).
    kx = kappa + p["PHX1"] + p["PHX2"] * df
    Cx = p["PCX1"]
    Dx = (p["PDX1"] + p["PDX2"] * df) * (1 - p["PDX3"] * gamma**2) * Fz
    Ex = (p["PEX1"] + p["PEX2"] * df + p["PEX3"] * df**2) * (1 - p["PEX4"] * sign(kx))
    Kx = Fz * (p["PKX1"] + p["PKX2"] * df) * exp(p["PKX3"] * df)
    Bx = Kx / (Cx * Dx)
    Fx0 = Dx * sin(Cx * atan(Bx * kx - Ex * (Bx * kx - atan(Bx * kx)))) + Fz * (p["PVX1"] + p["PVX2"] * df)
    # Side force, pure: (4.E19) to (4.E30).
    Ky0 = p["PKY1"] * LOAD * sin(p["PKY4"] * atan(Fz / ((p["PKY2"] + p["PKY5"] * g**2) * LOAD)))
    Ky = Ky0 * (1 - p["PKY3"] * abs(g))
    Kyg = Fz * (p["PKY6"] + p["PKY7"] * df)
    SVyg = Fz * (p["PVY3"] + p["PVY4"] * df) * g
    SVy = Fz * (p["PVY1"] + p["PVY2"] * df) + SVyg
    SHy = p["PHY1"] + p["PHY2"] * df + (Kyg * g - SVyg) / Ky
    ay = a + SHy
    Cy = p["PCY1"]
    Dy = (p["PDY1"] + p["PDY2"] * df) * (1 - p["PDY3"] * g**2) * Fz
    Ey = (p["PEY1"] + p["PEY2"] * df) * (1 + p["PEY5"] * g**2 - (p["PEY3"] + p["PEY4"] * g) * sign(ay))
    By = Ky / (Cy * Dy)
    Fy0 = Dy * sin(Cy * atan(By * ay - Ey * (By * ay - atan(By * ay)))) + SVy
    # Combined slip: (4.E50) to (4.E67).
    Bxa = (p["RBX1"] + p["RBX3"] * g**2) * cos(atan(p["RBX2"] * kappa))
    Exa, SHxa = p["REX1"] + p["REX2"] * df, p["RHX1"]

    def weight(C, B, E, x, shift):
        return (cos(C * atan(B * x - E * (B * x - atan(B * x))))
                / cos(C * atan(B * shift - E * (B * shift - atan(B * shift)))))

    Fx = weight(p["RCX1"], Bxa, Exa, a + SHxa, SHxa) * Fx0
    Byk = (p["RBY1"] + p["RBY4"] * g**2) * cos(atan(p["RBY2"] * (a - p["RBY3"])))
    SHyk = p["RHY1"] + p["RHY2"] * df
    Gyk = weight(p["RCY1"], Byk, p["REY1"] + p["REY2"] * df, kappa + SHyk, SHyk)
    DVyk = Dy * (p["RVY1"] + p["RVY2"] * df + p["RVY3"] * g) * cos(atan(p["RVY4"] * a))
    Fy = Gyk * Fy0 + DVyk * sin(p["RVY5"] * atan(p["RVY6"] * kappa))
    # Aligning moment: (4.E31) to (4.E49) and (4.E71) to (4.E78).
    at = a + p["QHZ1"] + p["QHZ2"] * df + (p["QHZ3"] + p["QHZ4"] * df) * g
    ar = a + SHy + SVy / Ky
    Bt = (p["QBZ1"] + p["QBZ2"] * df + p["QBZ3"] * df**2) * (1 + p["QBZ5"] * abs(g) + p["QBZ6"] * g**2)
    Ct = p["QCZ1"]
    Dt = Fz * RADIUS / LOAD * (p["QDZ1"] + p["QDZ2"] * df) * (1 + p["QDZ3"] * abs(g) + p["QDZ4"] * g**2)
    Et = (p["QEZ1"] + p["QEZ2"] * df + p["QEZ3"] * df**2) * (
        1 + (p["QEZ4"] + p["QEZ5"] * g) * 2 / math.pi * atan(Bt * Ct * at))
    Br = p["QBZ9"] + p["QBZ10"] * By * Cy
    Dr = Fz * RADIUS * (p["QDZ6"] + p["QDZ7"] * df + (p["QDZ8"] + p["QDZ9"] * df) * g)
    drag = (Kx / Ky * kappa) ** 2
    ateq, areq = sqrt(at**2 + drag) * sign(at), sqrt(ar**2 + drag) * sign(ar)
    trail = Dt * cos(Ct * atan(Bt * ateq - Et * (Bt * ateq - atan(Bt * ateq)))) * ca
    residual = Dr * cos(atan(Br * areq)) * ca
    s = RADIUS * (p["SSZ1"] + p["SSZ2"] * Fy / LOAD + (p["SSZ3"] + p["SSZ4"] * df) * g)
    return Fx, Fy, -trail * Gyk * Fy0 + residual + s * Fx


def of_1987(kind, load, x):
    """The force of the tyre of SAE 870421, N: `x` along the wheel, slip in percent; `y` across, angle in degrees."""
    a = {"x": (-21.3, 1144, 49.6, 226, 0.069, -0.006, 0.056, 0.486),
         "y": (-22.1, 1011, 1078, 1.82, 0.208, 0.000, -0.354, 0.707)}[kind]
    C = {"x": 1.65, "y": 1.30}[kind]
    D = a[0] * load**2 + a[1] * load
    slope = {"x": (a[2] * load**2 + a[3] * load) / math.exp(a[4] * load), "y": a[2] * math.sin(a[3] * math.atan(a[4] * load))}
    E = a[5] * load**2 + a[6] * load + a[7]
    B = slope[kind] / (C * D)
    return D * math.sin(C * math.atan((1 - E) * B * x + E * math.atan(B * x)))


def text():
    out = io.StringIO()
    write = csv.writer(out, lineterminator="\n")
    write.writerow(["tyre", "load[N]", "ratio[1]", "angle[rad]", "camber[rad]", "Fx[N]", "Fy[N]", "Mz[N m]"])
    for row in itertools.product((2000.0, 4000.0, 6000.0), (-0.3, -0.05, 0.0, 0.02, 0.1), (-0.15, -0.02, 0.0, 0.04, 0.2),
                                 (-0.06, 0.0, 0.03)):
        write.writerow(["book", *row, *(f"{value:.9e}" for value in book(*row))])
        write.writerow(["centered", *row, *(f"{value:.9e}" for value in book(*row, OFFSETS))])
    for load, slip in itertools.product((2, 4, 6, 8), (1, 4, 10, 30, 80)):
        write.writerow(["1987", 1000.0 * load, slip / 100, 0.0, 0.0, f"{of_1987('x', load, slip):.9e}", "", ""])
    for load, angle in itertools.product((2, 4, 6, 8), (0.5, 2, 5, 9, 14)):
        write.writerow(["1987", 1000.0 * load, 0.0, round(math.radians(angle), 12), 0.0, "",
                        f"{of_1987('y', load, angle):.9e}", ""])
    return out.getvalue()


def main():
    if sys.argv[1:2] != ["--check"]:
        FILE.write_text(text())
        return 0
    new, old = text().splitlines(), FILE.read_text().splitlines()
    differing = [line for line, was in zip(new, old) if line != was and not alike(line, was)]
    print(f"magic_formula.csv: {len(new)} lines, {len(differing)} differ")
    return 1 if differing or len(new) != len(old) else 0


def alike(line, was):
    """Equal but for the last digits, which the C library of another machine may round otherwise."""
    pairs = list(zip(line.split(","), was.split(",")))
    return all(a == b or (a and b and math.isclose(float(a), float(b), rel_tol=1e-8, abs_tol=1e-6)) for a, b in pairs[1:])


if __name__ == "__main__":
    sys.exit(main())
