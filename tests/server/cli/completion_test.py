"""The script of `tactus completion bash`, run by bash. Usage: completion_test.py PROGRAM"""
# Covers: server/cli/completion.cpp

import re
import subprocess
import sys
import unittest

PROGRAM = sys.argv.pop(1)


def tactus(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=120)


class Completion(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.script = tactus("completion", "bash").stdout

    def words(self, line):
        """What bash offers behind a command line; its last word is the one to complete."""
        typed = line.split(" ")
        run = f'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tactus; printf "%s\\n" "${{COMPREPLY[@]}}"'
        shell = subprocess.run(["bash", "-c", f"{self.script}\n{run}", "bash", *typed], capture_output=True, text=True,
                               timeout=60)
        self.assertEqual(shell.stderr, "")
        return shell.stdout.split()

    def test_every_subcommand_of_the_help_is_offered(self):
        listed = re.findall(r"^  (\w+)  ", tactus("--help").stdout.split("Subcommands:")[1], re.MULTILINE)
        self.assertGreater(len(listed), 15)
        offered = self.words("tactus ")
        for name in listed:
            self.assertIn(name, offered)
        self.assertEqual(self.words("tactus mode"), ["model", "models"])

    def test_every_option_of_a_subcommand_is_offered(self):
        for command in (["serve"], ["run"], ["model", "print"], ["session", "create"], ["link", "open"], ["signals"]):
            listed = re.findall(r"^ +(?:-\w,)?(--[\w-]+)", tactus(*command, "--help").stdout, re.MULTILINE)
            self.assertGreater(len(listed), 2)
            self.assertLessEqual(set(listed), set(self.words(f"tactus {' '.join(command)} --")), command)

    def test_an_option_that_the_help_does_not_list_is_not_offered(self):
        listed = set(re.findall(r"--[\w-]+", tactus("view", "--help").stdout))
        self.assertIn("--token-file", listed)
        self.assertLessEqual({word for word in self.words("tactus view --") if word.startswith("--")}, listed)

    def test_another_name_of_a_subcommand_is_completed_as_its_own(self):
        self.assertIn("modes", self.words("tactus analyze "))
        for line in ("", "modes --", "linearize --in"):
            self.assertEqual(self.words(f"tactus analyze {line}"), self.words(f"tactus analyse {line}"))

    def test_models_and_methods_are_offered_where_they_belong(self):
        self.assertIn("sedan", self.words("tactus run sed"))
        self.assertIn("sedan", self.words("tactus model print --text sed"))
        self.assertEqual(self.words("tactus timing sed"), [])
        self.assertEqual(self.words("tactus run sedan --integrator rn"), ["rn4"])
        self.assertEqual(self.words("tactus serve --clock lock"), ["lockstep"])

    def test_another_shell_is_a_usage_error(self):
        self.assertEqual(tactus("completion", "fish").returncode, 2)


if __name__ == "__main__":
    unittest.main()
