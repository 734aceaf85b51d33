#!/usr/bin/python3
"""A minute of real time beside cyclictest: start lateness of the ticks against wake-ups of the yardstick, same class.

One yardstick runs on another core with the priority of the tick, as far as there are two cores; a second one on the
tick's own core, one priority below. On separate cores the comparison says as much about the cores as about the program.

    tests/bench/beside_cyclictest.py                                   # 60 s, motor_four_bar, 1 kHz, FIFO 80
    tests/bench/beside_cyclictest.py --model chain:n=14 --load 'nice make -j2'
    tests/bench/beside_cyclictest.py --period 250us --observers 8 --flood 90000

Needs rt-tests (package list, [bench]), the
right to SCHED_FIFO, and a build. Nothing here passes or fails: it prints a table to read ratios from.
"""

import argparse
import json
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release")
    parser.add_argument("--model", default="motor_four_bar")
    parser.add_argument("--period", default="1ms", help="of the ticks and of cyclictest, in us or ms")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--priority", type=int, default=80)
    parser.add_argument("--observers", type=int, default=0, help="readers of every frame, as processes")
    parser.add_argument("--flood", type=int, default=0, metavar="RATE", help="datagrams a second of a stranger at a link")
    parser.add_argument("--load", help="a command that runs meanwhile")
    parser.add_argument("--json", action="store_true", help="print the table as JSON, and nothing else")
    return parser.parse_args()


def microseconds(period):
    number, unit = re.fullmatch(r"(\d+)(us|ms)", period).groups()
    return int(number) * {"us": 1, "ms": 1000}[unit]


def percentile(histogram, share):
    """The smallest value of a histogram {us: count} that so many are not above."""
    rest = share * sum(histogram.values())
    for value in sorted(histogram):
        rest -= histogram[value]
        if rest <= 0:
            return value
    return max(histogram)


def read_cyclictest(text):
    histogram = {}
    for line in text.splitlines():
        if match := re.fullmatch(r"(\d{6}) (\d+)", line.strip()):
            if int(match[2]) > 0:
                histogram[int(match[1])] = int(match[2])
    worst = int(re.search(r"# Max Latencies: (\d+)", text)[1])
    return {
        "count": sum(histogram.values()),
        "p50": percentile(histogram, 0.5),
        "p99": percentile(histogram, 0.99),
        "p99.9": percentile(histogram, 0.999),
        "max": worst,
    }


def read_phase(phase):
    return {
        "count": phase["count"],
        "p50": phase["p50_ns"] / 1000,
        "p99": phase["p99_ns"] / 1000,
        "p99.9": phase["p999_ns"] / 1000,
        "max": phase["maximum_ns"] / 1000,
    }


def start_cyclictest(choice, core, priority):
    command = ["cyclictest", "-q", "-m", "-t", "1", "-p", str(priority), "-a", str(core)]
    command += ["-i", str(microseconds(choice.period)), "-D", str(choice.seconds), "-h", "100000"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def steal():
    with open("/proc/stat") as stat:
        return int(stat.readline().split()[8])


def main():
    choice = arguments()
    tactus = choice.build / "tactus"
    cores = sorted(os.sched_getaffinity(0))
    own, other = cores[0], cores[-1]
    helpers, flood = [], None
    with tempfile.TemporaryDirectory() as folder:
        address = f"unix:{folder}/bench.sock"
        serve = [tactus, "serve", choice.model, "--period", choice.period, "--listen", address, "--cpu", str(own)]
        serve += ["--priority", str(choice.priority), "--udp", "127.0.0.1:0", "--report-every", "1h"]
        server = subprocess.Popen(serve, stdout=subprocess.PIPE, text=True)
        try:
            for line in server.stdout:
                if not choice.json:
                    print(line, end="")
                if line.startswith("host"):
                    break
            threading.Thread(target=server.stdout.read, daemon=True).start()
            remote = ["--server", address]
            if choice.flood:
                link = ["link", "open", *remote, "--outputs", "energy.total", "--out", f"{folder}/link.txt", "--json"]
                link += ["--idle-limit", f"{choice.seconds + 60}s"]
                opened = json.loads(subprocess.run([tactus, *link], capture_output=True, check=True).stdout)
                port = opened["links"][0]["address"].rsplit(":", 1)[1]
                command = [choice.build / "tests/bench/datagram_flood", port, "--rate", str(choice.flood)]
                flood = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
            for _ in range(choice.observers):
                reader = [choice.build / "tests/clients/cli/watcher", address]
                helpers.append(subprocess.Popen(reader, stdout=subprocess.DEVNULL))
            if choice.load:
                quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "start_new_session": True}
                helpers.append(subprocess.Popen(shlex.split(choice.load), **quiet))
            time.sleep(1)

            stolen = steal()
            subprocess.run([tactus, "timing", *remote, "--reset"], capture_output=True, check=True)
            yardsticks = [start_cyclictest(choice, core, priority)
                          for core, priority in ((other, choice.priority), (own, choice.priority - 1))]
            ran = [yardstick.communicate()[0] for yardstick in yardsticks]
            report = json.loads(subprocess.run([tactus, "timing", *remote, "--json"], capture_output=True).stdout)
            stolen = steal() - stolen
        finally:
            if flood:
                flood.terminate()
            for helper in helpers:
                os.killpg(helper.pid, signal.SIGKILL) if os.getpgid(helper.pid) == helper.pid else helper.kill()
                helper.wait()
            server.send_signal(signal.SIGTERM)
            server.wait()

    phases = {phase["phase"]: read_phase(phase) for phase in report["phases"]}
    rows = {"start of a tick": phases["wake"], "cyclictest, same core, one priority below": read_cyclictest(ran[1]),
            "cyclictest, other core, same priority": read_cyclictest(ran[0]), "solve and publish": phases["total"]}
    if choice.json:
        print(json.dumps({"rows": rows, "missed": report["missed_deadlines"], "stolen": stolen}))
        return 0
    print(f"\n| us, {choice.seconds} s, period {choice.period}, {choice.model} | count | p50 | p99 | p99.9 | max |")
    print("|---|---|---|---|---|---|")
    for name, row in rows.items():
        print(f"| {name} | {row['count']} | " + " | ".join(f"{row[key]:.1f}" for key in ("p50", "p99", "p99.9", "max")) + " |")
    print(f"\nmissed {report['missed_deadlines']}, late by cause {report['late_ticks']}, stolen {stolen} ticks of the host's clock")
    if flood:
        print(f"a stranger: {flood.communicate()[0].strip()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
