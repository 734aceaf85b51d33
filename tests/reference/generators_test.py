#!/usr/bin/env python3
"""Each CSV file of this folder is named by a generator, and a drifted file is found."""
import contextlib
import io
import pathlib
import tempfile
import unittest

import numpy as np

import reference_file

FOLDER = pathlib.Path(__file__).resolve().parent


class Generators(unittest.TestCase):
    def test_every_csv_file_is_named_by_a_generator(self):
        scripts = "".join(path.read_text() for path in FOLDER.glob("make_*.py"))
        unnamed = [path.name for path in sorted(FOLDER.glob("*.csv"))
                   if f"\"{path.stem}\"" not in scripts and f"\"{path.name}\"" not in scripts]
        # chain_8.csv and its sisters are named by their number of links.
        self.assertEqual([name for name in unnamed if not name.startswith("chain_")], [])

    def test_every_generator_says_what_it_makes(self):
        for path in FOLDER.glob("make_*.py"):
            self.assertIn(".csv", path.read_text().split('"""')[1], path.name)


class Drift(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(setattr, reference_file, "FOLDER", reference_file.FOLDER)
        reference_file.FOLDER = pathlib.Path(folder.name)
        times = reference_file.samples(0.1, 1)
        self.case = reference_file.Case("sine", ["x[m]"], times, lambda t: np.sin(t)[:, None], 0.5, 1e-9, 1e-9)
        reference_file.write(self.case)

    def agrees(self, whole):
        with contextlib.redirect_stdout(io.StringIO()):
            return reference_file.check(self.case, whole)

    def plant(self, line):
        path = reference_file.FOLDER / "sine.csv"
        lines = path.read_text().splitlines()
        time, value = lines[line].split(",")
        lines[line] = f"{time},{float(value) + 1e-6!r}"
        path.write_text("\n".join(lines) + "\n")

    def test_a_file_agrees_with_its_generator(self):
        self.assertTrue(self.agrees(whole=False))
        self.assertTrue(self.agrees(whole=True))

    def test_a_changed_number_is_found(self):
        self.plant(3)
        self.assertFalse(self.agrees(whole=False))

    def test_the_short_comparison_ends_where_the_case_says(self):
        self.plant(9)
        self.assertTrue(self.agrees(whole=False))
        self.assertFalse(self.agrees(whole=True))


if __name__ == "__main__":
    unittest.main()
