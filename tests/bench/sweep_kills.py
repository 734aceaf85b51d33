#!/usr/bin/python3
"""A sweep of 1 000 variants of the sedan: its time on one core and on all, ten kills at random moments, shards.

    tests/bench/sweep_kills.py [TACTUS] [--until DURATION]
"""

import argparse
import json
import pathlib
import random
import subprocess
import tempfile
import time

FRICTIONS = [0.3 + 0.1 * k for k in range(10)]
ANGLES = [0.2 * k for k in range(10)]
BRAKES = [0.1 * k for k in range(10)]
KILLS, ROUNDS = 10, 3


def plan(until: str) -> dict:
    """Friction of the road by steering angle by brake, 10 x 10 x 10 cases."""
    return {
        "model": "sedan", "until": until, "period": "1ms",
        "variables": {"parameters.road_friction": FRICTIONS, "inputs.steering": ANGLES, "inputs.brake": BRAKES},
        "metrics": {"turn": {"max": "yaw_rate"}, "slowest": {"min": "speed"}},
    }


def finished(folder: pathlib.Path) -> dict[str, int]:
    """Cases with a file, and when each was written: a case that runs twice has another time."""
    return {path.name: path.stat().st_mtime_ns for path in (folder / "cases").glob("[0-9]*.json")}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tactus", nargs="?", default="build/release/tactus")
    parser.add_argument("--until", default="20ms")
    options = parser.parse_args()
    dice = random.Random(1)
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        (root / "plan.json").write_text(json.dumps(plan(options.until)))

        def command(out: str, *more: str) -> list[str]:
            return [options.tactus, "sweep", str(root / "plan.json"), "--out", str(root / out), *more]

        def complete(out: str, *more: str) -> None:
            subprocess.run(command(out, *more), stdout=subprocess.DEVNULL, check=True)

        def seconds(out: str, *more: str) -> float:
            start = time.monotonic()
            complete(out, *more)
            return time.monotonic() - start

        # In turns, so that other work on the machine disturbs neither more.
        times = [(seconds(f"one{k}", "--workers", "1"), seconds(f"all{k}")) for k in range(ROUNDS)]
        one, whole = (min(of) for of in zip(*times))
        assert len(finished(root / "all0")) == 1000
        print(f"1000 cases in {one:.1f} s by one worker, {whole:.1f} s by one for each core: {one / whole:.2f} times",
              flush=True)

        before: dict[str, int] = {}
        running, counts = 0, []
        for _ in range(KILLS):
            process = subprocess.Popen(command("killed"), stdout=subprocess.DEVNULL)
            time.sleep(dice.uniform(0, 2 * whole / KILLS))
            running += process.poll() is None
            process.kill()
            process.wait()
            now = finished(root / "killed")
            assert before.items() <= now.items(), "a finished case was lost, or was run twice"
            before = now
            counts.append(len(now))
        complete("killed")
        assert before.items() <= finished(root / "killed").items(), "a finished case was lost, or was run twice"
        expected = (root / "all0/results.npz").read_bytes()
        assert (root / "killed/results.npz").read_bytes() == expected
        print(f"{running} of {KILLS} kills hit a running sweep, cases after each: {counts}; the same file", flush=True)

        for count in (2, 7):
            for shard in range(count, 0, -1):
                complete(f"shards{count}", "--shard", f"{shard}/{count}")
            assert (root / f"shards{count}/results.npz").read_bytes() == expected
            print(f"{count} shards, the last one first: the same file", flush=True)


if __name__ == "__main__":
    main()
