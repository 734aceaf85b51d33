#!/usr/bin/python3
"""Prints how many Newton iterations let every step of a beam converge, by stiffness, mesh and step.

    python3 tests/bench/beam_iterations.py build/release/tactus [--until 500ms]

A rod of 1 m and 4 mm radius on a spherical joint falls from the horizontal. A number is the smallest that leaves every
increment of the positions below 1e-6 of the model's length; `-` where 8 iterations do not. The last column is the
phase of the fastest stretching vibration of the mesh in a step of 1 ms.
"""
import argparse
import json
import math
import pathlib
import subprocess
import sys
import tempfile

LENGTH, RADIUS, DENSITY, POISSON_RATIO = 1.0, 0.004, 7800.0, 0.3
YOUNG = [1e8, 1e9, 1e10, 2.07e11]
ELEMENTS = [4, 16, 64]
STEPS_MS = [0.2, 1, 4, 10]
MAXIMUM = 8


def rod(young: float, elements: int) -> dict:
    beam = {
        "points": [{"position": [0, 0, 0]}, {"position": [LENGTH, 0, 0]}],
        "elements": elements,
        "across": [0, 1, 0],
        "stations": [{"circle": {"radius": RADIUS}}],
        "material": {"young": young, "poisson_ratio": POISSON_RATIO, "density": DENSITY},
        "mounts": [{"node": 0, "body": "ground", "kind": "BEAM_MOUNT_KIND_SPHERICAL"}],
    }
    return {"name": "rod", "gravity": [0, -9.81, 0], "composites": [{"name": "rod", "beam": beam}]}


def converges(program: str, model: pathlib.Path, until: str, step_ms: float, iterations: int) -> bool:
    done = subprocess.run([program, "run", str(model), "--until", until, "--step", f"{step_ms}ms", "--iterations",
                           str(iterations), "--json"], capture_output=True, text=True)
    if not done.stdout:
        sys.exit(done.stderr)
    report = json.loads(done.stdout)
    return report["status"] == "ok" and report["not_converged"] == 0


def needed(program: str, model: pathlib.Path, until: str, step_ms: float) -> str:
    for iterations in range(1, MAXIMUM + 1):
        if converges(program, model, until, step_ms, iterations):
            return str(iterations)
    return "-"


def stretch_phase(young: float, elements: int) -> float:
    """Fastest stretching vibration of the mesh, rad in a step of 1 ms."""
    return 1e-3 * 2 * elements / LENGTH * math.sqrt(young / DENSITY)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("program")
    arguments.add_argument("--until", default="500ms")
    a = arguments.parse_args()
    print("| E, Pa | elements | " + " | ".join(f"{step:g} ms" for step in STEPS_MS) + " | stretch, rad at 1 ms |")
    print("| --- | --- |" + " --- |" * (len(STEPS_MS) + 1))
    with tempfile.TemporaryDirectory() as folder:
        for young in YOUNG:
            for elements in ELEMENTS:
                model = pathlib.Path(folder) / "rod.json"
                model.write_text(json.dumps(rod(young, elements)))
                cells = [needed(a.program, model, a.until, step) for step in STEPS_MS]
                print(f"| {young:.3g} | {elements} | " + " | ".join(cells) + f" | {stretch_phase(young, elements):.2g} |",
                      flush=True)


if __name__ == "__main__":
    main()
