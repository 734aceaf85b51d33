#!/usr/bin/python3
"""A timed check is repeated, passes by its best attempt, fails by a bound that no attempt meets, and can be skipped."""
# Covers: tests/timed/timed_check.py, tests/timed/requirements.py
import contextlib
import io
import json
import pathlib
import tempfile
import unittest

import timed_check
from requirements import REQUIREMENTS, Requirement, Skipped, worst_ratio

HERE = pathlib.Path(__file__).resolve().parent


class Checks(unittest.TestCase):
    def check(self, values, bound=10, at_least=False):
        """(status, number of attempts, stored result) of a requirement that measures these values in turn."""
        left = list(values)

        def measure(build):
            if left[0] is None:
                raise Skipped("nothing to measure with")
            return left.pop(0)

        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as text:
            status = timed_check.check(pathlib.Path(folder), Requirement("r", "a time", bound, "ms", measure, at_least))
            path = pathlib.Path(folder, "timed", "r.json")
            return status, len(values) - len(left), json.loads(path.read_text()) if path.exists() else text.getvalue()

    def test_a_time_within_its_bound_passes_at_once(self):
        status, attempts, result = self.check([9, 99, 99])
        self.assertEqual((status, attempts, result["value"]), (0, 1, 9))

    def test_a_disturbed_attempt_is_repeated(self):
        status, attempts, result = self.check([99, 9.5, 99])
        self.assertEqual((status, attempts, result["value"]), (0, 2, 9.5))

    def test_three_attempts_beyond_the_bound_fail_with_the_best(self):
        status, attempts, result = self.check([30, 12, 20])
        self.assertEqual((status, attempts, result["value"], result["passed"]), (1, 3, 12, False))

    def test_a_minimum_is_a_minimum(self):
        self.assertEqual(self.check([1.2, 1.6], 1.5, True)[:2], (0, 2))
        self.assertEqual(self.check([1.2, 1.1, 1.4], 1.5, True)[0], 1)

    def test_what_the_machine_lacks_is_skipped(self):
        status, _, text = self.check([None])
        self.assertEqual(status, 0)
        self.assertIn("SKIPPED: nothing", text)


class Names(unittest.TestCase):
    def test_the_list_of_the_build_is_that_of_the_requirements(self):
        text = (HERE / "CMakeLists.txt").read_text()
        for requirement in REQUIREMENTS:
            self.assertRegex(text, rf"\b{requirement.name}\b")

    def test_each_series_is_compared_with_the_fastest_bare_one_of_its_kind(self):
        found = {"tcp: bare, sync, 1 kHz": 10, "tcp: bare, callback, 1 kHz": 8, "tcp: Tick, stub, 1 kHz": 12,
                 "unix: bare, sync, 1 kHz": 20, "unix: Tick, stub, 1 kHz": 22}
        self.assertAlmostEqual(worst_ratio(found), 1.5)
        self.assertAlmostEqual(worst_ratio({"bare echo, back to back": 10, "link, puck.json, back to back": 11}), 1.1)


if __name__ == "__main__":
    unittest.main()
