#!/usr/bin/python3
"""Counts the instructions of one step of a model under callgrind: counted_instructions.py BUILD MODEL... [options]

The counts do not depend on the load of the machine: two runs of one binary differ by less than 0.1 %. Valgrind's processor
has no AVX-512, so chains are computed in lanes of four. The count per step is the difference of a long and a short run.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SHORT, LONG = 100, 200  # steps; both runs warm up with 100 more
STEP = "tactus::rt::step(*"


def instructions(benchmark, model, iterations, steps):
    """Instructions of all steps of a run, with those of the warm-up."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["valgrind", "--tool=callgrind", f"--toggle-collect={STEP}", f"--callgrind-out-file={folder}/out",
                   benchmark, model, "--rounds", "1", "--steps", str(steps), "--iterations", str(iterations)]
        result = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    found = re.search(r"Collected : (\d+)", result.stderr)
    if result.returncode != 0 or not found:
        sys.exit(f"{model}: callgrind ended with status {result.returncode}\n{result.stderr}")
    return int(found[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("models", nargs="+", metavar="MODEL")
    parser.add_argument("--iterations", type=int, default=2)
    arguments = parser.parse_args()
    if shutil.which("valgrind") is None:
        sys.exit("valgrind is not installed; docker/install_packages.sh bench installs it")
    benchmark = arguments.build / "tests/bench/step_benchmark"
    print("| model | iterations | instructions a step |\n|---|---|---|")
    for model in arguments.models:
        counts = [instructions(benchmark, model, arguments.iterations, steps) for steps in (SHORT, LONG)]
        print(f"| {model} | {arguments.iterations} | {(counts[1] - counts[0]) / (LONG - SHORT):.0f} |", flush=True)


if __name__ == "__main__":
    main()
