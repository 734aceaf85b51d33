#!/usr/bin/python3
"""Measures a requirement in ms or s and holds it to its bound: timed_check.py BUILD NAME, or BUILD --table

Up to three attempts; one within the bound is enough, because other work on the machine only ever makes a time longer. The
result goes to BUILD/timed/NAME.json, and --table prints all results as Markdown. A machine that lacks what a
measurement needs skips it.
"""

import datetime
import json
import os
import pathlib
import sys

from requirements import REQUIREMENTS, Skipped

ATTEMPTS = 3


def within(requirement, value):
    return value >= requirement.bound if requirement.at_least else value <= requirement.bound


def better(requirement, a, b):
    return max(a, b) if requirement.at_least else min(a, b)


def check(build, requirement):
    best = None
    for attempt in range(1, ATTEMPTS + 1):
        try:
            value = requirement.measure(build)
        except Skipped as reason:
            print(f"SKIPPED: {reason}")
            return 0
        best = value if best is None else better(requirement, best, value)
        print(f"{requirement.what}: {value:.3g} {requirement.unit}, bound {requirement.bound:g}, attempt {attempt}, load "
              f"{os.getloadavg()[0]:.1f}")
        if within(requirement, value):
            break
    passed = within(requirement, best)
    folder = build / "timed"
    folder.mkdir(exist_ok=True)
    result = {"value": best, "attempts": attempt, "passed": passed, "load": round(os.getloadavg()[0], 1),
              "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M")}
    (folder / f"{requirement.name}.json").write_text(json.dumps(result))
    return 0 if passed else 1


def ratio(requirement, value):
    return f"{value / requirement.bound:.2f}" if requirement.bound else ""


def machine():
    names = [line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")]
    return f"{names[0] if names else 'unknown processor'}, {os.cpu_count()} cores, Linux {os.uname().release}"


def table(build):
    print(f"{machine()}\n")
    print("| requirement | bound | measured | measured / bound | load | date, UTC |\n|---|---|---|---|---|---|")
    for requirement in REQUIREMENTS:
        path = build / "timed" / f"{requirement.name}.json"
        sign = "at least" if requirement.at_least else "at most"
        if not path.exists():
            print(f"| {requirement.what} | {sign} {requirement.bound:g} {requirement.unit} | not measured | | | |")
            continue
        found = json.loads(path.read_text())
        missed = "" if found["passed"] else ", **missed**"
        print(f"| {requirement.what} | {sign} {requirement.bound:g} {requirement.unit} | {found['value']:.3g} {requirement.unit}"
              f"{missed} | {ratio(requirement, found['value'])} | {found['load']} | {found['date']} |")
    return 0


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    if sys.argv[2:] == ["--table"]:
        return table(build)
    requirement = next((r for r in REQUIREMENTS if r.name == sys.argv[2]), None)
    if requirement is None:
        print(f"no requirement {sys.argv[2]}; there are {', '.join(r.name for r in REQUIREMENTS)}", file=sys.stderr)
        return 2
    return check(build, requirement)


if __name__ == "__main__":
    sys.exit(main())
