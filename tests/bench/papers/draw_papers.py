#!/usr/bin/python3
"""Draws the figures of the papers' pages from their stored tables, and writes the tables into the pages.

    draw_papers.py            writes rt/doc/experiments/*.svg and the tables between the markers of the pages
    draw_papers.py --check    compares them and changes nothing

A marker is a line `<!-- TABLE: columns -->`, with columns from the stored table `data/TABLE.csv`; everything up to the
line `<!-- end -->` is replaced. `COLUMN=TEXT` takes the rows in which a column has this text and leaves the column out.
"""

import io
import re
import sys

import mse_pictures
from plotting import COLORS, curves, named, panels, pyplot, stored, violations
from stored import FOLDER

sys.path.append(str(FOLDER.parents[2] / "server" / "models" / "gallery"))
from picture_file import difference  # noqa: E402

MARKER = re.compile(r"(<!-- (\w[\w.\-]*): (.*?) -->\n).*?(<!-- end -->)", re.S)


def dca3_double_pendulum():
    table = stored("dca3_figures_4_5")
    figure, axes = panels(2, 2, 5)
    curves(axes[0], table, "t_s", ["x_m", "y_m", "z_m"], solver="literal 1e6")
    named(axes[0], "figure 4: center of body A, as printed, penalty 1e6", "time, s", "m")
    curves(axes[1], table, "t_s", ["force_x_N", "force_y_N", "force_z_N"], solver="literal 1e6")
    named(axes[1], "figure 4: force at joint 1", "time, s", "N")
    for solver in ("literal 1e6", "tick"):
        violations(axes[2], table, solver, "{level}, {solver}")
    named(axes[2], "figure 5: violations", "time, s", "m and its rates")
    for solver in table.texts("solver"):
        curves(axes[3], table, "t_s", ["energy_J"], "{solver}", solver=solver)
    named(axes[3], "figure 5: energy", "time, s", "J")
    return figure


def dca3_four_bar():
    table = stored("dca3_figures_6_7")
    figure, axes = panels(2, 3, 5)
    for one, (title, ys) in zip(axes, [("position of A", ["x_m", "y_m"]), ("velocity", ["vx_m_per_s", "vy_m_per_s"]),
                                       ("acceleration", ["ax_m_per_s2", "ay_m_per_s2"]),
                                       ("force at joint 1", ["force_x_N", "force_y_N"])]):
        curves(one, table, "t_s", ys, solver="tick 1e6")
        one.set_xlim(0, 10)
        named(one, f"figure 6: {title}", "time, s", "SI")
    violations(axes[4], table, "tick 1e6", "{level}")
    named(axes[4], "figure 7: violations, penalty 1e6", "time, s", "m and its rates")
    for solver in table.texts("solver"):
        curves(axes[5], table, "t_s", ["energy_J"], "{solver}", solver=solver)
    named(axes[5], "figure 7: energy", "time, s", "J")
    return figure


def dca3_chain():
    table, shots = stored("dca3_figures_10_11"), stored("dca3_figure9")
    figure, axes = panels(2, 3, 5)
    for t in shots.texts("t_s"):
        axes[0].plot(shots.column("x_m", t_s=t), shots.column("y_m", t_s=t), color="#1f5fa8")
    axes[0].set_aspect("equal")
    named(axes[0], "figure 9: the chain each second", "x, m", "y, m", legend=False)
    solver = "literal 1e9"
    curves(axes[1], table, "t_s", ["x_m", "y_m"], solver=solver)
    named(axes[1], "figure 10: free end", "time, s", "m")
    curves(axes[2], table, "t_s", ["vx_m_per_s", "vy_m_per_s"], solver=solver)
    named(axes[2], "figure 10: its velocity", "time, s", "m/s")
    curves(axes[3], table, "t_s", ["force_x_N", "force_y_N"], solver=solver)
    named(axes[3], "figure 10: force at joint 1", "time, s", "N")
    curves(axes[4], table, "t_s", ["kinetic_J"], solver=solver)
    named(axes[4], "figure 10: kinetic energy", "time, s", "J")
    for one in table.texts("solver"):
        curves(axes[5], table, "t_s", ["energy_J"], "{solver}", solver=one)
    named(axes[5], "figure 11: total energy", "time, s", "J")
    return figure


