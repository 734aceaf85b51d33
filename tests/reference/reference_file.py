"""Reference trajectories as CSV files: written by a generator, or compared with what the generator computes now.

A generator is a script make_*.py that calls `main` with its cases:

    make_x.py                     computes all cases to their end and writes NAME.csv beside the script
    make_x.py NAME ...            computes the named cases
    make_x.py --check             computes the beginning of each case and compares it with the file
    make_x.py --check --whole     compares the whole of each file

None of the generators shares code or formulation with rt: they integrate other coordinates with methods of SciPy.
"""
import argparse
import csv
import pathlib
import sys
import time
from dataclasses import dataclass, field
from typing import Callable, Sequence

import numpy as np

FOLDER = pathlib.Path(__file__).resolve().parent


@dataclass
class Case:
    """One file: when it has samples, how it is computed, and how near a comparison must come."""

    name: str
    columns: Sequence[str]  # as in the header, units included, without time
    times: np.ndarray  # s
    compute: Callable  # times -> array of len(times) rows and len(columns) columns
    checked_until: float  # s; the end of the short comparison
    tolerance: float  # of the short comparison, as a share of the largest size of a column
    tolerance_whole: float  # of the whole comparison; larger where the motion is chaotic
    number: str = "%.13g"
    sized_like: dict = field(default_factory=dict)  # a column that should be zero -> the column that gives its size


def samples(step, end, coarse_step=None, coarse_end=None):
    """Times every `step` up to `end`, then every `coarse_step` up to `coarse_end`; s."""
    times = np.arange(round(end / step) + 1) * step
    if coarse_step:
        first = round(end / coarse_step) + 1
        times = np.append(times, np.arange(first, round(coarse_end / coarse_step) + 1) * coarse_step)
    return times


def write(case):
    values = case.compute(case.times)
    lines = ["t[s]," + ",".join(case.columns)]
    lines += [",".join(case.number % v for v in row) for row in np.column_stack([case.times, values])]
    (FOLDER / f"{case.name}.csv").write_text("\n".join(lines) + "\n")


def worst_difference(case, whole):
    """Largest difference as a share of its column's largest size, and where it is."""
    with open(FOLDER / f"{case.name}.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    if rows[0] != ["t[s]", *case.columns]:
        raise SystemExit(f"{case.name}.csv: its header is {rows[0]}")
    table = np.array(rows[1:], float)
    if len(table) != len(case.times) or np.abs(table[:, 0] - case.times).max() > 1e-9:
        raise SystemExit(f"{case.name}.csv: its times are not those of the generator")
    size = np.abs(table[:, 1:]).max(axis=0)
    for zero, other in case.sized_like.items():
        size[case.columns.index(zero)] = size[case.columns.index(other)]
    size[size == 0] = 1
    count = len(case.times) if whole else np.searchsorted(case.times, case.checked_until + 1e-12)
    share = np.abs(case.compute(case.times[:count]) - table[:count, 1:]) / size
    row, column = np.unravel_index(np.nanargmax(share), share.shape)
    if np.isnan(share).any():
        raise SystemExit(f"{case.name}: the generator computed a number that is not finite")
    return share[row, column], f"{case.columns[column]} at {case.times[row]:g} s"


def check(case, whole):
    """True if the file is within its tolerance of what the generator computes; prints one line."""
    begin = time.process_time()
    worst, where = worst_difference(case, whole)
    bound = case.tolerance_whole if whole else case.tolerance
    verdict = "agrees" if worst <= bound else "DIFFERS"
    print(f"{case.name}.csv {verdict}: {worst:.1e} of the column's size, bound {bound:.0e}, {where}; "
          f"{time.process_time() - begin:.1f} s")
    return worst <= bound


def main(cases):
    parser = argparse.ArgumentParser(description="Writes or compares reference trajectories")
    parser.add_argument("names", nargs="*", help="default: all of this script")
    parser.add_argument("--check", action="store_true", help="compare the beginning of each file, and write nothing")
    parser.add_argument("--whole", action="store_true", help="with --check: compare to the end")
    options = parser.parse_args()
    chosen = [case for case in cases if not options.names or case.name in options.names]
    if options.check:
        agree = [check(case, options.whole) for case in chosen]
        sys.exit(0 if chosen and all(agree) else 1)
    for case in chosen:
        write(case)
        print(f"wrote {case.name}.csv")
