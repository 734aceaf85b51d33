"""Draws the steps of a run: python3 step_chart.py steps.csv steps.svg, from a table with the columns t and step, s."""

import sys

import matplotlib
import numpy as np

matplotlib.use("svg")
# Text stays text, and the same table gives the same picture.
matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "tactus"})
from matplotlib import pyplot


def main() -> None:
    table, picture = sys.argv[1:]
    rows = np.genfromtxt(table, delimiter=",", names=True)
    figure, axes = pyplot.subplots(figsize=(8, 3.25), layout="constrained")
    # A step is a level line over the time that it takes.
    edges = np.append(rows["t"][0] - rows["step"][0], rows["t"])
    axes.stairs(rows["step"], edges, baseline=None, color="#1f5fa8")
    axes.set_yscale("log")
    axes.set_xlim(0, rows["t"][-1])
    axes.set_xlabel("time, s")
    axes.set_ylabel("step, s")
    axes.grid(color="#ddd")
    figure.savefig(picture, metadata={"Date": None})


main()
