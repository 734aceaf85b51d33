"""Which source may include which: the layers, drawn as arrows, without a cycle of files or of folders."""

import re

from source_tree import Finding

SOURCES = (".h", ".cpp", ".hpp", ".cc", ".c")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
GENERATED = re.compile(r"\.pb\.h$")
WIRE = "proto"
TEXT = "proto/text"

MECHANICS = {"rt", "rt/math", "rt/model", "rt/state", "rt/mechanics"}
# The files of rt/ali3p that the solvers use. The solvers use no other file of that folder, and not each other, but for the
# solver of forests, whose bodies and loads are those of the tree; the step and the choice of a solver, the other files
# of the folder, use all solvers.
BELOW_SOLVERS = {
    f"rt/ali3p/{name}.{ending}"
    for name in ("inertia_gain", "level", "region_order", "settings", "solver", "step_end", "stiffness_limit",
                 "stiffness_limit_lanes", "team", "trapezoidal_rule")
    for ending in ("h", "cpp")
}
SOLVER = MECHANICS | {"rt/plan"} | BELOW_SOLVERS
SCHOOL = MECHANICS | {"rt/offline/core", "rt/offline/schools.h"}

# What each area may include besides itself. An area is the longest of these prefixes of a path.
ARROWS = {
    "rt": set(),
    "rt/math": {"rt"},
    "rt/model": {"rt", "rt/math"},
    "rt/state": {"rt", "rt/math", "rt/model"},
    "rt/mechanics": {"rt", "rt/math", "rt/model", "rt/state"},
    "rt/plan": {"rt", "rt/math", "rt/model"},
    **dict.fromkeys(BELOW_SOLVERS, SOLVER),
    "rt/ali3p/chain": SOLVER,
    "rt/ali3p/forest": SOLVER | {"rt/ali3p/tree"},
    "rt/ali3p/tree": SOLVER,
    "rt/ali3p": SOLVER | {"rt/ali3p/chain", "rt/ali3p/forest", "rt/ali3p/tree"},
    "rt/signals": {"rt", "rt/math", "rt/model", "rt/state", "rt/mechanics"},
    "rt/loop": SOLVER | {"rt/ali3p"},
    # Schools of integration stand beside each other on one core; only the list of schools names them all.
    "rt/offline/core": MECHANICS,
    "rt/offline/schools.h": {"rt/offline/core"},
    "rt/offline": MECHANICS | {"rt/offline/core", "rt/offline/schools.h"},
    # Analyses of one state: they integrate nothing.
    "rt/offline/analysis": MECHANICS | {"rt/offline/core"},
    "rt/offline/real_time": SCHOOL | SOLVER | {"rt/ali3p"},
    **{f"rt/offline/{name}": SCHOOL for name in ("literal", "minimal", "multistep", "newmark", "rosenbrock", "sundials")},
    # Text that people read and write on both sides of the wire: durations, tables, reports.
    TEXT: {WIRE},
    # The files beside the folders: configuration and build information.
    "server": {"rt/*"},
    "server/model_io": {"rt/*", WIRE},
    "server/models": {"rt/*", "server/model_io"},
    # Formats of other tools become descriptions and messages of models.
    "server/import": {"rt/*", WIRE, TEXT, "server/model_io"},
    "server/doctor": {"rt/*"},
    "server/wire": {"rt/*", WIRE},
    "server/door": {"rt/*", WIRE, TEXT, "server", "server/wire"},
    # A session makes a new model from its message and changed parameters; model_io lies below all of them.
    "server/session": {"rt/*", WIRE, "server", "server/door", "server/model_io", "server/wire"},
    "server/stream": {"rt/*", WIRE, "server/door", "server/session", "server/wire"},
    "server/record": {"rt/*", WIRE, "server", "server/door", "server/model_io", "server/session", "server/wire"},
    "server/link": {"rt/*", WIRE, "server", "server/door", "server/session", "server/stream", "server/wire"},
    "server/service": {
        "rt/*", WIRE, "server", "server/door", "server/doctor", "server/link", "server/model_io", "server/models",
        "server/record", "server/session", "server/stream", "server/wire",
    },
    "server/batch": {"rt/*", TEXT, "server/doctor"},
    "server/report": {"rt/*", TEXT, "server/batch", "server/doctor"},
    "server/cli": {
        "rt/*", WIRE, TEXT, "server", "server/batch", "server/door", "server/doctor", "server/import", "server/model_io", "server/models",
        "server/record", "server/report", "server/service", "server/session", "server/wire",
    },
    # The one program holds the subcommands of both sides.
    "server/main.cpp": {TEXT, "server", "server/cli", "clients/cli", "clients/fmi", "clients/fmi/session"},
    "clients": {WIRE, TEXT},
    # Remote subcommands see the wire only.
    "clients/cli": {WIRE, TEXT, "clients"},
    # The tick in the process of its user; of the reader of models only what a finding is.
    "clients/engine": {"rt/*", "server/model_io"},
    # The tick in the process of Python: model files, analyses and the real-time library, not the wire.
    "clients/python/native": {"rt/*", WIRE, "clients/engine", "server/batch", "server/model_io", "server/models", "server"},
    # A unit of FMI holds the real-time library and nothing of messages; the tools around it read models.
    "clients/fmi/unit": {"rt/*", "clients/engine", "clients/fmi/format"},
    "clients/fmi/format": {"rt/*", "clients/engine"},
    # Reads and loads units of others; knows nothing of ours.
    "clients/fmi/importer": {"rt/*"},
    # Units of others as controllers of a session in this process. The server sees a function that starts them.
    "clients/fmi/session": {"rt/*", "server/session", "server/wire", "clients/fmi/importer"},
    "clients/fmi": {
        "rt/*", WIRE, TEXT, "clients/engine", "clients/fmi/format", "clients/fmi/importer", "clients/fmi/unit", "server/model_io", "server/models",
    },
    "tests": {"*"},
}

