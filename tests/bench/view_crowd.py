#!/usr/bin/env python3
"""What the readers of the live view see while one sleeps and a browser is stopped, and the memory of the bridge.

    tests/bench/view_crowd.py                  # eight readers and a browser that is stopped for 30 s
    tests/bench/view_crowd.py --seconds 5

Needs the view (server/run.sh --view --build-only) and Chromium (package list, [view]). Nothing here passes or fails;
tests/clients/web/view_test.py judges a shorter run.
"""

import argparse
import os
import pathlib
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/clients/web"))
import car_view  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release")
    parser.add_argument("--seconds", type=int, default=30, help="for which browser and reader are stopped")
    options = parser.parse_args()
    chromium = shutil.which("chromium")
    if chromium is None or not (options.build / "web/bridge.cjs").exists():
        sys.exit("Chromium or the view is missing: docker/install_packages.sh view; server/run.sh --view --build-only")
    os.environ["TACTUS_CHROMIUM"] = chromium
    car_view.Paths.program, car_view.Paths.folder = options.build / "tactus", options.build / "web"
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, sedan at 1 kHz")
    with car_view.server() as (_, endpoint), car_view.view(car_view.address_of(endpoint)) as (bridge, line):
        found = car_view.scene("crowd.mjs", "asleep", line.split()[1], "-", options.seconds, bridge.pid)
    first = found["seen"][0]
    print(f"browser, stopped for {options.seconds} s: first picture {first['after']:.0f} ms after it wakes, "
          f"age {first['age']:.0f} ms")
    print("reader that slept: ages of its first rows", [round(row["age"]) for row in found["sleeper"][:5]], "ms,",
          found["sleeper_dropped"], "rows of its plot left out")
    for number, reader in enumerate(found["others"], 1):
        print(f"reader {number}: {reader['ticks']} ticks, {reader['gaps']} gaps")
    memory = found["memory"]
    print(f"bridge: {memory['before']:.0f} MiB before, at most {memory['largest']:.0f} MiB")


if __name__ == "__main__":
    main()
