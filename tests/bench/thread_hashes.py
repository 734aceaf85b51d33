#!/usr/bin/python3
"""Runs one model again and again with different numbers of threads, beside processes that burn every core, and compares
the hashes of the states at the end: they have to be the same.

    tests/bench/thread_hashes.py                                     # 100 runs of 10 000 ticks with 1 and 2 threads
    tests/bench/thread_hashes.py --threads 1,3,4,8 --runs 8 --ticks 1000
"""

import argparse
import collections
import json
import multiprocessing
import os
import subprocess
import sys
import time


def burn(niceness: int) -> None:
    os.nice(niceness)
    while True:
        pass


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default="build/release/tactus")
    parser.add_argument("--model", default="chain:n=1024")
    parser.add_argument("--step", default="10ms")
    parser.add_argument("--step-seconds", type=float, default=0.01, help="the same in seconds")
    parser.add_argument("--ticks", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=100, help="in all, the numbers of threads taking turns")
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--nice", type=int, default=0, help="of the burners")
    parser.add_argument("--idle", action="store_true", help="without the burners")
    arguments = parser.parse_args()
    counts = [int(count) for count in arguments.threads.split(",")]

    count = 0 if arguments.idle else os.cpu_count() or 1
    burners = [multiprocessing.Process(target=burn, args=(arguments.nice,), daemon=True) for _ in range(count)]
    for burner in burners:
        burner.start()
    # A team of threads that spins between steps would use up its share of the busy cores there.
    environment = os.environ | {"OMP_WAIT_POLICY": "passive"}
    hashes: dict[str, collections.Counter[int]] = {}
    started = time.monotonic()
    try:
        for run in range(arguments.runs):
            threads = counts[run % len(counts)]
            until = f"{round(arguments.ticks * arguments.step_seconds * 1000)}ms"
            command = [arguments.program, "run", arguments.model, "--until", until, "--step", arguments.step]
            command += ["--threads", str(threads), "--oversubscribe", "--json"]
            ended = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
            report = json.loads(ended.stdout)
            hashes.setdefault(report["state_hash"], collections.Counter())[threads] += 1
    finally:
        for burner in burners:
            burner.terminate()
    for state_hash, runs in hashes.items():
        print(state_hash, ", ".join(f"{count} runs with {threads} threads" for threads, count in sorted(runs.items())))
    print(f"{arguments.runs} runs of {arguments.ticks} ticks of {arguments.model} beside {len(burners)} burners, "
          f"{time.monotonic() - started:.0f} s: {'one hash' if len(hashes) == 1 else 'DIFFERENT HASHES'}")
    return 0 if len(hashes) == 1 else 1


if __name__ == "__main__":
    sys.exit(main())
