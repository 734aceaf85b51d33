#!/usr/bin/python3
"""Each CSV file of this folder is named by a generator, and a drifted file is found."""
import contextlib
import hashlib
import io
import pathlib
import tempfile
import unittest

import numpy as np

import reference_file

FOLDER = pathlib.Path(__file__).resolve().parent
# Values of an independent code that is not part of the project (README.md), and SHA-256 of each file.
WITHOUT_GENERATOR = {
    "beam_element_cases.csv": "aedb6d0de0f191023274ad1832cd136f16b388f650bd52731664d503c4453280",
    "flexible_four_bar.csv": "9d64fc235d330a327b40319c685969a77aa0078ff0d14ac177b06cc35fc5d1a5",
    "flexible_four_bar_damped.csv": "81e6882f132ad03661042867fa34a95434301d5ca4936030c5b582ad54bfcb3e",
    "flexible_four_bar_mbdyn.csv": "2119ffe84d444bed33d471a458dbd78b91b5b047ddb4e97fdc450432cba94ccc",
    "lateral_buckling.csv": "83b569294cf5ff0eaef6f652912b50af8594949b8368b8f94961314dc8b7d2a1",
    "rotating_beam.csv": "e5817b2cbef8dcb0c9c7b401227d3fe29f7d99bc84dfbaaba7cc9fa4afc4ffde",
    "rotating_shaft.csv": "33fd51b82fe0c9709196bdfe282e45b5e7aa3591e05bc03898ba47808941957a",
}


class Generators(unittest.TestCase):
    def test_every_csv_file_is_named_by_a_generator(self):
        scripts = "".join(path.read_text() for path in FOLDER.glob("make_*.py"))
        unnamed = [path.name for path in sorted(FOLDER.glob("*.csv"))
                   if f"\"{path.stem}\"" not in scripts and f"\"{path.name}\"" not in scripts]
        # chain_8.csv and its sisters are named by their number of links.
        unnamed = [name for name in unnamed if not name.startswith("chain_")]
        self.assertEqual(unnamed, sorted(WITHOUT_GENERATOR))

    def test_a_file_without_generator_is_what_it_was_and_the_page_says_that_it_has_none(self):
        page = [line for line in (FOLDER / "README.md").read_text().splitlines() if "no generator here" in line]
        for name, digest in WITHOUT_GENERATOR.items():
            self.assertEqual(hashlib.sha256((FOLDER / name).read_bytes()).hexdigest(), digest, name)
            self.assertTrue(any(f"`{name}`" in line for line in page), name)

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
