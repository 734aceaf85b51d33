#!/usr/bin/python3
"""tyre_52.tir and tyre_52.csv: a tyre property file of MF-Tyre 5.2 and its forces by the equations of that version.

    make_tyre_file.py            writes both
    make_tyre_file.py --check    compares them with what this script computes

The equations are those of MSC, Using the PAC2002 Tire Model, and of H. B. Pacejka, Tire and Vehicle Dynamics, 2nd edition,
section 4.3.2: slip and camber count as angles, camber shifts the side force by PHY3, all with their scaling factors. The
coefficients are of the size of those of a 205/60R15; none of the terms is zero, and no factor is 1.
"""
import csv
import io
import itertools
import math
import pathlib
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
SECTIONS = {
    "DIMENSION": dict(UNLOADED_RADIUS=313.5, WIDTH=205.0, ASPECT_RATIO=0.6),
    "VERTICAL": dict(VERTICAL_STIFFNESS=0.2091, VERTICAL_DAMPING=5e-5, BREFF=8.4, DREFF=0.27, FREFF=0.07, FNOMIN=4.0),
    "SCALING_COEFFICIENTS": dict(
        LFZO=1.02, LCX=0.98, LMUX=0.95, LEX=1.03, LKX=1.1, LHX=0.9, LVX=1.2, LGAX=1.05, LCY=1.01, LMUY=0.9, LEY=0.97,
        LKY=0.93, LHY=1.1, LVY=1.05, LGAY=0.96, LTR=1.07, LRES=0.94, LGAZ=1.04, LXAL=1.02, LYKA=0.98, LVYKA=1.03, LS=0.95,
        LSGKP=1.05, LSGAL=0.97),
    "LONGITUDINAL_COEFFICIENTS": dict(
        PCX1=1.64, PDX1=1.17, PDX2=-0.164, PDX3=0.8, PEX1=0.464, PEX2=0.25, PEX3=0.068, PEX4=-0.03, PKX1=22.3, PKX2=0.489,
        PKX3=0.213, PHX1=0.00123, PHX2=0.00043, PVX1=-0.0088, PVX2=0.0019, RBX1=13.3, RBX2=-13.8, RCX1=1.26, REX1=0.65,
        REX2=-0.25, RHX1=0.0051, PTX1=2.37, PTX2=1.41, PTX3=0.57),
    "OVERTURNING_COEFFICIENTS": dict(QSX1=0.0124),
    "LATERAL_COEFFICIENTS": dict(
        PCY1=1.35, PDY1=1.05, PDY2=-0.18, PDY3=-2.88, PEY1=-0.0075, PEY2=-0.0063, PEY3=-9.99, PEY4=-76.0, PKY1=-21.9,
        PKY2=2.0, PKY3=-0.0248, PHY1=0.00267, PHY2=0.0009, PHY3=0.0314, PVY1=0.0373, PVY2=-0.01, PVY3=-0.329, PVY4=-0.696,
        RBY1=7.14, RBY2=9.19, RBY3=-0.0279, RCY1=1.07, REY1=-0.276, REY2=0.328, RHY1=0.0057, RHY2=-0.0031, RVY1=-0.0278,
        RVY2=0.0536, RVY3=-0.276, RVY4=12.1, RVY5=1.9, RVY6=-10.7, PTY1=2.14, PTY2=1.98),
    "ROLLING_COEFFICIENTS": dict(QSY1=0.01),
    "ALIGNING_COEFFICIENTS": dict(
        QBZ1=10.9, QBZ2=-1.84, QBZ3=-0.52, QBZ4=0.39, QBZ5=0.415, QBZ9=8.98, QBZ10=0.1, QCZ1=1.21, QDZ1=0.0935,
        QDZ2=-0.0092, QDZ3=-0.57, QDZ4=0.74, QDZ6=-0.0068, QDZ7=0.0052, QDZ8=-0.182, QDZ9=0.03, QEZ1=-1.57, QEZ2=0.334,
        QEZ3=0.02, QEZ4=0.267, QEZ5=-3.59, QHZ1=0.0047, QHZ2=0.0027, QHZ3=0.12, QHZ4=0.059, SSZ1=0.0334, SSZ2=0.0044,
        SSZ3=0.567, SSZ4=-0.241),
}
P = {name: value for section in SECTIONS.values() for name, value in section.items()}
R0, FZ0 = 1e-3 * P["UNLOADED_RADIUS"], 1e3 * P["FNOMIN"] * P["LFZO"]


