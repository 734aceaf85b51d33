"""What the tests must look like: names, reasons of tolerances, and a test for each source."""

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


# ---- tolerances ----

CHECK = re.compile(r"\b(CHECK|REQUIRE)(_FALSE|_THAT)?\s*\(")
NUMBER = r"[-+]?(?:\d+\.\d*(?:e[-+]?\d+)?|\d+e[-+]?\d+)"
# A comparison with a number that is no count, or an argument that loosens an equality.
BOUND = re.compile(
    rf"[<>]=?\s*{NUMBER}|\.(margin|epsilon)\(\s*{NUMBER}|\bWithin(Abs|Rel)\([^;]*{NUMBER}"
    rf"|\bis(Approx|Zero|Identity|Unitary|MuchSmallerThan)\([^;]*\b{NUMBER}|\b(abs|rel)={NUMBER}"
)
NAMED = re.compile(rf"\bconst(expr)? double \w*(olerance|argin|ound|imit)\w* = {NUMBER}")
LOOP = re.compile(r"\s*(for|if|while)\b")
REACH = 3  # lines above
COVERING = "Tolerances:"


def bare_tolerances(lines, comment):
    """Numbers of the lines of a test file with a numeric bound and no comment that could give its reason.

    The comment stands on the line, or within three lines above the unbroken run of checks to which the line belongs. A
    comment that begins with "Tolerances:" covers the rest of its function or, at the left margin, the rest of the file.
    """
    found, start, in_function, in_file = [], None, False, False
    for i, line in enumerate(lines):
        text, code = line.strip(), line.split(comment)[0]
        if text.startswith(f"{comment} {COVERING}"):
            in_function, in_file = True, in_file or line.startswith(comment)
        elif line.startswith(("}", "def ")):
            in_function = False
        check = CHECK.search(code)
        begins = check or (comment == "#" and text.startswith("assert "))
        if begins:
            start = i if start is None else start
        elif not text or text.startswith(comment) or code.rstrip().endswith(("{", "}")):
            start = None
        # Conditions of loops are no bounds; of a line that begins a check only the check counts.
        judged = code[check.start() :] if check else "" if LOOP.match(code) else code
        bound = (start is not None and BOUND.search(judged)) or NAMED.search(code)
        near = lines[max(0, (i if start is None else start) - REACH) : i + 1]
        if bound and not (in_function or in_file or any(comment in other for other in near)):
            found.append(i + 1)
    return found


# Catch's Approx accepts a relative difference of 1.2e-5 beside any margin: a tight margin alone bounds nothing.
LOOSE = re.compile(r"(?<!epsilon\(0\))\.margin\((\d[\w.-]*)\)")
TIGHT = 1e-4


def loose_margins(lines):
    """Numbers of the lines with a margin below 1e-4 whose Approx(value) has no epsilon and whose value is not zero."""
    found = []
    for i, line in enumerate(lines):
        match = LOOSE.search(line.split("//")[0])
        if match and float(match[1]) < TIGHT:
            before = (lines[i - 1] if i else "") + line[: match.start()]
            if "Approx" in before and not re.search(r"epsilon\([^)]*\)\s*$|Approx\(0(\.0)?\)\s*$", before):
                found.append(i + 1)
    return found


def check_tolerances(tree):
    """Findings on numeric bounds of tests without a reason, and on margins that a relative bound makes wider."""
    findings = []
    for path in tree.under(["tests"], ["_test.cpp", "_test.py", ".h"]):
        if path.startswith(("tests/layers/", "tests/bench/")):
            continue
        lines = tree.text(path).splitlines()
        for number in bare_tolerances(lines, "#" if path.endswith(".py") else "//"):
            findings.append(Finding(path, number, "a numeric bound needs its reason in a comment beside it"))
        if not path.endswith(".py"):
            for number in loose_margins(lines):
                findings.append(Finding(path, number, "Approx accepts a relative 1.2e-5 too: write .epsilon(0).margin(...)"))
    return findings


# ---- each source has its test ----

UNTESTED = "tests/layers/untested_sources.txt"  # sources that have no test yet, one a line; may only shrink
PRODUCT = ["rt", "server", "clients", "proto"]
COVERS = re.compile(r"^(?://|#) Covers: (.+)$")
HEAD = 25  # lines in which Covers stands
BODY = re.compile(
    r"^\s*(?!(if|for|while|switch|else|do|try|catch|namespace|return|class|struct|enum|union)\b).*\)"
    r"\s*(const)?\s*(noexcept(\(.*\))?)?\s*(->\s*[\w:<>&*, ]+)?\s*(:[^:].*)?\{\s*$"
)


def has_behavior(tree, path):
    """Whether a file holds code that a test could run: a source, or a header with a function of several lines."""
    if path.endswith((".cpp", ".c", ".py")):
        return True
    partner = path[: -len(".h")] + ".cpp"
    return partner not in tree.paths and any(BODY.match(line) for _, line in tree.lines(path))


def covered_by(tree):
    """Maps each path that a comment "Covers: path, path" in the head of a test names to that test and its line.

    A script that CTest runs by itself is named in the CMakeLists.txt that adds it.
    """
    covered = {}
    for path in tree.under(["tests"], [".cpp", ".py", "CMakeLists.txt"]):
        for number, line in tree.lines(path):
            if number > HEAD:
                break
            match = COVERS.match(line)
            for name in match[1].split(",") if match else ():
                if name.strip():
                    covered[name.strip()] = (path, number)
    return covered


def sources_without_test(tree):
    """Sources with behavior that have neither tests/<same path>_test nor a test that names them."""
    covered, known = covered_by(tree), set(tree.paths)
    missing = []
    for path in tree.under(PRODUCT, [".cpp", ".c", ".h", ".py"]):
        stem = "tests/" + path.rsplit(".", 1)[0]
        if path not in covered and not {stem + "_test.cpp", stem + "_test.py"} & known and has_behavior(tree, path):
            missing.append(path)
    return missing


def check_untested(tree):
    """Findings on sources that no test names and that UNTESTED does not list, and on entries of it that can go."""
    listed = {}
    for number, line in tree.lines(UNTESTED) if UNTESTED in tree.paths else ():
        path = line.split("#")[0].strip()
        if path:
            listed[path] = number
    missing = sources_without_test(tree)
    findings = []
    for path in missing:
        if path not in listed:
            rule = "needs a test of its own, or one whose head says \"Covers:\" and its path (tests/README.md)"
            findings.append(Finding(path, 0, rule))
    for path, number in listed.items():
        if path not in missing:
            findings.append(Finding(UNTESTED, number, f"{path} has a test or is gone: take it off this list"))
    return findings


def check_covers(tree):
    """Findings on comments "Covers:" that name a file that does not exist."""
    return [
        Finding(test, line, f"covers {name}, which does not exist")
        for name, (test, line) in covered_by(tree).items()
        if name not in tree.paths
    ]
