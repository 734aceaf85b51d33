#!/usr/bin/python3
"""Holds the pages of a checkout against its tree and its program. Prints each finding; exit status 1 if there is one.

    check_pages.py [--root ROOT] [PROGRAM]    without PROGRAM, commands and options are not checked
"""
import argparse
import sys
from pathlib import Path

import page_rules
from source_tree import SourceTree


def main():
    parser = argparse.ArgumentParser(description="Holds pages against the tree and the program")
    parser.add_argument("program", nargs="?", help="build/release/tactus")
    parser.add_argument("--root", default=Path(__file__).resolve().parents[2])
    options = parser.parse_args()
    tree = SourceTree(options.root)
    findings = page_rules.check_paths(tree) + page_rules.check_scripts(tree)
    if options.program:
        findings += page_rules.check_commands(tree, page_rules.Program(options.program))
    for finding in findings:
        print(finding)
    print(f"{len(findings)} findings on {len(page_rules.pages(tree))} pages")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
