"""Who may include whom: the layers, drawn as arrows, and no way round in a circle."""

import re

from source_tree import Finding

SOURCES = (".h", ".cpp", ".hpp", ".cc", ".c")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
GENERATED = re.compile(r"\.pb\.h$")
WIRE = "proto"

# What each area may include besides itself. An area is the longest of these prefixes of a path.
ARROWS = {
    "rt": set(),
    "rt/math": {"rt"},
    "rt/model": {"rt", "rt/math"},
    "rt/state": {"rt", "rt/math", "rt/model"},
    "rt/mechanics": {"rt", "rt/math", "rt/model", "rt/state"},
    "rt/plan": {"rt", "rt/math", "rt/model"},
    "rt/ali3p": {"rt", "rt/math", "rt/model", "rt/state", "rt/mechanics", "rt/plan"},
    "rt/signals": {"rt", "rt/math", "rt/model", "rt/state", "rt/mechanics"},
    "rt/loop": {"rt", "rt/math", "rt/model", "rt/state", "rt/mechanics", "rt/plan", "rt/ali3p"},
    "rt/offline": {"rt", "rt/math", "rt/model", "rt/state", "rt/mechanics", "rt/ali3p"},
    "server": {"rt/*", WIRE, "server/model_io"},
    "server/model_io": {"rt/*", WIRE},
    # The one program holds the subcommands of both sides.
    "server/main.cpp": {"rt/*", WIRE, "server", "server/model_io", "clients/cli"},
    "clients": {WIRE},
    "clients/cli": {WIRE, "clients", "server/model_io", "rt/signals", "rt/model", "rt"},
    "clients/fmi": {WIRE, "clients", "server/model_io", "rt/*"},
    "tests": {"*"},
}

# What the real-time library must not know: wire, sockets, files, logging.
BARRED_FROM_RT = re.compile(
    r"^(google/|grpc|absl/|upb/|tactus/|asio|boost/|spdlog|fmt/|nlohmann|CLI/|sys/socket|netinet/|arpa/"
    r"|fstream$|filesystem$|iostream$|ostream$|istream$|print$|syslog)"
)
PRINTING = re.compile(r"\b(fopen|freopen|printf|fprintf|puts|fputs|perror|cout|cerr|clog)\b")


def includes_of(tree, path):
    """Tuples of line number, "<" or '"', and what is included."""
    for number, line in tree.lines(path):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1), match.group(2)


def area_of(path):
    """The area that a source belongs to, or None outside all of them."""
    candidates = [area for area in ARROWS if path == area or path.startswith(area + "/")]
    return max(candidates, key=len, default=None)


def allows(area, target):
    """Whether an arrow leads from one area to another."""
    arrows = ARROWS[area] | {area}
    return target in arrows or "*" in arrows or ("rt/*" in arrows and target.split("/")[0] == "rt")


def check_arrows(tree):
    """Findings on includes that go against the layers or that name nothing."""
    findings = []
    known = set(tree.paths)
    for path in tree.paths:
        if not path.endswith(SOURCES):
            continue
        area = area_of(path)
        if area is None:
            findings.append(Finding(path, 0, "a source outside every layer"))
            continue
        for number, quote, target in includes_of(tree, path):
            if area.split("/")[0] == "rt" and BARRED_FROM_RT.match(target):
                findings.append(Finding(path, number, f"rt must not see {target}"))
            elif GENERATED.search(target):
                if not allows(area, WIRE):
                    findings.append(Finding(path, number, f"{area} must not include {target}"))
            elif target in known:
                target_area = area_of(target)
                if target_area is None or not allows(area, target_area):
                    findings.append(Finding(path, number, f"{area} must not include {target}"))
            elif quote == '"':
                findings.append(Finding(path, number, f"no such file from the root: {target}"))
    return findings


def check_quiet_rt(tree):
    """Findings on files and streams in rt that need no include of their own kind."""
    findings = []
    for path in tree.under(["rt"], SOURCES):
        for number, line in tree.lines(path):
            if PRINTING.search(line.split("//")[0]):
                findings.append(Finding(path, number, "rt opens no file and prints nothing"))
    return findings


def check_cycles(tree):
    """A finding for each circle of includes."""
    known = set(tree.paths)
    edges = {
        path: [target for _, _, target in includes_of(tree, path) if target in known]
        for path in tree.paths
        if path.endswith(SOURCES)
    }
    findings, finished, trail = [], set(), []

    def visit(path):
        if path in trail:
            circle = trail[trail.index(path) :] + [path]
            findings.append(Finding(path, 0, "include cycle: " + " -> ".join(circle)))
            return
        if path in finished:
            return
        trail.append(path)
        for target in edges.get(path, []):
            visit(target)
        trail.pop()
        finished.add(path)

    for path in edges:
        visit(path)
    return findings
