#!/usr/bin/python3
"""What the readers of the live view see while one sleeps and a browser is stopped, and the memory of the bridge.

    tests/bench/view_crowd.py                  # eight readers and a browser that is stopped for 30 s: 3 min
    tests/bench/view_crowd.py --seconds 5 --rounds 1

Spans with the crowd and spans with the server alone take turns; the last line compares their late ticks: a ratio of 1 is
a crowd that costs no tick. Needs the view (server/run.sh --view --build-only) and Chromium (package list, [view]). Nothing
here passes or fails; tests/clients/web/view_test.py judges a shorter run.
"""

import argparse
import os
import pathlib
import shutil
import statistics
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/clients/web"))
import car_view  # noqa: E402
import picture_age  # noqa: E402


def late_while(address, act):
    """Late ticks of a million while something happens."""
    before = picture_age.missed(car_view.Paths.program, address)
    act()
    after = picture_age.missed(car_view.Paths.program, address)
    return 1e6 * (after[1] - before[1]) / max(after[0] - before[0], 1)


def report(found, seconds):
    """Prints what the crowd saw."""
    first = found["seen"][0]
    print(f"browser, stopped for {seconds} s: first picture {first['after']:.0f} ms after it wakes, age {first['age']:.0f} ms")
    print("reader that slept: ages of its first rows", [round(row["age"]) for row in found["sleeper"][:5]], "ms,",
          found["sleeper_dropped"], "rows of its plot left out")
    readers = found["others"]
    print(f"{len(readers)} readers: {sum(reader['ticks'] for reader in readers)} ticks, "
          f"{sum(reader['gaps'] for reader in readers)} gaps")
    memory = found["memory"]
    print(f"bridge: {memory['before']:.0f} MiB before, at most {memory['largest']:.0f} MiB; "
          f"{found['processor']:.0%} of a processor")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release")
    parser.add_argument("--seconds", type=int, default=30, help="for which browser and reader are stopped")
    parser.add_argument("--rounds", type=int, default=3, help="spans with the crowd; as many without it")
    options = parser.parse_args()
    chromium = shutil.which("chromium")
    if chromium is None or not (options.build / "web/bridge.cjs").exists():
        sys.exit("Chromium or the view is missing: docker/install_packages.sh view; server/run.sh --view --build-only")
    os.environ["TACTUS_CHROMIUM"] = chromium
    car_view.Paths.program, car_view.Paths.folder = options.build / "tactus", options.build / "web"
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, sedan at 1 kHz")
    lost = {"alone": [], "crowd": []}  # late ticks of a million
    with car_view.server(settings=picture_age.REAL_TIME) as (_, endpoint), car_view.view(car_view.address_of(endpoint)) as (bridge, line):
        address = car_view.address_of(endpoint)
        for _ in range(options.rounds):
            lost["alone"].append(late_while(address, lambda: time.sleep(options.seconds)))
            found = {}
            crowd = lambda: found.update(
                car_view.scene("crowd.mjs", "asleep", line.split()[1], "-", options.seconds, bridge.pid))
            lost["crowd"].append(late_while(address, crowd))
            report(found, options.seconds)
    alone, crowd = (statistics.median(lost[kind]) for kind in ("alone", "crowd"))
    ratio = f"ratio {crowd / alone:.2f}" if alone > 0 else "no ratio"
    print(f"late ticks of a million, median of {options.rounds} span(s): {alone:.0f} alone, {crowd:.0f} with the crowd, {ratio}")


if __name__ == "__main__":
    main()
