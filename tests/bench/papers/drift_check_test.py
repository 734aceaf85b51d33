#!/usr/bin/python3
"""The comparison of stored tables finds a planted difference and leaves times and round-off alone."""
# Covers: tests/bench/papers/drift_check.py
import pathlib
import tempfile
import unittest

from stored import StoredTable, differences

HEAD = "# paper_experiments rn table, 2026-11-23\n# keys 1, {kind}, tolerance 0.01\nmethod,error,norm,cpu_s\n"


def table(text, kind="figures"):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "rn_table.csv")
        path.write_text(HEAD.format(kind=kind) + text)
        return StoredTable(path)


class Differences(unittest.TestCase):
    def found(self, new, kind="figures"):
        return differences(table("a,1e-3,1e-15,5\nb,2,0.5,5\n", kind), table(new, kind))

    def test_a_part_of_the_rows_is_enough(self):
        self.assertEqual(self.found("b,2,0.5,5\n"), [])

    def test_times_and_round_off_are_not_compared(self):
        self.assertEqual(self.found("a,1.001e-3,9e-13,80\n"), [])

    def test_a_changed_number_is_named(self):
        self.assertEqual(len(self.found("a,1.1e-3,1e-15,5\n")), 1)
        self.assertIn("error is 1e-3", self.found("a,1.1e-3,1e-15,5\n")[0])

    def test_a_text_in_place_of_a_number_is_named(self):
        self.assertEqual(len(self.found("b,fails,0.5,5\n")), 1)

    def test_an_unknown_row_is_named(self):
        self.assertIn("no stored row is c", self.found("c,2,0.5,5\n")[0])

    def test_a_curve_is_compared_on_the_scale_of_its_column(self):
        self.assertEqual(self.found("a,1.1e-3,1e-15,5\n", "curve"), [])
        self.assertEqual(len(self.found("b,2.1,0.5,5\n", "curve")), 1)


if __name__ == "__main__":
    unittest.main()