def sign(x):
    return math.copysign(1.0, x)


def magic(B, C, D, E, x):
    return D * math.sin(C * math.atan(B * x - E * (B * x - math.atan(B * x))))


def weight(B, C, E, x, shift):
    def cosine(y):
        return math.cos(C * math.atan(B * y - E * (B * y - math.atan(B * y))))
    return cosine(x + shift) / cosine(shift)


def forces(Fz, kappa, alpha, gamma):
    """(Fx, Fy, Mz) in N and N m; angles in rad; a positive slip angle makes a negative force."""
    p, cos, atan, tan = P, math.cos, math.atan, math.tan
    df = (Fz - FZ0) / FZ0
    gx, gy, gz = gamma * p["LGAX"], gamma * p["LGAY"], gamma * p["LGAZ"]
    # Longitudinal slip alone.
    SHx = (p["PHX1"] + p["PHX2"] * df) * p["LHX"]
    kx = kappa + SHx
    Cx = p["PCX1"] * p["LCX"]
    Dx = (p["PDX1"] + p["PDX2"] * df) * (1 - p["PDX3"] * gx**2) * p["LMUX"] * Fz
    Ex = (p["PEX1"] + p["PEX2"] * df + p["PEX3"] * df**2) * (1 - p["PEX4"] * sign(kx)) * p["LEX"]
    Kx = Fz * (p["PKX1"] + p["PKX2"] * df) * math.exp(p["PKX3"] * df) * p["LKX"]
    SVx = Fz * (p["PVX1"] + p["PVX2"] * df) * p["LVX"] * p["LMUX"]
    Fx0 = magic(Kx / (Cx * Dx), Cx, Dx, Ex, kx) + SVx
    # Side slip alone.
    SHy = (p["PHY1"] + p["PHY2"] * df) * p["LHY"] + p["PHY3"] * gy
    ay = alpha + SHy
    Cy = p["PCY1"] * p["LCY"]
    muy = (p["PDY1"] + p["PDY2"] * df) * (1 - p["PDY3"] * gy**2) * p["LMUY"]
    Dy = muy * Fz
    Ey = min((p["PEY1"] + p["PEY2"] * df) * (1 - (p["PEY3"] + p["PEY4"] * gy) * sign(ay)) * p["LEY"], 1.0)
    Ky = (p["PKY1"] * FZ0 * math.sin(2 * atan(Fz / (p["PKY2"] * FZ0))) * (1 - p["PKY3"] * abs(gy)) * p["LKY"])
    By = Ky / (Cy * Dy)
    SVy = Fz * ((p["PVY1"] + p["PVY2"] * df) * p["LVY"] + (p["PVY3"] + p["PVY4"] * df) * gy) * p["LMUY"]
    Fy0 = magic(By, Cy, Dy, Ey, ay) + SVy
    # Combined slip.
    Bxa = p["RBX1"] * cos(atan(p["RBX2"] * kappa)) * p["LXAL"]
    Fx = Fx0 * weight(Bxa, p["RCX1"], p["REX1"] + p["REX2"] * df, alpha, p["RHX1"])
    Byk = p["RBY1"] * cos(atan(p["RBY2"] * (alpha - p["RBY3"]))) * p["LYKA"]
    Gyk = weight(Byk, p["RCY1"], p["REY1"] + p["REY2"] * df, kappa, p["RHY1"] + p["RHY2"] * df)
    # The camber of S_Vykappa has no scaling factor.
    DVyk = muy * Fz * (p["RVY1"] + p["RVY2"] * df + p["RVY3"] * gamma) * cos(atan(p["RVY4"] * alpha))
    SVyk = DVyk * math.sin(p["RVY5"] * atan(p["RVY6"] * kappa)) * p["LVYKA"]
    Fy = Gyk * Fy0 + SVyk
    # Aligning moment.
    SHt = p["QHZ1"] + p["QHZ2"] * df + (p["QHZ3"] + p["QHZ4"] * df) * gz
    at = alpha + SHt
    Bt = ((p["QBZ1"] + p["QBZ2"] * df + p["QBZ3"] * df**2) * (1 + p["QBZ4"] * gz + p["QBZ5"] * abs(gz))
          * p["LKY"] / p["LMUY"])
    Ct = p["QCZ1"]
    Dt = Fz * (p["QDZ1"] + p["QDZ2"] * df) * (1 + p["QDZ3"] * gz + p["QDZ4"] * gz**2) * R0 / FZ0 * p["LTR"]
    Et = min((p["QEZ1"] + p["QEZ2"] * df + p["QEZ3"] * df**2)
             * (1 + (p["QEZ4"] + p["QEZ5"] * gz) * 2 / math.pi * atan(Bt * Ct * at)), 1.0)
    SHf = SHy + SVy / Ky
    ar = alpha + SHf
    Br = p["QBZ9"] * p["LKY"] / p["LMUY"] + p["QBZ10"] * By * Cy
    Dr = (Fz * ((p["QDZ6"] + p["QDZ7"] * df) * p["LRES"] + (p["QDZ8"] + p["QDZ9"] * df) * gz) * R0 * p["LMUY"])

    def equivalent(angle):
        return atan(math.sqrt(tan(angle)**2 + (Kx / Ky * kappa)**2)) * sign(angle)

    ateq, areq = equivalent(at), equivalent(ar)
    trail = Dt * cos(Ct * atan(Bt * ateq - Et * (Bt * ateq - atan(Bt * ateq)))) * cos(alpha)
    residual = Dr * cos(atan(Br * areq)) * cos(alpha)
    s = (p["SSZ1"] + p["SSZ2"] * Fy / FZ0 + (p["SSZ3"] + p["SSZ4"] * df) * gz) * R0 * p["LS"]
    return Fx, Fy, -trail * (Fy - SVyk) + residual + s * Fx