# Layers in which each folder is an area.
ARROWS_BY_FOLDER = {"rt", "server"}

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
    area = max(candidates, key=len, default=None)
    # The files of a layer of folders belong to it, but a folder needs arrows of its own.
    return None if area in ARROWS_BY_FOLDER and path.count("/") > 1 else area


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
            findings.append(Finding(path, 0, "a source outside every layer: declare its folder in ARROWS"))
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


def include_graph(tree):
    """The sources of the tree that each source includes."""
    known = set(tree.paths)
    return {
        path: [target for _, _, target in includes_of(tree, path) if target in known]
        for path in tree.paths
        if path.endswith(SOURCES)
    }


def cycles_of(edges):
    """Every cycle that a walk along the edges meets, as a list that begins and ends with the same node."""
    cycles, finished, trail = [], set(), []

    def visit(node):
        if node in trail:
            cycles.append(trail[trail.index(node) :] + [node])
            return
        if node in finished:
            return
        trail.append(node)
        for target in edges.get(node, []):
            visit(target)
        trail.pop()
        finished.add(node)

    for node in edges:
        visit(node)
    return cycles


def check_cycles(tree):
    """A finding for each cycle of includes."""
    return [Finding(cycle[0], 0, "include cycle: " + " -> ".join(cycle)) for cycle in cycles_of(include_graph(tree))]


def check_folder_cycles(tree):
    """A finding for each cycle of folders, whether the arrows allow it or not. Tests may look wherever they like."""
    folders = {}
    for path, targets in include_graph(tree).items():
        source = area_of(path)
        if source is None or source == "tests":
            continue
        areas = {area_of(target) for target in targets} - {None, source}
        folders.setdefault(source, set()).update(areas)
    cycles = cycles_of({folder: sorted(targets) for folder, targets in sorted(folders.items())})
    return [Finding(cycle[0], 0, "cycle of folders: " + " -> ".join(cycle)) for cycle in cycles]


MODEL = "rt/model/model.h"
# The kernels of trees and forests, which take long to compile and need no Model: a change of it must not compile them again.
WITHOUT_MODEL = [
    "rt/ali3p/forest/ends.cpp", "rt/ali3p/forest/sweep_down.cpp", "rt/ali3p/forest/sweep_up.cpp",
    "rt/ali3p/tree/freedom_front.h", "rt/ali3p/tree/freedoms.cpp", "rt/ali3p/tree/freedoms_solve.cpp",
    "rt/ali3p/tree/freedoms_unsymmetric.cpp", "rt/ali3p/tree/front.h", "rt/ali3p/tree/lone_freedoms.cpp",
    "rt/ali3p/tree/solve.cpp", "rt/ali3p/tree/workspace.h", "rt/mechanics/primitives/primitives.h",
]


def check_without_model(tree):
    """No file of WITHOUT_MODEL includes model.h, directly or through another header."""
    graph, findings = include_graph(tree), []
    for start in WITHOUT_MODEL:
        ways = {start: start}
        pending = [start]
        while pending:
            file = pending.pop()
            for included in graph.get(file, ()):
                if included not in ways:
                    ways[included] = f"{ways[file]} -> {included}"
                    pending.append(included)
        if MODEL in ways:
            text = f"reads the Model, which it does not need: {ways[MODEL]}; move what needs it to a header of its own"
            findings.append(Finding(start, 0, text))
    return findings
