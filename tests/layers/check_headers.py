#!/usr/bin/python3
"""Compiles each header of rt, server and clients alone: a header includes what it uses.

    check_headers.py BUILD [ROOT]

BUILD is a configured build tree whose generated headers exist; its compile_commands.json gives the options. A header compiles
behind headers that it includes itself, or through others: those hide nothing that it lacks, and one run of the compiler
serves them all. Headers of other projects that many headers include (Eigen, gRPC, the generated messages) are parsed
once, into a precompiled header that only the headers which include such a file themselves, or through others, may use.
Prints each header that does not compile; exit status 1 if there is one.
"""

import argparse
import concurrent.futures
import json
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from include_rules import includes_of
from source_tree import SourceTree

# Sets of headers, the larger one first: what makes a header need the set, and what the set holds.
SETS = {
    "wire": (("grpc", "tactus/v1/"), ["Eigen/Core", "grpcpp/grpcpp.h", "tactus/v1/simulation.grpc.pb.h"]),
    "numeric": (("Eigen/",), ["Eigen/Core"]),
}
KEPT = ("-D", "-I", "-isystem", "-march", "-std", "-f", "-pthread")


def options_of(build):
    """Compiler and options for each top-level folder: those of its source that has most include folders."""
    found = {}
    root = None
    for entry in json.loads((build / "compile_commands.json").read_text()):
        if entry["file"].endswith(".c"):
            continue
        words = shlex.split(entry["command"])
        compiler = next(word for word in words if "++" in Path(word).name)
        options, take = [], False
        for word in words[words.index(compiler) + 1 :]:
            if take or word.startswith(KEPT):
                options.append(word)
            take = word in ("-isystem", "-I", "-D")
        for folder in ("rt", "server", "clients"):
            if f"/{folder}/" in entry["file"]:
                best = found.get(folder)
                if best is None or options.count("-isystem") > best[1].count("-isystem"):
                    found[folder] = (compiler, options)
        root = root or entry["directory"]
    return found, root


def foreign_includes(tree):
    """For each source, everything that is not of the project and that it includes, itself or through others."""
    known, memo = set(tree.paths), {}

    def visit(path):
        if path not in memo:
            memo[path] = set()
            for _, _, target in includes_of(tree, path):
                memo[path] |= visit(target) if target in known else {target}
        return memo[path]

    return visit


def set_of(foreign):
    """The set of precompiled headers that a header with these includes may use, or None."""
    for name, (marks, _) in SETS.items():
        if any(target.startswith(marks) for target in foreign):
            return name
    return None


def below(tree):
    """For each source, the sources of the project that it includes outside conditions, itself or through others."""
    known, memo = set(tree.paths), {}

    def visit(path):
        if path not in memo:
            memo[path] = set()
            lines = tree.text(path).splitlines()
            condition = next((number for number, text in enumerate(lines, 1) if text.startswith("#if")), len(lines) + 1)
            for line, _, target in includes_of(tree, path):
                if line < condition and target in known:
                    memo[path] |= {target} | visit(target)
        return memo[path]

    return visit


def chains(below_of, headers):
    """Lists of headers, as few as possible, with each header in one list and behind headers of `below_of` alone.

    Each pair of neighbors of a list is a pair of a largest matching, which augmenting paths find. `below_of` is
    transitive, so everything in front of a header is below it.
    """
    before = {}

    def match(path, tried):
        for other in below_of[path]:
            if other not in tried:
                tried.add(other)
                if other not in behind or match(behind[other], tried):
                    behind[other], before[path] = path, other
                    return True
        return False

    behind = {}
    for path in headers:
        match(path, set())
    found = []
    for path in headers:
        if path not in before:
            found.append([path])
            while found[-1][-1] in behind:
                found[-1].append(behind[found[-1][-1]])
    return found


class Checker:
    """Compiles headers in a scratch folder."""

    def __init__(self, tree, build, scratch):
        self.tree = tree
        self.options, self.directory = options_of(build)
        self.scratch = Path(scratch)
        self.foreign = foreign_includes(tree)

    def precompile(self, folder, name):
        """Makes a set for one folder's options; nothing if the set cannot be made (a build without gRPC)."""
        compiler, options = self.options[folder]
        header = self.scratch / f"{folder}_{name}.h"
        header.write_text("".join(f"#include <{target}>\n" for target in SETS[name][1]))
        command = [compiler, *options, "-x", "c++-header", str(header), "-o", f"{header}.gch"]
        subprocess.run(command, cwd=self.directory, capture_output=True, check=False)

    def compile(self, chain):
        """What the compiler says against a chain of headers, or "" if it compiles."""
        folder, name = chain[0].split("/")[0], set_of(self.foreign(chain[0]))
        compiler, options = self.options[folder]
        command = [compiler, *options, "-w", "-fsyntax-only"]
        if name and (self.scratch / f"{folder}_{name}.h.gch").exists():
            command += ["-include", str(self.scratch / f"{folder}_{name}.h")]
        text = "".join(f'#include "{self.tree.root / path}"\n' for path in chain)
        command += ["-x", "c++", "-"]
        done = subprocess.run(command, cwd=self.directory, input=text, capture_output=True, text=True, check=False)
        return "" if done.returncode == 0 else done.stderr

    def complaints(self, chain):
        """Pairs of a header of this chain that does not compile alone, and what the compiler says."""
        text = self.compile(chain)
        alone = [(path, self.compile([path])) for path in chain] if text and len(chain) > 1 else [(chain[0], text)]
        # Together they do not compile, each alone does: the last one is named.
        return [pair for pair in alone if pair[1]] or ([(chain[-1], text)] if text else [])


def main():
    parser = argparse.ArgumentParser(description="Compiles each header alone")
    parser.add_argument("build", type=Path)
    parser.add_argument("root", nargs="?", type=Path, default=Path(__file__).resolve().parents[2])
    arguments = parser.parse_args()

    tree = SourceTree(arguments.root)
    headers = [p for p in tree.under(["rt", "server", "clients"], (".h",)) if not p.startswith("clients/udp/")]
    with tempfile.TemporaryDirectory() as scratch:
        checker = Checker(tree, arguments.build.resolve(), scratch)
        headers = [path for path in headers if path.split("/")[0] in checker.options]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            sets = {path: (path.split("/")[0], set_of(checker.foreign(path))) for path in headers}
            list(pool.map(lambda pair: checker.precompile(*pair), {pair for pair in sets.values() if pair[1]}))
            below_of = below(tree)
            alike = {path: sorted(o for o in below_of(path) if sets.get(o) == sets[path]) for path in headers}
            found = chains(alike, headers)
            bad = [pair for pairs in pool.map(checker.complaints, found) for pair in pairs]
    for path, text in bad:
        print(f"{path}: does not compile alone; include what it uses\n{text}")
    print(f"{len(headers)} headers in {len(found)} chains, {len(bad)} findings")
    sys.exit(1 if bad or not headers else 0)


if __name__ == "__main__":
    main()
