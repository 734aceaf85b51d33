#!/usr/bin/python3
"""Reads from the built files which protections they have. Prints each that is missing; exit status 1 if there is one.

    check_hardening.py PROGRAM [--library FILE ...] [--commands compile_commands.json]

A program and a library load at a random address, resolve their symbols at the start and write-protect them, have no stack that
is code, and check their stack. The program also checks buffers of the C library and containers. With --commands, each source of
proto, server and clients is compiled with these checks.
"""
import argparse
import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FLAGS = ("-fstack-protector-strong", "-fstack-clash-protection", "-D_FORTIFY_SOURCE=2", "-D_GLIBCXX_ASSERTIONS")


def readelf(*arguments):
    return subprocess.run(("readelf", "--wide", *arguments), check=True, capture_output=True, text=True).stdout


def missing_of_file(path):
    """The protections that an ELF file lacks."""
    segments = readelf("--segments", path)
    dynamic = readelf("--dynamic", path)
    stack = re.search(r"GNU_STACK +(?:0x\w+ +){5}(\S+)", segments)
    symbols = readelf("--dyn-syms", path)
    checks = (
        ("a random load address (-pie)", re.search(r"Type: +DYN", readelf("--file-header", path))),
        ("symbols that are write-protected (-z relro)", "GNU_RELRO" in segments),
        ("symbols that are resolved at the start (-z now)", re.search(r"BIND_NOW|Flags:.*\bNOW\b", dynamic)),
        ("a stack that is not code (-z noexecstack)", stack and "E" not in stack.group(1)),
        ("a check of the stack (-fstack-protector-strong)", "__stack_chk_fail" in symbols),
    )
    return [name for name, found in checks if not found]


def missing_of_program(path):
    """The same, and the checks whose functions a library of few calls may not need."""
    symbols = readelf("--dyn-syms", path)
    checks = (
        ("checks of buffers (-D_FORTIFY_SOURCE=2)", re.search(r"__(?!stack)\w+_chk\b", symbols)),
        ("checks of containers (-D_GLIBCXX_ASSERTIONS)", "__glibcxx_assert_fail" in symbols),
    )
    return missing_of_file(path) + [name for name, found in checks if not found]


def missing_of_commands(commands):
    """(source, flag) for each source of the outer folders that is compiled without one of FLAGS."""
    result = []
    for entry in commands:
        # Groups of sources and generated sources stand below the folder of the build.
        folders = Path(entry["file"].removeprefix(str(ROOT))).parts
        if "tests" in folders or not {"proto", "server", "clients"} & set(folders):
            continue
        wanted = [flag for flag in FLAGS if "GLIBCXX" not in flag or not entry["file"].endswith(".c")]
        result += [(entry["file"], flag) for flag in wanted if flag not in entry["command"].split()]
    return result


def main():
    parser = argparse.ArgumentParser(description="Reads from the built files which protections they have")
    parser.add_argument("program")
    parser.add_argument("--library", action="append", default=[])
    parser.add_argument("--commands")
    options = parser.parse_args()
    findings = [f"{options.program}: without {name}" for name in missing_of_program(options.program)]
    for library in options.library:
        findings += [f"{library}: without {name}" for name in missing_of_file(library)]
    if options.commands:
        commands = json.loads(Path(options.commands).read_text(encoding="utf-8"))
        findings += [f"{source}: compiled without {flag}" for source, flag in missing_of_commands(commands)]
    for finding in findings:
        print(finding)
    print(f"{len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
