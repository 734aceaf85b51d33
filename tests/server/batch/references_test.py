#!/usr/bin/python3
"""What two references of `validate` share is what their sources include: references_test.py SOURCE_FOLDER"""
# The page server/doc/accuracy.md says so in a table.

import pathlib
import re
import sys
import unittest

SOURCE = pathlib.Path(sys.argv.pop(1))
CORE = "rt/offline/core/"
# Types and texts without an algorithm.
PLAIN = {"dynamic_system", "motion_point", "option", "stepper", "trajectory", "method", "input_signal"}
STEPPERS = {
    "mcs-qr": "rt/offline/minimal/minimal_stepper",
    "rn4": "rt/offline/rosenbrock/rosenbrock_nystrom",
    "projected": "rt/offline/projected/projected_stepper",
    "lms2": "rt/offline/multistep/first_order_steppers",
    "esdirk43-6l": "rt/offline/multistep/first_order_steppers",
}


def parts_of(stem):
    """Every source that a pair of header and source includes, on any way, without endings."""
    seen, left = set(), [stem]
    while left:
        part = left.pop()
        if part in seen:
            continue
        seen.add(part)
        for ending in (".h", ".cpp"):
            path = SOURCE / (part + ending)
            if path.exists():
                left += [name[:-2] for name in re.findall(r'^#include "([^"]+\.h)"', path.read_text(), re.MULTILINE)]
    return seen


def core_of(stem):
    return {part.removeprefix(CORE) for part in parts_of(stem) if part.startswith(CORE)} - PLAIN


class References(unittest.TestCase):
    def setUp(self):
        page = (SOURCE / "server/doc/accuracy.md").read_text()
        self.rows = re.findall(r"^\| `([\w-]+)`, `([\w-]+)` \| ([^|:]*):", page, re.MULTILINE)

    def test_the_table_names_what_the_sources_share(self):
        self.assertEqual(len(self.rows), 8)
        for one, other, shared in self.rows:
            with self.subTest(pair=(one, other)):
                named = set(re.findall(r"`(\w+)`", shared))
                self.assertEqual(named, core_of(STEPPERS[one]) & core_of(STEPPERS[other]))

    def test_a_reference_sees_the_mechanics_by_the_equations_of_motion_alone(self):
        for stem in STEPPERS.values():
            self.assertEqual({part for part in parts_of(stem) if part.startswith("rt/mechanics")}, set())

    def test_the_tick_includes_nothing_of_the_references(self):
        for path in (SOURCE / "rt/ali3p").rglob("*.cpp"):
            self.assertNotIn("rt/offline", path.read_text(), path)

    def test_the_literal_algorithm_has_mechanics_of_its_own(self):
        # It asks the force elements whether a model has any, to refuse it.
        folder = SOURCE / "rt/offline/literal"
        for stem, used in (("literal_body", []), ("literal_chain", []), ("literal_chain_model", ["force_elements"])):
            text = "".join(path.read_text() for path in sorted(folder.glob(f"{stem}.*")))
            self.assertIn("namespace", text)
            self.assertEqual(re.findall(r'^#include "rt/mechanics/(\S+)\.h"', text, re.MULTILINE), used)
        declared = (SOURCE / "rt/mechanics/force_elements.h").read_text()
        functions = set(re.findall(r"^(?:[\w:<>]+) (\w+)\(", declared, re.MULTILINE))
        self.assertIn("evaluateElements", functions)
        self.assertEqual({name for name in functions if re.search(rf"\b{name}\(", text)}, {"hasForceElements"})


if __name__ == "__main__":
    unittest.main()
