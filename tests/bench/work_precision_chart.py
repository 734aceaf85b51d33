#!/usr/bin/python3
"""Draws error against CPU time: work_precision_chart.py table.csv table.svg (work_precision --csv).

    work_precision_chart.py table.csv table.svg --check PROGRAM

compares instead: the picture with the table, and the errors in the table with those that PROGRAM computes. Times are not
compared.
"""

import csv
import io
import pathlib
import subprocess
import sys
import tempfile

import matplotlib

matplotlib.use("svg")
# Text stays text, and the same table gives the same picture.
matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "tactus"})
from matplotlib import pyplot  # noqa: E402

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "server" / "models" / "gallery"))
from picture_file import difference  # noqa: E402

COLORS = ["#9ecae1", "#4292c6", "#08519c", "#fd8d3c", "#a63603", "#74c476", "#006d2c"]


def rows(table):
    return list(csv.DictReader(pathlib.Path(table).read_text().splitlines()))


def picture(table):
    series: dict[str, list[tuple[float, float]]] = {}
    for row in rows(table):
        series.setdefault(row["method"], []).append((float(row["cpu_ms"]), float(row["error_m"])))
    figure, axes = pyplot.subplots(figsize=(8, 5.25), layout="constrained")
    axes.set_prop_cycle(color=COLORS)
    for name, points in series.items():
        axes.loglog(*zip(*points), marker="o", markersize=4, label=name)
    axes.set_xlabel("CPU time of a simulated second, ms")
    axes.set_ylabel("position error of the worst link, m")
    axes.grid(color="#ddd")
    axes.legend()
    text = io.StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None})
    return text.getvalue()


def drift(table, drawing, program):
    """Sentences on what differs."""
    found = []
    if reason := difference(pathlib.Path(drawing).read_text(), picture(table)):
        found.append(f"{drawing}: {reason}")
    with tempfile.TemporaryDirectory() as folder:
        new = f"{folder}/table.csv"
        subprocess.run([program, "--rounds", "1", "--csv", new], check=True, stdout=subprocess.DEVNULL)
        for old, now in zip(rows(table), rows(new), strict=True):
            # Bits may differ on another processor; these are errors of a discretization.
            if old["method"] != now["method"] or abs(float(old["error_m"]) / float(now["error_m"]) - 1) > 0.01:
                found.append(f"{table}: {old['method']} at {old['step_ms']} ms has {old['error_m']} m, now {now['error_m']}")
    return found


def main() -> int:
    table, drawing, *check = sys.argv[1:]
    if not check:
        pathlib.Path(drawing).write_text(picture(table))
        return 0
    found = drift(table, drawing, check[1])
    print("\n".join(found) or "no drift", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
