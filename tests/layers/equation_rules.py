"""Numbered equations: each one is cited where it is computed, and each citation leads to an equation."""

import re

from source_tree import Finding

DOCUMENT = "rt/doc/ali3p.md"
# A displayed line that ends in its number.
DISPLAYED = re.compile(r"^ {4}\S.*\s\((\d+)\)$")
CITED = re.compile(r"\bali3p ((?:\(\d+\)(?:, )?)+)")
SOURCES = (".h", ".cpp")


def equations_of(tree):
    """Pairs of line and number of the displayed equations of the document, in its order."""
    found = []
    for line_number, line in tree.lines(DOCUMENT):
        match = DISPLAYED.match(line)
        if match:
            found.append((line_number, int(match[1])))
    return found


def citations_of(tree):
    """Tuples of path, line and number of every citation in the sources of rt."""
    found = []
    for path in tree.under(["rt"], SOURCES):
        for line_number, line in tree.lines(path):
            for match in CITED.finditer(line):
                found += [(path, line_number, int(number)) for number in re.findall(r"\d+", match[1])]
    return found


def check_equations(tree):
    """Findings on equations out of order, equations that no source cites, and citations of nothing."""
    if DOCUMENT not in tree.paths:
        return []
    findings, equations, citations = [], equations_of(tree), citations_of(tree)
    for expected, (line, number) in enumerate(equations, start=1):
        if number != expected:
            findings.append(Finding(DOCUMENT, line, f"equation ({number}) should be ({expected})"))
    numbers = {number for _, number in equations}
    cited = {number for _, _, number in citations}
    for line, number in equations:
        if number not in cited:
            findings.append(Finding(DOCUMENT, line, f"no source cites equation ({number})"))
    for path, line, number in citations:
        if number not in numbers:
            findings.append(Finding(path, line, f"{DOCUMENT} has no equation ({number})"))
    return findings
