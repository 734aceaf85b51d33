#!/usr/bin/python3
"""Compiles each header of rt, server and clients alone: a header includes what it uses.

    check_headers.py BUILD [ROOT]

BUILD is a configured build tree whose generated headers exist; its compile_commands.json gives the options. A header that
another one includes before anything else is compiled with that one: nothing stands before it there. Headers of
other projects that many headers include (Eigen, gRPC, the generated messages) are parsed once, into a precompiled
header that only the headers which include such a file themselves, or through others, may use.
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


def first_includes(tree, headers, set_of_header):
    """The headers that another header includes first, outside conditions and with the same precompiled headers."""
    first = set()
    for path in headers:
        line, _, target = next(includes_of(tree, path), (0, "", ""))
        alike = target in set_of_header and set_of_header[target] == set_of_header[path]
        if alike and not any(text.startswith("#if") for _, text in zip(range(line - 1), tree.text(path).splitlines())):
            first.add(target)
    return first


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

    def compile(self, path):
        """What the compiler says against a header, or "" if the header compiles alone."""
        compiler, options = self.options[path.split("/")[0]]
        command = [compiler, *options, "-w", "-fsyntax-only"]
        name = set_of(self.foreign(path))
        header = self.scratch / f"{path.split('/')[0]}_{name}.h"
        if name and Path(f"{header}.gch").exists():
            command += ["-include", str(header)]
        command += ["-x", "c++", str(self.tree.root / path)]
        done = subprocess.run(command, cwd=self.directory, capture_output=True, text=True, check=False)
        return "" if done.returncode == 0 else done.stderr


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
            covered = first_includes(tree, headers, sets)
            compiled = [path for path in headers if path not in covered]
            complaints = list(pool.map(checker.compile, compiled))
    bad = [(path, text) for path, text in zip(compiled, complaints) if text]
    for path, text in bad:
        print(f"{path}: does not compile alone; include what it uses\n{text}")
    print(f"{len(headers)} headers, {len(covered)} of them with others, {len(bad)} findings")
    sys.exit(1 if bad or not headers else 0)


if __name__ == "__main__":
    main()