def dca3_cost():
    table = stored("dca3_figure12a")
    figure, axes = panels(1, 2, 3)
    for column, label in (("wall_tick_us", "tick"), ("wall_literal_us", "as printed, one tangent a step"),
                          ("wall_literal_full_newton_us", "as printed, a tangent an iteration")):
        axes[0].loglog(table.column("bodies"), table.column(column), marker="o", markersize=3, label=label)
    named(axes[0], "figure 12a: a step of one thread", "bodies", "µs")
    for level in ("newton", "velocity", "acceleration"):
        axes[1].semilogx(table.column("bodies"), table.column(f"wall_literal_{level}_percent"), marker="o", markersize=3,
                         label=f"{level}, as printed")
        axes[1].semilogx(table.column("bodies"), table.column(f"{level}_percent"), linestyle="--", label=f"{level}, tick")
    named(axes[1], "its phases", "bodies", "%")
    return figure


def tan_pendulum():
    table = stored("tan_figure10")
    figure, axes = panels(2, 4, 4.5)
    for i, torque in enumerate(table.texts("torque_N_m")):
        curves(axes[i], table, "t_s", ["angle_rad", "angle_tangent_rad"], torque_N_m=torque)
        named(axes[i], f"figures 8, 9: {torque} N m", "time, s", "rad", legend=i == 0)
        curves(axes[4 + i], table, "t_s", ["force_x_N", "force_x_tangent_N"], torque_N_m=torque)
        named(axes[4 + i], f"figure 10: {torque} N m", "time, s", "N", legend=i == 0)
    return figure


def tan_double_pendulum():
    classic, fox = stored("tan_figure16"), stored("tan_figures_17_to_22")
    figure, axes = panels(2, 3, 5)
    curves(axes[0], classic, "t_s", ["angle_rad", "angle_damped_rad"])
    named(axes[0], "figure 15: newmark-classic, 1e-3 s", "time, s", "rad")
    for axis in "xy":
        axes[1].semilogy(classic.column("t_s"), [abs(v) for v in classic.column(f"force_{axis}_N")], label=f"{axis}, figure")
        axes[1].semilogy(classic.column("t_s"), [abs(v) for v in classic.column(f"force_{axis}_damped_N")],
                         label=f"{axis}, (0.75, 0.390625)")
    named(axes[1], "figure 16: size of the force at joint 1", "time, s", "N")
    for begin in fox.texts("begin"):
        curves(axes[2], fox, "t_s", ["angle_rad"], "{begin}", begin=begin)
    curves(axes[2], fox, "t_s", ["angle_exact_rad"], "exact", begin="accelerated")
    named(axes[2], "figure 17: Fox-Goodwin, 5e-4 s", "time, s", "rad")
    for level in ("position", "velocity", "acceleration"):
        axes[3].semilogy(fox.column("t_s", begin="accelerated"),
                         [max(v, 1e-18) for v in fox.column(f"{level}_violation", begin="accelerated")], label=level)
    named(axes[3], "figures 18 to 20: violations", "time, s", "SI")
    axes[4].plot(fox.column("t_s", begin="accelerated")[1:], fox.column("omega_rad_per_s", begin="accelerated")[1:])
    named(axes[4], "figure 21: highest frequency", "time, s", "rad/s", legend=False)
    axes[5].remove()
    return figure


def tan_squeezer():
    table = stored("tan_figures_24_to_27")
    figure, axes = panels(1, 4, 2.6)
    for one, (step, title) in zip(axes, (("2e-05", "figure 24: fine"), ("0.0005", "figure 26: 5e-4 s"),
                                         ("0.0006", "figure 27: 6e-4 s"))):
        curves(one, table, "t_s", ["F_x_m", "F_y_m"], step_s=step)
        named(one, title, "time, s", "m")
    axes[3].plot(table.column("t_s", step_s="2e-05")[1:], table.column("omega_rad_per_s", step_s="2e-05")[1:])
    named(axes[3], "figure 25: highest frequency", "time, s", "rad/s", legend=False)
    return figure


