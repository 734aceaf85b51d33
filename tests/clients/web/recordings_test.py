#!/usr/bin/python3
"""The live view records, plays and compares runs in a browser: recordings_test.py PROGRAM VIEW_FOLDER"""

import csv
import json
import math
import os
import pathlib
import subprocess
import tempfile
import unittest

from car_view import Paths, car_in_view, main, scene

def tactus(*arguments, status=0):
    done = subprocess.run([Paths.program, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != status:
        raise AssertionError(f"tactus {arguments} ended with status {done.returncode}: {done.stderr}")
    return done.stdout


class RecordingPlayedInTheBrowser(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as out:
            with car_in_view("--recordings", out) as (_, url):
                cls.found = scene("recordings.mjs", "play", url, os.environ.get("TACTUS_PICTURES", out))
            table = pathlib.Path(out, "run.csv")
            tactus("export", pathlib.Path(out, cls.found["name"]), "--out", table, "--signals", "chassis.r.x")
            with open(table, encoding="utf-8", newline="") as file:
                cls.exported = {round(1e3 * float(row["t"])): float(row["chassis.r.x"]) for row in csv.DictReader(file)}

    def test_the_page_reports_no_error(self):
        self.assertEqual(self.found["errors"], [])

    def test_a_recording_plays_up_to_its_end(self):
        self.assertTrue(self.found["opened"]["playing"])
        self.assertAlmostEqual(self.found["ended"]["time"], self.found["points"]["t"][-1], delta=1e-9)  # rounding

    def test_scrubbing_moves_the_car_on_the_canvas_and_the_values_of_the_plots(self):
        early, late = self.found["early"], self.found["late"]
        self.assertGreater(math.hypot(late["at"]["x"] - early["at"]["x"], late["at"]["y"] - early["at"]["y"]), 40)
        # Where the chassis was, more than a tenth of the pixels have another color.
        self.assertGreater(self.found["differs"], 0.1)
        # The cursor of the plot stands on a pixel, of which a plot has 400 or more: 2 pixels, at 20 m/s at most.
        times = self.found["points"]["t"]
        pixels = 2 * (times[-1] - times[0]) / 400 * 20
        for shown in (early, late):
            self.assertAlmostEqual(shown["value"], self.exported[round(1e3 * shown["time"])], delta=pixels)
        self.assertGreater(late["value"] - early["value"], 2 * pixels)
        self.assertNotEqual(early["clock"], late["clock"])

    def test_the_plot_shows_bit_for_bit_what_tactus_export_writes(self):
        points = {round(1e3 * t): v for t, v in zip(self.found["points"]["t"], self.found["points"]["values"])}
        self.assertGreater(len(points), 1000)
        self.assertEqual(points, self.exported)

    def test_keys_step_by_one_recorded_tick(self):
        self.assertAlmostEqual(self.found["on"]["time"] - self.found["back"]["time"], 1e-3, delta=1e-9)  # rounding


class RecordingThatGrows(unittest.TestCase):
    def test_the_button_that_stops_it_stays_in_its_place_and_the_size_is_shown_at_the_end(self):
        with tempfile.TemporaryDirectory() as out:
            with car_in_view("--recordings", out) as (_, url):
                found = scene("recordings.mjs", "growing", url, out)
        self.assertTrue(found["stays"])
        self.assertRegex(found["size"], r"[1-9]\d* ticks")
        self.assertEqual(found["errors"], [])


class TwoRunsInTheBrowser(unittest.TestCase):
    def test_a_ghost_is_drawn_where_it_is_and_the_first_difference_is_that_of_tactus_diff(self):
        with tempfile.TemporaryDirectory() as out:
            folder = pathlib.Path(out)
            steering = folder / "steering.csv"
            steering.write_text("t,steering\n0,0\n0.5,1\n")
            tactus("run", "sedan", "--until", "1.5s", "--out", folder / "a.mcap")
            tactus("run", "sedan", "--until", "1.5s", "--inputs", steering, "--out", folder / "b.mcap")
            diff = json.loads(tactus("diff", folder / "a.mcap", folder / "b.mcap", "--json", status=1))
            with car_in_view() as (_, url):
                pictures = os.environ.get("TACTUS_PICTURES", out)
                found = scene("recordings.mjs", "ghost", url, pictures, folder / "a.mcap", folder / "b.mcap")
        first = diff["difference"]
        self.assertIn(f"{first['signal']} at tick {first['tick']}:", found["difference"])
        self.assertAlmostEqual(found["time"], first["tick"] / 1e3, delta=1e-9)  # rounding
        # Where the chassis of the ghost is, a second after the difference, a tenth of the pixels changed with its file;
        # around the chassis of the first run there is nothing to see: that car stands before its ghost.
        self.assertGreater(math.dist(found["at"].values(), found["ghost"].values()), 40)
        self.assertGreater(found["differs"], 0.1)
        # Side by side, the chassis is in the middle of the left half and of the right half, blue in both, and alone in the
        # middle of the whole picture.
        apart = found["apart"]
        self.assertTrue(0.15 < apart["place"] < 0.35, apart)
        self.assertTrue(0.4 < apart["away"] < 0.6, apart)
        for red, _, blue in apart["colors"]:
            self.assertGreater(blue, red + 20)
        # Where the inputs differ first, both cars are still at one place: less than a pixel.
        self.assertLess(math.dist(*(place.values() for place in found["together"])), 1)
        self.assertEqual(found["errors"], [])


class DamagedRecordings(unittest.TestCase):
    def test_what_cannot_be_played_is_said_in_words(self):
        with tempfile.TemporaryDirectory() as out:
            folder = pathlib.Path(out)
            tactus("run", "sedan", "--until", "2s", "--out", folder / "whole.mcap")
            tactus("run", "sedan", "--until", "0.1s", "--signals", "speed", "--out", folder / "poor.mcap")
            tactus("run", "sedan", "--until", "2s", "--signals", "speed,*.omega.?", "--out", folder / "rates.mcap")
            for name, cut in (("whole", "cut"), ("rates", "poorer")):
                content = (folder / f"{name}.mcap").read_bytes()
                (folder / f"{cut}.mcap").write_bytes(content[:len(content) * 3 // 4])
            (folder / "alien.mcap").write_bytes(b"not an MCAP file at all")
            with car_in_view() as (_, url):
                found = scene("recordings.mjs", "damaged", url, out,
                              *(folder / name for name in ("cut.mcap", "alien.mcap", "poor.mcap", "poorer.mcap")))
        self.assertIn("not a recording of Tactus", found["refused"]["message"])
        self.assertEqual(found["refused"]["open"], "")
        self.assertRegex(found["played"]["message"], r"cut\.mcap can be read up to tick \d+ only: the file ends early")
        self.assertGreater(found["played"]["rows"], 500)
        self.assertIn("no picture", found["without"]["message"])
        self.assertTrue(found["back"])  # the message about the recording goes with it
        self.assertEqual(found["without"]["values"], 101)
        self.assertRegex(found["both"], r"poorer\.mcap can be read up to tick \d+ only: the file ends early.*no picture")
        self.assertEqual(found["errors"], [])


if __name__ == "__main__":
    main()
