#!/usr/bin/env python3
"""Age of the pictures of the live view, and what its browsers cost the tick: headless Chromium beside a server.

    tests/bench/picture_age.py                             # one browser
    tests/bench/picture_age.py --browsers 8 --rounds 3     # spans with eight browsers and with none take turns

Needs the view (server/run.sh --view --build-only) and Chromium (package list, [view]). The age is the time from the
publication of the drawn state to its picture, with the delay of the interpolation. Nothing here passes or fails.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/clients/web"))
import car_view  # noqa: E402


def missed(program, address):
    done = subprocess.run([program, "timing", "--server", address, "--json"], check=True, capture_output=True, text=True)
    report = json.loads(done.stdout)
    return int(report["ticks"]), int(report["missed_deadlines"])


def span(program, address, url, options):
    """Missed deadlines and ticks of a span, and the ages of the pictures of each browser; no browser without a URL."""
    before = missed(program, address)
    pages = []
    if url:
        script = car_view.HERE / "ages.mjs"
        command = ["node", script, "watch", options.build / "web", url, "-", options.browsers, options.seconds]
        done = subprocess.run(list(map(str, command)), check=True, stdout=subprocess.PIPE, text=True)
        pages = json.loads(done.stdout)["pages"]
    else:
        time.sleep(options.seconds)
    after = missed(program, address)
    return after[0] - before[0], after[1] - before[1], pages


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release")
    parser.add_argument("--browsers", type=int, default=1)
    parser.add_argument("--seconds", type=int, default=15, help="length of a span")
    parser.add_argument("--rounds", type=int, default=1, help="spans with the browsers; as many without them")
    options = parser.parse_args()
    program = options.build / "tactus"
    chromium = shutil.which("chromium")
    if chromium is None or not (options.build / "web/bridge.cjs").exists():
        sys.exit("Chromium or the view is missing: docker/install_packages.sh view; server/run.sh --view --build-only")
    os.environ["TACTUS_CHROMIUM"] = chromium
    car_view.Paths.program, car_view.Paths.folder = program, options.build / "web"
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, sedan at 1 kHz, {options.browsers} browser(s)")
    with car_view.server() as (_, endpoint):
        address = car_view.address_of(endpoint)
        with car_view.view(address) as (_, line):
            for number in range(options.rounds):
                for url in (None, line.split()[1]):
                    ticks, late, pages = span(program, address, url, options)
                    print(f"round {number + 1}, {len(pages)} browser(s): {late} of {ticks} ticks missed their deadline")
                    for page in pages:
                        ages = page["ages"]
                        print(f"  age p50 {percentile(ages, 0.5):.1f}, p99 {percentile(ages, 0.99):.1f} ms; "
                              f"{page['pictures'] / options.seconds:.0f} pictures per s")


if __name__ == "__main__":
    main()
