#!/usr/bin/env python3
"""Plots the force curves of a tyre: tactus model tyre sedan tyre_fl | tyre_curves.py curves.png"""

import argparse
import csv
import sys

import plotting


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("plot", metavar="FILE", help="picture to write, .png or .svg")
    options = parser.parse_args()

    plt = plotting.pyplot()
    rows = [{name: float(value) for name, value in row.items()} for row in csv.DictReader(sys.stdin)]
    if not rows:
        sys.exit("tyre_curves: the input is empty; pipe the output of `tactus model tyre MODEL TYRE` into this program")
    panels = [
        ("longitudinal", "longitudinal force (kN)", 1e-3, "slip ratio"),
        ("lateral", "lateral force (kN)", 1e-3, "tangent of the slip angle"),
        ("aligning", "aligning moment (N m)", 1.0, "tangent of the slip angle"),
    ]
    figure, axes = plt.subplots(2, 2, figsize=(9, 7), layout="constrained")
    for load in sorted({row["load"] for row in rows}):
        of_load = [row for row in rows if row["load"] == load]
        for (name, label, factor, slip), place in zip(panels, axes.flat):
            place.plot([r["slip"] for r in of_load], [factor * r[name] for r in of_load], label=f"{load:g} N")
            place.set_xlabel(slip)
            place.set_ylabel(label)
        axes.flat[3].plot(
            [1e-3 * r["combined_lateral"] for r in of_load], [1e-3 * r["combined_longitudinal"] for r in of_load]
        )
    axes.flat[3].set_xlabel("lateral (kN)")
    axes.flat[3].set_ylabel("longitudinal (kN), at equal ratio and tangent")
    for place in axes.flat:
        place.grid(alpha=0.3)
    axes.flat[0].legend()
    figure.savefig(options.plot, dpi=80)


if __name__ == "__main__":
    main()
