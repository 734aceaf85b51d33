#!/usr/bin/python3
"""Shows why the default tolerances of `tactus validate` separate right from wrong results.

Each of the built-in models below runs with a step whose result is right, and with one whose result is wrong. Prints, for
each kind of quantity, the largest error as a share of its scale, as a row of Markdown. A default tolerance must lie above
the errors of right results, and each wrong result must exceed at least one.
"""

import argparse
import json
import re
import subprocess
import sys

KINDS = ["position", "rotation", "velocity", "joint", "reaction", "load", "sensor", "energy"]
ENERGY_TOLERANCE = 1e-2
# Model, compared time, step with a right result, step with a wrong one.
CASES = [
    ("double_pendulum", "2s", "10ms", "80ms"),
    ("four_bar", "2s", "10ms", "80ms"),
    ("motor_four_bar", "480ms", "1ms", "8ms"),
    ("chain:n=8", "960ms", "10ms", "40ms"),
    ("hmmwv", "1s", "1ms", "4ms"),
    ("hmmwv_h10", "600ms", "1ms", "4ms"),
    ("rotating_beam", "480ms", "10ms", "40ms"),
]


def shares(tactus, model, until, step):
    """Returns the verdict, and the largest error over scale of each kind."""
    command = [tactus, "validate", model, "--until", until, "--step", step, "--json", "--budget", "30s"]
    command += ["--against", "lms2", "--tolerance", f"energy={ENERGY_TOLERANCE}"]
    answer = subprocess.run(command, capture_output=True, text=True)
    if answer.returncode > 1:
        raise SystemExit(answer.stderr)
    report = json.loads(answer.stdout)
    largest = {}
    for quantity in report["judged"]:
        if not quantity["unjudged"] and quantity["scale"] > 0:
            share = quantity["error"] / quantity["scale"]
            largest[quantity["kind"]] = max(largest.get(quantity["kind"], 0), share)
    # "energy: drift 0.1 J, allowed 1 J"; the allowed drift is the tolerance times the exchanged energy.
    for drift, allowed in re.findall(r"energy: drift (\S+) J, allowed (\S+) J", "\n".join(report["reasons"])):
        largest["energy"] = ENERGY_TOLERANCE * float(drift) / float(allowed)
    return "trusted" if answer.returncode == 0 else "not trusted", largest


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tactus", default="build/release/tactus", help="the program")
    tactus = parser.parse_args().tactus
    print("| model, time | step | " + " | ".join(KINDS) + " | verdict |")
    print("|---" * (len(KINDS) + 3) + "|")
    for model, until, *steps in CASES:
        for step in steps:
            verdict, largest = shares(tactus, model, until, step)
            cells = [f"{largest[kind]:.1e}" if kind in largest else "" for kind in KINDS]
            print(f"| `{model}`, {until} | {step} | " + " | ".join(cells) + f" | {verdict} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
