#!/usr/bin/python3
"""Whether the stored tables of a paper are what its experiments compute: drift_check.py PROGRAM PAPER

Runs `PROGRAM PAPER --brief`, which computes some rows of each table, and compares them with those stored under
rt/doc/experiments/data. Exit status 1 if a number differs, if a table is not stored, or if no row of one is repeated.
"""

import pathlib
import subprocess
import sys
import tempfile

from stored import DATA, StoredTable, differences


def main() -> int:
    program, paper = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, paper, "--brief", "--out", folder], check=True)
        found = {path.name: StoredTable(path) for path in sorted(pathlib.Path(folder).glob("*.csv"))}
    sentences = []
    for name, table in found.items():
        if not (DATA / name).exists():
            sentences.append(f"{name} is not stored in {DATA}")
        elif not table.rows:
            sentences.append(f"{name}: the brief run has no row")
        else:
            sentences += differences(StoredTable(DATA / name), table)
    stored = {path.name for path in DATA.glob(f"{paper}_*.csv")}
    sentences += [f"{name} is stored, and no experiment writes it" for name in sorted(stored - set(found))]
    for sentence in sentences:
        print(sentence, file=sys.stderr)
    print(f"{paper}: {len(found)} tables, {sum(len(table.rows) for table in found.values())} rows compared, "
          f"{len(sentences)} differences")
    return 1 if sentences else 0


if __name__ == "__main__":
    sys.exit(main())
