"""How the pictures of the papers' pages look: panels, curves, legends."""

import matplotlib

matplotlib.use("svg")
# Text stays text, and the same table gives the same picture.
matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "tactus", "font.size": 8, "lines.linewidth": 0.9,
                            "axes.grid": True, "grid.color": "#ddd", "legend.fontsize": 7, "path.simplify": True})
from matplotlib import pyplot  # noqa: E402

from stored import DATA, StoredTable  # noqa: E402

COLORS = ["#1f5fa8", "#d95f02", "#1b9e77", "#7570b3", "#e7298a", "#66a61e", "#a6761d"]


def stored(name):
    return StoredTable(DATA / f"{name}.csv")


def panels(rows, columns, height):
    figure, axes = pyplot.subplots(rows, columns, figsize=(9, height), layout="constrained", squeeze=False)
    for one in axes.flat:
        one.set_prop_cycle(color=COLORS)
    return figure, axes.flat


def curves(axes, table, x, ys, label="{y}", **where):
    for y in ys:
        axes.plot(table.column(x, **where), table.column(y, **where), label=label.format(y=y, **where))


def violations(axes, table, solver, label):
    for level in ("position", "velocity", "acceleration"):
        axes.semilogy(table.column("t_s", solver=solver),
                      [value or float("nan") for value in table.column(f"{level}_violation", solver=solver)],
                      label=label.format(level=level, solver=solver))


def named(axes, title, x, y, legend=True):
    axes.set_title(title, fontsize=8)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    if legend:
        axes.legend()
