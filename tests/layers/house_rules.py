"""What a checkout must look like, beyond what a compiler sees."""

import re

from source_tree import Finding

TOP_LEVEL = {"server", "proto", "clients", "rt", "tests", "docker", "CMakeLists.txt", "README.md"}
LINE_LIMIT = 400
SOURCES = (".h", ".cpp", ".hpp", ".cc", ".c", ".py", ".js", ".mjs", ".ts")

BUILD_FILES = re.compile(r"(^|/)(CMakeLists\.txt|Dockerfile|run)$|\.(cmake|sh|yml|yaml|h|cpp|json)$")
# Whatever lets the compiler reorder or contract, switched on; "-fno-fast-math" switches it off.
LOOSE_MATH = re.compile(r"(?<!no-)fast-math|-Ofast|-funsafe-math|-fassociative-math|-ffp-contract=(?!off)")

# Kernels whose products and sums are fused on purpose; their results are the same on every machine all the same.
FUSED = {"rt/ali3p/CMakeLists.txt", "rt/mechanics/CMakeLists.txt"}
FUSE = "-ffp-contract=fast"

PACKAGE_LIST = "docker/packages.txt"
INSTALLER = "docker/install_packages.sh"
SCRIPTS = re.compile(r"(^|/)(CMakeLists\.txt|Dockerfile|run)$|\.(cmake|sh|yml|yaml)$")
INSTALLING = re.compile(r"\b(apt|apt-get|aptitude)\b[^#\n]*\binstall\b|\bdpkg (-i|--install)\b")


def check_top_level(tree):
    """Findings on top-level entries that were not agreed on."""
    found = {path.split("/")[0] for path in tree.paths}
    return [
        Finding(entry, 0, "not one of the agreed top-level entries")
        for entry in sorted(found - TOP_LEVEL)
        if not entry.startswith(".")
    ]


def check_readmes(tree):
    """Findings on top-level folders without a page on themselves."""
    folders = {path.split("/")[0] for path in tree.paths if "/" in path and not path.startswith(".")}
    return [
        Finding(folder, 0, "has no README.md")
        for folder in sorted(folders)
        if f"{folder}/README.md" not in tree.paths
    ]


def check_lengths(tree):
    """Findings on sources past the limit, where a second idea hides."""
    findings = []
    for path in tree.under(["rt", "server", "clients"], SOURCES):
        count = len(tree.text(path).splitlines())
        if count > LINE_LIMIT:
            findings.append(Finding(path, 0, f"{count} lines, the limit is {LINE_LIMIT}"))
    return findings


def check_strict_math(tree):
    """Findings on compiler options that would change the bits of a result."""
    findings = []
    for path in tree.paths:
        if BUILD_FILES.search(path) and not path.startswith("tests/layers/"):
            for number, line in tree.lines(path):
                if path in FUSED:
                    line = line.replace(FUSE, "")
                if LOOSE_MATH.search(line):
                    findings.append(Finding(path, number, f"loosens floating point: {line.strip()}"))
    return findings


def check_package_list(tree):
    """Findings on packages that are installed past the one list."""
    findings = []
    if PACKAGE_LIST not in tree.paths:
        findings.append(Finding(PACKAGE_LIST, 0, "the one list of packages is not there"))
    for path in tree.paths:
        if path == INSTALLER or not SCRIPTS.search(path):
            continue
        for number, line in tree.lines(path):
            if INSTALLING.search(line):
                findings.append(Finding(path, number, f"installs past {PACKAGE_LIST}: {line.strip()}"))
    return findings
