#!/usr/bin/python3
"""Runs the MJCF models of this folder in MuJoCo (Debian: libmujoco-dev, group [mujoco] of docker/packages.txt) and writes
trajectories/MODEL_CASE.csv, and with --check compares it with what is there. Two cases a model: `free` without inputs, and
`driven` with random inputs in trajectories/MODEL_inputs.csv."""

import argparse
import csv
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
FOLDER = HERE / "trajectories"
# Actuators of each model with the amplitude of their random inputs.
MODELS = {
    "pendulum": {"push": 1, "pull": 2},
    "arm": {"a1": 1, "a2": 1, "a3": 1, "a4": 1, "a5": 1, "a6": 0.5, "a7": 1},
    "walker": {"m1": 1, "m2": 1, "m3": 1, "m4": 1, "m5": 1, "m6": 1, "m7": 0.2},
    "four_bar": {"turn": 2, "spin": 0.1},
}
STEP = 5e-5  # s; the error of Runge-Kutta of order 4 is then round-off
ROWS = 10  # to the second
INPUT_PERIOD = 0.02  # s


def inputs_of(model):
    """Random inputs that hold for INPUT_PERIOD, by the generator of Python with a fixed seed."""
    source = random.Random(f"inputs of {model}")
    names = MODELS[model]
    rows = [["t", *names]]
    for k in range(round(1 / INPUT_PERIOD)):
        rows.append([round(k * INPUT_PERIOD, 6), *(round(source.uniform(-a, a), 4) for a in names.values())])
    return "".join(",".join(map(str, row)) + "\n" for row in rows)


def compiled(folder):
    """The program that runs a model, or None where there is no MuJoCo."""
    program = pathlib.Path(folder, "mujoco_run")
    compiler = shutil.which("cc") or shutil.which("gcc") or "c++"
    command = [compiler, "-O1", "-I", str(HERE.parents[2]), str(HERE / "mujoco_run.c"), "-lmujoco", "-o", str(program)]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode == 0:
        return program
    if "mujoco" in result.stderr:
        return None
    raise RuntimeError(result.stderr)


def trajectories(program, model, folder):
    """The text of each file of a model, by its name."""
    inputs = pathlib.Path(folder, "inputs.csv")
    texts = {f"{model}_inputs.csv": inputs_of(model)}
    for case, text in (("free", "t\n0\n"), ("driven", texts[f"{model}_inputs.csv"])):
        inputs.write_text(text)
        command = [program, HERE / "models" / f"{model}.xml", inputs, str(STEP), str(ROWS)]
        texts[f"{model}_{case}.csv"] = subprocess.run(
            [str(word) for word in command], capture_output=True, text=True, check=True, timeout=300
        ).stdout
    return texts


def differences(text, stored):
    """Largest difference between two files of numbers."""
    pairs = zip(csv.reader(text.splitlines()), csv.reader(stored.splitlines()))
    worst = 0 if text.count("\n") == stored.count("\n") else float("inf")
    for k, (a, b) in enumerate(pairs):
        if k == 0:
            worst = worst if a == b else float("inf")
        else:
            worst = max([worst, *(abs(float(x) - float(y)) for x, y in zip(a, b))])
    return worst


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare with the stored files and write nothing")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        program = compiled(folder)
        if program is None:
            print("SKIPPED: no MuJoCo: docker/install_packages.sh mujoco")
            return 0 if arguments.check else 2
        failed = False
        for model in MODELS:
            for name, text in trajectories(program, model, folder).items():
                if not arguments.check:
                    FOLDER.mkdir(exist_ok=True)
                    (FOLDER / name).write_text(text)
                # Tolerance: ten digits are written; another machine rounds differently in 20 000 steps.
                elif not differences(text, (FOLDER / name).read_text()) < 1e-7:
                    print(f"{name} is not what MuJoCo computes")
                    failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
