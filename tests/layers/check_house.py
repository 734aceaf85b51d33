#!/usr/bin/python3
"""Checks a checkout against the rules of the house. Prints each finding; exit status 1 if there is one.

    check_house.py [ROOT]                    check
    check_house.py [ROOT] --record-numbers   add new fields to tests/layers/field_numbers.txt
    check_house.py [ROOT] --untested         list the sources that no test names
"""

import argparse
import sys
from pathlib import Path

import equation_rules
import house_rules
import include_rules
import name_rules
import proto_rules
import rules_of_tests
from source_tree import SourceTree

RULES = [
    include_rules.check_arrows,
    include_rules.check_quiet_rt,
    include_rules.check_cycles,
    include_rules.check_folder_cycles,
    include_rules.check_without_model,
    name_rules.check_names,
    house_rules.check_top_level,
    house_rules.check_readmes,
    house_rules.check_lengths,
    house_rules.check_strict_math,
    house_rules.check_package_list,
    equation_rules.check_equations,
    proto_rules.check_field_numbers,
    proto_rules.check_enum_zero,
    rules_of_tests.check_test_names,
    rules_of_tests.check_tolerances,
    rules_of_tests.check_covers,
    rules_of_tests.check_untested,
]


def findings_on(root):
    """Every finding on a checkout, in the order of the rules."""
    tree = SourceTree(root)
    return [finding for rule in RULES for finding in rule(tree)]


def record_numbers(root):
    """Adds new fields to the record. Recorded numbers stay, so that a changed number is still found."""
    tree = SourceTree(root)
    numbers = proto_rules.numbers_of(tree)
    record = Path(root) / proto_rules.RECORD
    lines = set(record.read_text().splitlines(keepends=True)) if record.exists() else set()
    recorded = {line.split(" = ")[0] for line in lines}
    for line in proto_rules.render(numbers).splitlines(keepends=True):
        if line.split(" = ")[0] not in recorded:
            lines.add(line)
    record.write_text("".join(sorted(lines)))


def main():
    parser = argparse.ArgumentParser(description="Checks a checkout against the rules of the house")
    parser.add_argument("root", nargs="?", default=Path(__file__).resolve().parents[2])
    parser.add_argument("--record-numbers", action="store_true", help="add new fields to the record")
    parser.add_argument("--untested", action="store_true", help="list the sources that no test names")
    options = parser.parse_args()
    if options.record_numbers:
        record_numbers(options.root)
    if options.untested:
        print(*rules_of_tests.sources_without_test(SourceTree(options.root)), sep="\n")
        return 0
    findings = findings_on(options.root)
    for finding in findings:
        print(finding)
    untested = len(rules_of_tests.sources_without_test(SourceTree(options.root)))
    print(f"{len(findings)} findings; {untested} sources left that no test names (--untested lists them)")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
