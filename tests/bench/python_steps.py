#!/usr/bin/python3
"""What Python adds to a tick: in this process, in blocks of a remote session, in rollouts on several cores.

    python_steps.py [MODEL ...]

The forms take turns, and the minimum over the rounds counts, so that other work on the machine disturbs none more than
another. The bare tick is that of a block of 1000 ticks in this process, one call without Python.
"""

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

ROUNDS, TICKS, BLOCK = 30, 1000, 100


def seconds(action):
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def measure(model, client):
    local = tactus.Simulation(model)
    inputs = np.zeros((BLOCK, len(local.inputs)))
    forms = {"bare": [], "bare with the output": [], "step(1)": [], "remote blocks of 100": [], "remote ticks": []}
    with client.create_session(model, clock="lockstep") as session:
        def one_by_one():
            for _ in range(TICKS):
                local.step()

        def blocks():
            for _ in range(TICKS // BLOCK):
                session.run(BLOCK, inputs=inputs, outputs=["energy.total"])

        blocks()  # the units of the outputs are asked for once
        for _ in range(ROUNDS):
            for name, action in (("bare", lambda: local.run(TICKS)),
                                 ("bare with the output", lambda: local.run(TICKS, outputs=["energy.total"])),
                                 ("step(1)", one_by_one), ("remote blocks of 100", blocks)):
                local.reset()
                if name.startswith("remote"):
                    session.reset()
                    session.start()
                forms[name].append(seconds(action) / TICKS)
            session.reset()
            session.start()
            with session.tick(outputs=["energy.total"]) as stream:
                forms["remote ticks"].append(seconds(lambda: [stream.step() for _ in range(BLOCK)]) / BLOCK)
    best = {name: 1e6 * min(times) for name, times in forms.items()}
    print(f"{model}, us per tick: " + ", ".join(f"{name} {value:.2f}" for name, value in best.items()))
    print(f"  step(1) adds {best['step(1)'] - best['bare']:.2f} us; a remote block takes "
          f"{best['remote blocks of 100'] / best['bare']:.2f} times the bare tick, and "
          f"{best['remote blocks of 100'] / best['bare with the output']:.2f} times the one that gives the same output")


def scaling(model):
    cores = os.cpu_count() or 1
    starts = [tactus.Simulation(model).save()] * (8 * cores)
    once = {workers: min(seconds(lambda: tactus.rollout(model, 2000, initial_states=starts, workers=workers))
                         for _ in range(5)) for workers in (1, cores)}
    print(f"{model}, rollout of {len(starts)} runs: {once[1] / once[cores]:.2f} times faster on {cores} cores")


def main():
    models = sys.argv[1:] or ["motor_four_bar", "sedan"]
    with tempfile.TemporaryDirectory() as folder:
        address = f"unix:{folder}/bench.sock"
        with open(os.devnull, "w") as nothing:
            server = subprocess.Popen([BUILD / "tactus", "serve", "--listen", address, "--priority", "0", "--clock", "lockstep"],
                                      stdout=nothing)
            try:
                with tactus.connect(address, wait="20s") as client:
                    for model in models:
                        measure(model, client)
            finally:
                server.terminate()
                server.wait()
    for model in models:
        scaling(model)


if __name__ == "__main__":
    main()
