#!/usr/bin/python3
"""Rollouts of Tactus beside those of MuJoCo: time of a step on one core and on all, and how exact the steps are.

    rollout_beside_mujoco.py [MODEL ...]

MODEL is one of tests/server/import/models, or chainN: N links on hinges, N up to 96, because an import takes a limited
depth. Needs MuJoCo (Debian: libmujoco-dev) and the module tactus._native. The model of MJCF is imported, so both run
the same mechanism from the same state. Both take a row of inputs for each step of each run. They take turns, and the
minimum over the rounds counts. The time of Tactus contains all that a call of tactus.rollout does: reading the model,
its plan, and the arrays of results; that of MuJoCo is that of the steps alone. The error is that of the worst center
of mass after 1 s with constant inputs, against steps of 50 us of the same program, in MuJoCo those of RK4. The last
line is the difference of these two references.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("TACTUS_BUILD_DIR", ROOT / "build/release"))
sys.path.insert(0, str(BUILD / "python"))
import numpy as np  # noqa: E402

import tactus  # noqa: E402  the folder is known now

MODELS = ROOT / "tests/server/import/models"
STEP, STEPS, RUNS, ROUNDS, FINER = 1e-3, 1000, 16, 5, 20
METHODS = ("Euler", "implicit", "RK4")


def compiled(folder):
    """The program that runs MuJoCo."""
    program = folder / "mujoco_rollout"
    command = ["cc", "-O2", "-I", ROOT, ROOT / "tests/bench/mujoco_rollout.c", "-lmujoco", "-lpthread", "-o", program]
    if subprocess.run([str(word) for word in command]).returncode != 0:
        sys.exit("cannot compile tests/bench/mujoco_rollout.c: docker/install_packages.sh mujoco")
    return program


def chain(links):
    """Links of 0.1 m and 0.1 kg on hinges about y and x in turns, the first one level; MJCF."""
    head = f'<mujoco model="chain{links}"><compiler angle="radian" autolimits="true"/><worldbody>'
    bodies = "".join(
        f'<body name="link_{k}" pos="{0.1 if k else 0} 0 0"><joint name="hinge_{k}" axis="{k % 2} {1 - k % 2} 0"/>'
        '<inertial pos="0.05 0 0" mass="0.1" diaginertia="2e-5 1e-4 1e-4"/>' for k in range(links))
    tail = '<actuator><motor name="push" joint="hinge_0" ctrlrange="-1 1"/></actuator></mujoco>'
    return f"{head}{bodies}{'</body>' * links}</worldbody>{tail}"


class Mujoco:
    """Rollouts of one model in MuJoCo."""

    def __init__(self, program, model, folder):
        self.program, self.model, self.file = program, model, folder / "controls"

    def rollout(self, method, controls, workers, step=STEP):
        """Seconds, and the centers of mass of the first run at its end."""
        controls.tofile(self.file)
        words = [self.program, self.model, method, step, controls.shape[1], workers, self.file, 1]
        text = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=True).stdout
        first, *fields = [line.split() for line in text.splitlines()]
        return float(first[0]), {name: np.array(values, dtype=float) for name, *values in fields}


class Ours:
    """Rollouts of the same model, imported."""

    def __init__(self, source, folder):
        path = folder / "imported.json"
        command = [BUILD / "tactus", "model", "import", source, "--out", path]
        subprocess.run([str(word) for word in command], check=True, capture_output=True)
        self.model = json.loads(path.read_text())
        self.actuators = self.model["actuators"]

    def begin(self, inputs):
        """The inputs are there from the beginning, as in MuJoCo, and do not jump in the first step."""
        for actuator, value in zip(self.actuators, inputs, strict=True):
            actuator["initial"] = float(value)

    def rollout(self, controls, workers, bodies=(), step=STEP, **settings):
        """Seconds, and the centers of mass of the first run at its end."""
        outputs = [f"{body}.r.{axis}" for body in bodies for axis in "xyz"]
        ticks, start = controls.shape[1], time.perf_counter()
        result = tactus.rollout(self.model, ticks, inputs=controls, outputs=outputs, every=ticks, period=step,
                                workers=workers, **settings)
        seconds = time.perf_counter() - start
        assert not any(result.faults), result.faults
        return seconds, dict(zip(bodies, result.values[0, -1].reshape(-1, 3))) if bodies else {}


def distance(found, expected):
    """Largest distance of the place of a body, m."""
    return max(float(np.linalg.norm(found[body] - expected[body])) for body in found)


def measure(name, program, folder):
    source = MODELS / f"{name}.xml"
    if name.startswith("chain"):
        source = folder / f"{name}.xml"
        source.write_text(chain(int(name.removeprefix("chain"))))
    mujoco, own, cores = Mujoco(program, source, folder), Ours(source, folder), os.cpu_count() or 1
    actuators = len(own.actuators)
    limits = np.array([actuator["maximum"] for actuator in own.actuators])
    values = limits * np.random.default_rng(7).uniform(-0.3, 0.3, (RUNS, 1, actuators))
    own.begin(values[0, 0])
    forms = {"Tactus, 2 iterations": lambda *a, **k: own.rollout(*a, iterations=2, **k),
             "Tactus, 1 iteration": lambda *a, **k: own.rollout(*a, iterations=1, **k),
             **{f"MuJoCo, {method}": lambda *a, method=method, **k: mujoco.rollout(method, *a) for method in METHODS}}

    def held(runs, steps):
        return np.ascontiguousarray(np.broadcast_to(values[:runs], (runs, steps, actuators)))

    _, theirs = mujoco.rollout("RK4", held(1, FINER * STEPS), 1, STEP / FINER)
    bodies = [body for body in theirs if f"{body}.r.x" in tactus.Simulation(own.model).units]
    _, ours = own.rollout(held(1, FINER * STEPS), 1, bodies, STEP / FINER)
    counts = sorted({1, cores})
    times = {(form, workers): [] for form in forms for workers in counts}
    for _ in range(ROUNDS):
        for (form, workers), list_ in times.items():
            list_.append(forms[form](held(RUNS, STEPS), workers)[0] / (RUNS * STEPS))

    print(f"{name}: {len(theirs)} bodies, {actuators} inputs, {RUNS} runs of {STEPS} steps of 1 ms")
    for form, rollout in forms.items():
        error = distance(rollout(held(1, STEPS), 1, bodies=bodies)[1], ours if form.startswith("Tactus") else theirs)
        best = [min(times[form, workers]) for workers in counts]
        line = ", ".join(f"{1e6 * one:.2f} us on {n} {'core' if n == 1 else 'cores'}" for n, one in zip(counts, best))
        print(f"  {form:<20} a step takes {line}; error {error:.1e} m")
    print(f"  both differ by {distance(ours, theirs):.1e} m")


def main():
    with tempfile.TemporaryDirectory() as folder:
        program = compiled(pathlib.Path(folder))
        for name in sys.argv[1:] or ["arm", "walker", "four_bar", "chain8", "chain64"]:
            measure(name, program, pathlib.Path(folder))


if __name__ == "__main__":
    main()
