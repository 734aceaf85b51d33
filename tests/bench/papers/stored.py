"""The stored tables of the papers' experiments, rt/doc/experiments/data/PAPER_TABLE.csv, and tables like them."""

import csv
import pathlib
import re

FOLDER = pathlib.Path(__file__).resolve().parents[3] / "rt" / "doc" / "experiments"
DATA = FOLDER / "data"
COMPARISON = re.compile(r"# keys (\d+), (figures|curve), tolerance (\S+)")
TIME = re.compile(r"^(cpu|wall)_|^cpu$")
ROUND_OFF = 1e-10  # below it a number is what round-off left


class StoredTable:
    """The columns of a file, with what its first lines say about it."""

    def __init__(self, path):
        lines = path.read_text().splitlines()
        self.name = path.stem
        self.remarks = [line[2:] for line in lines if line.startswith("# ")]
        keys, kind, tolerance = next(m.groups() for m in map(COMPARISON.match, lines) if m)
        self.keys, self.is_curve, self.tolerance = int(keys), kind == "curve", float(tolerance)
        rows = list(csv.reader(line for line in lines if not line.startswith("#")))
        self.columns, self.rows = rows[0], rows[1:]

    def column(self, name, **where):
        """The values of a column, as numbers where they all are, in the rows where other columns have given texts."""
        places = {self.columns.index(key): text for key, text in where.items()}
        values = [row[self.columns.index(name)] for row in self.rows
                  if all(row[place] == text for place, text in places.items())]
        return [float(value) if value else float("nan") for value in values]

    def texts(self, name):
        """The different texts of a column in the order of the file."""
        return list(dict.fromkeys(row[self.columns.index(name)] for row in self.rows))


def number(text):
    try:
        return float(text)
    except ValueError:
        return None


def differences(stored, found):
    """What a new table has that the stored one does not, as sentences; times are not compared."""
    if stored.columns != found.columns:
        return [f"{stored.name}: its columns are {stored.columns}, now {found.columns}"]
    known = {tuple(row[: stored.keys]): row for row in stored.rows}
    largest = [max((abs(number(row[i]) or 0) for row in stored.rows), default=0) for i in range(len(stored.columns))]
    sentences = []
    for row in found.rows:
        key = tuple(row[: stored.keys])
        if key not in known:
            sentences.append(f"{stored.name}: no stored row is {', '.join(key)}")
            continue
        for i in range(stored.keys, len(row)):
            if TIME.match(stored.columns[i]):
                continue
            old, new = number(known[key][i]), number(row[i])
            if old is None or new is None:
                alike = known[key][i] == row[i]
            else:
                scale = largest[i] if stored.is_curve else max(abs(old), abs(new))
                alike = abs(old - new) <= stored.tolerance * scale or max(abs(old), abs(new)) < ROUND_OFF
            if not alike:
                sentences.append(f"{stored.name}, row {', '.join(key)}: {stored.columns[i]} is {known[key][i]} in the "
                                 f"stored table, now {row[i]}")
    return sentences
