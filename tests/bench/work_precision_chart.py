"""Draws error against CPU time: python3 work_precision_chart.py table.csv table.svg (work_precision --csv)."""

import csv
import sys

import matplotlib

matplotlib.use("svg")
# Text stays text, and the same table gives the same picture.
matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "tactus"})
from matplotlib import pyplot

COLORS = ["#9ecae1", "#4292c6", "#08519c", "#fd8d3c", "#a63603"]


def main() -> None:
    table, picture = sys.argv[1:]
    series: dict[str, list[tuple[float, float]]] = {}
    with open(table, encoding="utf-8") as file:
        for row in csv.DictReader(file):
            series.setdefault(row["method"], []).append((float(row["cpu_ms"]), float(row["error_m"])))
    figure, axes = pyplot.subplots(figsize=(8, 5.25), layout="constrained")
    axes.set_prop_cycle(color=COLORS)
    for name, points in series.items():
        axes.loglog(*zip(*points), marker="o", markersize=4, label=name)
    axes.set_xlabel("CPU time of a simulated second, ms")
    axes.set_ylabel("position error of the worst link, m")
    axes.grid(color="#ddd")
    axes.legend()
    figure.savefig(picture, metadata={"Date": None})


main()