def mcs_coordinates():
    crank, pendulum, top = stored("mcs_figures_3_to_6"), stored("mcs_figures_7_to_10"), stored("mcs_figures_12_to_14")
    figure, axes = panels(3, 4, 7.5)
    both = (("qr continued", "-"), ("qr anew", ":"))

    def compare(one, table, ys, title, unit):
        for color, y in zip(COLORS, ys):
            for basis, style in both:
                one.plot(table.column("t_s", basis=basis), table.column(y, basis=basis), style, color=color,
                         label=f"{y}, {basis[3:]}" if len(ys) < 3 else None)
        named(one, title, "time, s", unit, legend=len(ys) < 3)

    compare(axes[0], crank, ["x_m"], "figure 3: slider", "m")
    compare(axes[1], crank, ["angle_rad"], "figure 4: crank", "rad")
    compare(axes[2], crank, ["q1"], "figure 5", "m or rad")
    compare(axes[3], crank, ["rate_q1"], "figure 6", "SI")
    curves(axes[4], pendulum, "x_m", ["y_m"], basis="qr continued")
    named(axes[4], "figure 7: path of the mass", "x, m", "y, m", legend=False)
    compare(axes[5], pendulum, ["q1", "q2"], "figure 8", "m")
    compare(axes[6], pendulum, ["rate_q1", "rate_q2"], "figure 9", "m/s")
    for basis, style in both:
        for color, axis in zip(COLORS, "xyz"):
            axes[7].plot(pendulum.column("t_s", basis=basis), pendulum.column(f"Q2_1{axis}", basis=basis), style, color=color,
                         label=f"{axis}, {basis[3:]}")
    named(axes[7], "figure 10: first column of Q2", "time, s", "1")
    curves(axes[8], top, "x_m", ["y_m"], basis="qr continued")
    named(axes[8], "figure 12: path of the center", "x, m", "y, m", legend=False)
    compare(axes[9], top, [f"q{k}" for k in range(1, 6)], "figure 13 (anew: dotted)", "m or rad")
    compare(axes[10], top, [f"rate_q{k}" for k in range(1, 6)], "figure 14 (anew: dotted)", "SI")
    axes[11].remove()
    return figure


def rn_vehicle():
    pendulum, vehicle = stored("rn_figure2"), stored("rn_figure5")
    figure, axes = panels(1, 3, 2.8)
    curves(axes[0], pendulum, "t_s", ["theta_1_rad"])
    named(axes[0], "figure 2: angle", "time, s", "rad", legend=False)
    curves(axes[1], pendulum, "t_s", ["rate_1_rad_per_s"])
    named(axes[1], "figure 2: rate", "time, s", "rad/s", legend=False)
    curves(axes[2], vehicle, "t_s", ["chassis_z_m"])
    named(axes[2], "figure 5: chassis (left) and step (right)", "time, s", "m", legend=False)
    times = vehicle.column("t_s")
    steps = axes[2].twinx()
    steps.stairs(vehicle.column("step_s"), [times[0] - vehicle.column("step_s")[0], *times], baseline=None, color="#d95f02",
                 linewidth=0.8)
    steps.set_yscale("log")
    steps.grid(False)
    steps.set_ylabel("step, s")
    return figure


PICTURES = (dca3_double_pendulum, dca3_four_bar, dca3_chain, dca3_cost, *mse_pictures.PICTURES, tan_pendulum, tan_double_pendulum, tan_squeezer, mcs_coordinates, rn_vehicle)


def picture(draw):
    figure = draw()
    text = io.StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None})
    pyplot.close(figure)
    # A tenth of a pixel is enough, and keeps the files small.
    return re.sub(r"-?\d+\.\d{2,}", lambda m: f"{float(m[0]):.1f}", text.getvalue())


def page_table(name, wanted):
    """A stored table, or some of its columns and rows, as Markdown."""
    table = stored(name)
    conditions = dict(word.split("=", 1) for word in re.findall(r"\w+=\"?[^\",]*\"?", wanted))
    conditions = {key: value.strip('" ') for key, value in conditions.items()}
    columns = [word.strip() for word in wanted.split(",") if word.strip() and "=" not in word]
    places = [table.columns.index(column) for column in columns]
    rows = [row for row in table.rows
            if all(row[table.columns.index(key)] == value for key, value in conditions.items())]
    short = [[shortened(row[place]) for place in places] for row in rows]
    lines = ["| " + " | ".join(column.replace("_", " ") for column in columns) + " |", "|" + "---|" * len(columns)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in short]) + "\n"


def shortened(text):
    """Three digits of a number; texts and whole numbers stay."""
    try:
        value = float(text)
    except ValueError:
        return text
    if re.fullmatch(r"-?\d+|\d+e-?\d+", text):
        return text
    return f"{value:.3g}"


def main() -> int:
    check = sys.argv[1:] == ["--check"]
    drifted = []
    for draw in PICTURES:
        path, text = FOLDER / f"{draw.__name__}.svg", picture(draw)
        if not check:
            path.write_text(text)
        elif not path.exists() or (reason := difference(path.read_text(), text)):
            drifted.append(f"{path.name}: {'does not exist' if not path.exists() else reason}")
    for path in sorted(FOLDER.glob("*.md")):
        old = path.read_text()
        new = MARKER.sub(lambda m: m[1] + page_table(m[2], m[3]) + m[4], old)
        if new != old and check:
            drifted.append(f"{path.name}: a table is not that of the stored file")
        elif not check:
            path.write_text(new)
    for line in drifted:
        print(f"{line}; run {sys.argv[0]} and look at it", file=sys.stderr)
    return 1 if drifted else 0


if __name__ == "__main__":
    sys.exit(main())
