#!/usr/bin/python3
"""Age of the pictures of the live view, and what its browsers cost the tick: headless Chromium beside a server.

    tests/bench/picture_age.py                             # one browser, 1 min
    tests/bench/picture_age.py --signals 20                # with live plots of 20 signals at 1 kHz
    tests/bench/picture_age.py --model chain:n=512 --signals 0
    tests/bench/picture_age.py --browsers 8 --rounds 5     # what eight browsers cost the tick: 3 min

Needs the view (server/run.sh --view --build-only) and Chromium (package list, [view]). The age is the time from the
publication of the drawn state to its picture, with the delay of the interpolation. Spans without and with browsers take
turns within each round; the last line compares them: a ratio of 1 is a browser that costs no tick. The processor time is
that of all processes of the browser. Nothing here passes or fails.
"""

import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/clients/web"))
import car_view  # noqa: E402


# As a user starts it: with the real-time class where the host grants it.
REAL_TIME = ["--miss-limit", "2000"]


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
        command = ["node", script, "watch", options.build / "web", url, "-", options.browsers, options.seconds, options.signals]
        done = subprocess.run(list(map(str, command)), check=True, stdout=subprocess.PIPE, text=True)
        found = json.loads(done.stdout)
        pages = found["pages"]
        pictures = sum(page["pictures"] for page in pages)
        print(f"  processor time of the browser: {found['processor_ms'] / pictures:.0f} ms for a picture")
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
    parser.add_argument("--model", default="sedan")
    parser.add_argument("--signals", type=int, default=0, help="that each browser plots, at every tick")
    parser.add_argument("--rounds", type=int, default=1, help="spans with the browsers; as many without them")
    options = parser.parse_args()
    program = options.build / "tactus"
    chromium = shutil.which("chromium")
    if chromium is None or not (options.build / "web/bridge.cjs").exists():
        sys.exit("Chromium or the view is missing: docker/install_packages.sh view; server/run.sh --view --build-only")
    os.environ["TACTUS_CHROMIUM"] = chromium
    car_view.Paths.program, car_view.Paths.folder = program, options.build / "web"
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, {options.model}, {options.browsers} browser(s) "
          f"with plots of {options.signals} signals")
    with car_view.server(model=options.model, settings=REAL_TIME) as (_, endpoint):
        address = car_view.address_of(endpoint)
        with car_view.view(address) as (_, line):
            lost = {False: [], True: []}  # share of late ticks of each span, without and with browsers
            for number in range(options.rounds):
                for url in (None, line.split()[1]):
                    ticks, late, pages = span(program, address, url, options)
                    lost[bool(url)].append(1e6 * late / max(ticks, 1))
                    print(f"round {number + 1}, {len(pages)} browser(s): {late} of {ticks} ticks missed their deadline")
                    for page in pages:
                        ages = page["ages"]
                        print(f"  age p50 {percentile(ages, 0.5):.1f}, p99 {percentile(ages, 0.99):.1f} ms; "
                              f"{page['pictures'] / options.seconds:.0f} pictures per s")
            without, beside = (statistics.median(lost[with_browsers]) for with_browsers in (False, True))
            ratio = f"ratio {beside / without:.2f}" if without > 0 else "no ratio"
            print(f"late ticks of a million, median of {options.rounds} span(s): {without:.0f} without, {beside:.0f} with "
                  f"{options.browsers} browser(s), {ratio}")


if __name__ == "__main__":
    main()
