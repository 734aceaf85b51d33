#!/usr/bin/python3
"""The application of Foxglove shows the car, live and from a recording, with the layout that is shipped: studio_test.py PROGRAM VIEW_FOLDER"""

import os
import pathlib
import subprocess
import tempfile
import unittest
import urllib.parse

from car_view import HERE, Paths, address_of, installed, main, running, scene, server, view

LAYOUT = HERE.parents[2] / "clients" / "web" / "foxglove" / "sedan.json"
TOPICS = {"/tf", "/scene", "/lines", "/signals"}


class Studio(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.packages = installed("foxglove_studio")

    def studio(self, recording):
        return running("node", self.packages / "host.mjs", LAYOUT, recording, until="host: ")

    def assert_the_car(self, found):
        self.assertEqual(found["errors"], [])
        self.assertEqual(found["problems"], [])
        self.assertGreater(found["share"], 0.02)  # of the panel; the car of the layout covers a tenth of it
        self.assertGreater(found["motion"], 0.01)  # of the pixels around the car: its wheels and the grid below it

    def test_a_live_car_with_its_parameters(self):
        with self.studio("none") as (_, host), server() as (_, endpoint):
            studio = host.split()[1]
            with view(address_of(endpoint), "--origin", studio.rstrip("/")) as (_, line):
                socket = line.split()[1].replace("http:", "ws:") + "foxglove"
                source = urllib.parse.urlencode({"ds": "foxglove-websocket", "ds.url": socket})
                with tempfile.TemporaryDirectory() as folder:
                    found = scene("studio.mjs", "live", f"{studio}?{source}", os.environ.get("TACTUS_PICTURES", folder))
        self.assert_the_car(found)
        self.assertEqual(float(found["mass"]), 1314)  # of the model, kg

    def test_a_recorded_car(self):
        with tempfile.TemporaryDirectory() as folder:
            recording = pathlib.Path(folder) / "run.mcap"
            subprocess.run([Paths.program, "run", "sedan", "--until", "5s", "--record-scene", "--out", recording], check=True, stdout=subprocess.DEVNULL)
            with self.studio(recording) as (_, host):
                studio = host.split()[1]
                source = urllib.parse.urlencode({"ds": "remote-file", "ds.url": f"{studio}run.mcap"})
                found = scene("studio.mjs", "recorded", f"{studio}?{source}", folder)
        self.assert_the_car(found)
        self.assertEqual(found["duration"], "0:00:05.001")  # 5 s, and its first tick


if __name__ == "__main__":
    main()