def tir():
    lines = ["$ A tyre property file of MF-Tyre 5.2, written by make_tyre_file.py", "[MDI_HEADER]", "FILE_TYPE = 'tir'",
             "FILE_VERSION = 3.0", "[UNITS]", "LENGTH = 'mm'", "FORCE = 'kN'   $ not the usual one", "ANGLE = 'radian'",
             "MASS = 'kg'", "TIME = 'second'", "[MODEL]", "PROPERTY_FILE_FORMAT = 'MF_05'", "FITTYP = 6   $ MF-Tyre 5.2",
             "TYRESIDE = 'LEFT'", "[SHAPE]", "{radial width}", " 1.0 0.0", " 0.9 1.0"]
    for section, values in SECTIONS.items():
        lines.append(f"[{section}]")
        lines += [f"{name:<24}= {value!r:<12} $ of the tyre" for name, value in values.items()]
    return "\n".join(lines) + "\n"


def table():
    out = io.StringIO()
    write = csv.writer(out, lineterminator="\n")
    write.writerow(["load[N]", "ratio[1]", "angle[rad]", "camber[rad]", "Fx[N]", "Fy[N]", "Mz[N m]"])
    for row in itertools.product((1500.0, 4000.0, 7000.0), (-0.3, -0.05, 0.0, 0.08), (-0.25, -0.02, 0.0, 0.06),
                                 (-0.08, 0.0, 0.05)):
        write.writerow([*row, *(f"{value:.12e}" for value in forces(*row))])
    return out.getvalue()


def alike(line, was):
    a, b = line.split(","), was.split(",")
    try:
        return len(a) == len(b) and all(math.isclose(float(x), float(y), rel_tol=1e-9, abs_tol=1e-9) for x, y in zip(a, b))
    except ValueError:
        return line == was


def main():
    files = {FOLDER / "tyre_52.tir": tir(), FOLDER / "tyre_52.csv": table()}
    if sys.argv[1:2] != ["--check"]:
        for path, text in files.items():
            path.write_text(text)
        return 0
    wrong = 0
    for path, text in files.items():
        new, old = text.splitlines(), path.read_text().splitlines()
        wrong += len(new) != len(old) or any(not alike(line, was) for line, was in zip(new, old))
    print(f"{wrong} of {len(files)} files differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
