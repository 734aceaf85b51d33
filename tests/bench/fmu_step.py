#!/usr/bin/python3
"""Wall time of a communication step of one internal step of an FMU, beside that of the bare tick in `tactus run`.

    fmu_step.py [--at-most TIMES] [MODEL ...]

With --at-most the exit code is 1 if a step takes more times as long as the bare tick.
Both take turns, and the minimum over the rounds counts, so that other work on the machine disturbs neither more. The time of
the FMU includes the call from Python by ctypes, about 1 us.
"""

import argparse
import ctypes
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/clients/fmi"))
from importer import Instance, Unit  # noqa: E402  the folder is known now

TACTUS = pathlib.Path(os.environ.get("TACTUS_BUILD_DIR", ROOT / "build/release")) / "tactus"
ROUNDS, STEPS = 40, 500


def steps_of(instance, period):
    """Seconds for a step, from the initial state as in `tactus run`: later motion may need more work."""
    assert instance.call("Reset") == 0
    instance.begin()
    step, handle, size = instance.unit.function("DoStep"), ctypes.c_void_p(instance.handle), ctypes.c_double(period)
    ends = (1,) if instance.two else (ctypes.c_bool(True), None, None, None, None)
    calls = [(handle, ctypes.c_double(k * period), size, *ends) for k in range(STEPS)]
    start = time.perf_counter()
    statuses = [step(*call) for call in calls]
    elapsed = time.perf_counter() - start
    assert not any(statuses)
    return elapsed / STEPS


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--at-most", type=float, default=float("inf"))
    arguments.add_argument("models", nargs="*", metavar="MODEL")
    given, slow = arguments.parse_args(), []
    for model in given.models or ["sedan", "motor_four_bar", "chain:n=128"]:
        with tempfile.TemporaryDirectory() as folder:
            instances = []
            for version in (2, 3):
                fmu = f"{folder}/{version}.fmu"
                subprocess.run([TACTUS, "fmu", "export", model, "--fmi", str(version), "--out", fmu], check=True,
                               stdout=subprocess.DEVNULL)
                instances.append(Instance(Unit(fmu, f"{folder}/{version}")))
            period = float(instances[0].unit.root.find("DefaultExperiment").get("stepSize"))
            best = [float("inf")] * 3
            for _ in range(ROUNDS):
                command = [TACTUS, "run", model, "--json", "--until", f"{STEPS * period:.9g}s"]
                report = subprocess.run(command, check=True, capture_output=True, text=True).stdout
                now = [json.loads(report)["wall_time"] / STEPS]
                now += [steps_of(instance, period) for instance in instances]
                best = [min(pair) for pair in zip(best, now)]
            bare, two, three = (1e6 * seconds for seconds in best)
            print(f"{model}: bare tick {bare:.2f} us, FMI 2.0 {two:.2f} us ({two / bare:.2f}), "
                  f"FMI 3.0 {three:.2f} us ({three / bare:.2f})", flush=True)
            slow += [model] if max(two, three) > given.at_most * bare else []
    if slow:
        sys.exit(f"more than {given.at_most:g} times as long: {', '.join(slow)}")


if __name__ == "__main__":
    main()
