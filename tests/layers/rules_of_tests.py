"""What the tests must look like: names of files and targets."""

import re

from source_tree import Finding

ADDED = re.compile(r"^\s*tactus_add_test\(\s*(\w+)")
CASE = re.compile(r"^\s*(TEST_CASE|SCENARIO|TEMPLATE_TEST_CASE)\s*\(")


def check_test_names(tree):
    """Findings on test files and test targets whose names do not follow from their folders.

    A file with tests is called x_test.cpp or x_test.py. An executable of tests/rt/loop is called test_rt_loop, or
    test_rt_loop_ and a word where the folder has several.
    """
    findings = []
    for path in tree.under(["tests"], [".cpp", ".py", "CMakeLists.txt"]):
        folder, _, name = path.rpartition("/")
        if name.startswith("test_") and name.endswith(".py"):
            findings.append(Finding(path, 0, f"must be called {name[5:-3]}_test.py"))
        for number, line in tree.lines(path) if not path.endswith(".py") else ():
            if path.endswith(".cpp") and not path.endswith("_test.cpp") and CASE.match(line):
                findings.append(Finding(path, number, "a file with test cases must be called x_test.cpp"))
            added = ADDED.match(line)
            expected = "test_" + "_".join(folder.split("/")[1:])
            if name == "CMakeLists.txt" and added and not re.fullmatch(rf"{expected}(_\w+)?", added[1]):
                findings.append(Finding(path, number, f"test target {added[1]} must be called {expected}"))
    return findings
