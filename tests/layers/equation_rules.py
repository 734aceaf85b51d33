"""Numbered equations: each one is cited where it is computed, each citation leads to an equation, and the table of equations and
functions names the sources that cite them."""

import re

from source_tree import Finding

# The word that cites an equation, and the page that displays it.
DOCUMENTS = {"ali3p": "rt/doc/ali3p.md", "analysis": "rt/doc/analysis.md"}
# A displayed line that ends in its number.
DISPLAYED = re.compile(r"^ {4}\S.*\s\((\d+)\)$")
CITED = r"\b{} ((?:\(\d+\)(?:, )?)+)"
SOURCES = (".h", ".cpp")
# The page with the table of equations and functions: rows that begin with equations of the first document and end with sources.
TABLE = "rt/README.md"
RANGE = re.compile(r"\((\d+)\)(?: to \((\d+)\))?")


def equations_of(tree, document):
    """Pairs of line and number of the displayed equations of a document, in its order."""
    found = []
    for line_number, line in tree.lines(document):
        match = DISPLAYED.match(line)
        if match:
            found.append((line_number, int(match[1])))
    return found


def citations_of(tree, word):
    """Tuples of path, line and number of every citation with this word in the sources of rt."""
    found = []
    cited = re.compile(CITED.format(word))
    for path in tree.under(["rt"], SOURCES):
        for line_number, line in tree.lines(path):
            for match in cited.finditer(line):
                found += [(path, line_number, int(number)) for number in re.findall(r"\d+", match[1])]
    return found


def check_equations(tree):
    """Findings on equations out of order, equations that no source cites, and citations of nothing."""
    findings = []
    for word, document in DOCUMENTS.items():
        if document in tree.paths:
            findings += check_document(tree, word, document)
    if TABLE in tree.paths:
        findings += check_table(tree)
    return findings


def check_table(tree):
    """Findings on rows of the table whose sources do not cite the equations of the row, and on equations without a row."""
    findings, named = [], set()
    word = next(iter(DOCUMENTS))
    cited = {}
    for path, _, number in citations_of(tree, word):
        cited.setdefault(number, set()).add(path)
    for line_number, line in tree.lines(TABLE):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if not line.startswith("| (") or not RANGE.match(cells[0]):
            continue
        sources = {f"rt/{name}" for name in re.findall(r"`([a-z0-9_/]+\.(?:h|cpp))`", cells[-1])}
        for first, last in RANGE.findall(cells[0]):
            for number in range(int(first), int(last or first) + 1):
                named.add(number)
                if not sources & cited.get(number, set()):
                    findings.append(Finding(TABLE, line_number, f"no source of this row cites equation ({number})"))
    if named:
        for line_number, number in equations_of(tree, DOCUMENTS[word]):
            if number not in named:
                findings.append(Finding(DOCUMENTS[word], line_number, f"no row of {TABLE} has equation ({number})"))
    return findings


def check_document(tree, word, document):
    """The same for one document."""
    findings, equations, citations = [], equations_of(tree, document), citations_of(tree, word)
    for expected, (line, number) in enumerate(equations, start=1):
        if number != expected:
            findings.append(Finding(document, line, f"equation ({number}) should be ({expected})"))
    numbers = {number for _, number in equations}
    cited = {number for _, _, number in citations}
    for line, number in equations:
        if number not in cited:
            findings.append(Finding(document, line, f"no source cites equation ({number})"))
    for path, line, number in citations:
        if number not in numbers:
            findings.append(Finding(path, line, f"{document} has no equation ({number})"))
    return findings
