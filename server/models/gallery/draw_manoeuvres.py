#!/usr/bin/python3
"""Plots the manoeuvres of the cars and the curves of a tyre, as SVG.

    server/models/gallery/draw_manoeuvres.py build/release/tactus            writes the plots beside this file
    server/models/gallery/draw_manoeuvres.py build/release/tactus --check    says whether the plots are up to date

The manoeuvres and plots are those of clients/python/examples; this script starts a server of its own for them, keeps
every 40th tick, and removes from each plot what differs from run to run.
"""
import argparse
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

import picture_file

ROOT = picture_file.FOLDER.parents[2]
EXAMPLES = ROOT / "clients" / "python" / "examples"
KEPT = 40  # one tick in so many
NAMES = {"step_steer": "sedan_step_steer", "lane_change": "sedan_lane_change", "brake_in_turn": "sedan_brake_in_turn",
         "bump": "hmmwv_bump"}
STYLE = {"svg.hashsalt": "tactus", "svg.fonttype": "none", "path.simplify": False, "font.family": "sans-serif"}


def plain(svg):
    """The plot without metadata, with coordinates to a tenth of a pixel and ids by number.

    Matplotlib makes ids from hashes of coordinates, which differ with the last bit of one of them.
    """
    svg = re.sub(r"<metadata>.*?</metadata>\s*", "", svg, flags=re.S)
    for number, name in enumerate(dict.fromkeys(re.findall(r'id="([a-z][0-9a-f]{10})"', svg))):
        svg = svg.replace(name, f"id_{number}")
    shorten = lambda number: f"{float(number.group()):.1f}"
    lines = re.sub(r' d="[^"]*"', lambda d: re.sub(r"-?\d+\.\d+", shorten, d.group()), svg)
    return "\n".join(line.rstrip() for line in lines.splitlines()) + "\n"


def drive_all(program, folder):
    """Runs each manoeuvre on a server of this script, and plots it into the folder."""
    import manoeuvre
    import tactus

    address = f"unix:{folder}/tactus.sock"
    server = subprocess.Popen([program, "serve", "--listen", address, "--clock", "lockstep", "--priority", "0"],
                              stdout=subprocess.DEVNULL)
    try:
        with tactus.connect(address, wait=30.0) as client:
            for name, file in NAMES.items():
                data, _ = manoeuvre.run(client, manoeuvre.MANOEUVRES[name]())
                kept = {signal_name: values[::KEPT] for signal_name, values in data.items()}
                manoeuvre.plot(f"{folder}/{file}.svg", name.replace("_", " "), kept)
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait()


def plot_tyre(program, folder):
    """The curves of the car's front left tyre."""
    curves = subprocess.run([program, "model", "tyre", "sedan", "tyre_fl"], check=True, capture_output=True)
    settings = pathlib.Path(folder, "matplotlibrc")
    settings.write_text("".join(f"{key}: {value}\n" for key, value in STYLE.items()))
    subprocess.run([sys.executable, EXAMPLES / "tyre_curves.py", f"{folder}/sedan_tyre.svg"], input=curves.stdout,
                   check=True, env=os.environ | {"MATPLOTLIBRC": str(settings)})


def main():
    parser = argparse.ArgumentParser(description="Plots the manoeuvres of the built-in cars")
    parser.add_argument("program", help="build/release/tactus; the Python package is expected beside it")
    parser.add_argument("--check", action="store_true", help="compare the plots with what would be drawn")
    options = parser.parse_args()
    program = pathlib.Path(options.program).absolute()
    sys.path[:0] = [str(program.parent / "python"), str(EXAMPLES)]

    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams.update(STYLE)
    with tempfile.TemporaryDirectory() as folder:
        drive_all(program, folder)
        plot_tyre(program, folder)
        pictures = {path.stem: plain(path.read_text()) for path in sorted(pathlib.Path(folder).glob("*.svg"))}
    picture_file.finish(pictures, options.check)


if __name__ == "__main__":
    main()
