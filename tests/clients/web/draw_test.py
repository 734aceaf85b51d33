#!/usr/bin/env python3
"""`tactus model draw` draws what the model declares: draw_test.py PROGRAM VIEW_FOLDER"""
# Covers: clients/cli/draw.cpp, clients/cli/draw.h, clients/cli/node_program.cpp, clients/cli/node_program.h

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import matplotlib.image
import numpy as np

from car_view import HERE, Paths, main

GALLERY = HERE.parents[2] / "server" / "models" / "gallery"
BLOCK = 40  # pixels
# Largest difference of the mean color of a block, of 1. Rasterizers differ by pixels along edges: below 0.03.
TOLERANCE = 0.08


def draw(model, out, *arguments, **environment):
    command = [Paths.program, "model", "draw", model, "--out", out, *arguments]
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, env=os.environ | environment)


def blocks(path):
    """Mean color of each block of a picture."""
    pixels = matplotlib.image.imread(path)[:, :, :3]
    height, width = pixels.shape[0] // BLOCK, pixels.shape[1] // BLOCK
    return pixels[:height * BLOCK, :width * BLOCK].reshape(height, BLOCK, width, BLOCK, 3).mean(axis=(1, 3))


def distance(one, other):
    return float(np.abs(blocks(one) - blocks(other)).max())


class PicturesOfModels(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def drawn(self, model, *arguments):
        out = self.folder / "picture.png"
        done = draw(model, out, *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return out

    def test_the_cars_look_as_in_the_gallery(self):
        for name in ("sedan", "hmmwv"):
            with self.subTest(name):
                out = self.drawn(name, "--at", "0.5s", "--size", "1200x520")
                self.assertLess(distance(out, GALLERY / f"{name}.png"), TOLERANCE)

    def test_a_car_without_its_shapes_does_not_look_so(self):
        printed = subprocess.run([Paths.program, "model", "print", "sedan"], check=True, capture_output=True, text=True)
        model = json.loads(printed.stdout)
        for body in model["bodies"]:
            body.pop("visuals", None)
        file = self.folder / "bare.json"
        file.write_text(json.dumps(model))
        out = self.drawn(file, "--at", "0.5s", "--size", "1200x520")
        self.assertGreater(distance(out, GALLERY / "sedan.png"), TOLERANCE)

    def test_an_invalid_model_is_refused_with_its_findings(self):
        file = self.folder / "bad.json"
        file.write_text('{"name": "bad", "gravity": [0, 0, 0], "bodies": [{"name": "a", "mass": 1, '
                        '"inertia": {"xx": 1, "yy": 1, "zz": 1}, "visuals": [{"sphere": {"radius": -1}}]}]}')
        done = draw(file, self.folder / "picture.png")
        self.assertEqual(done.returncode, 2)
        self.assertIn("bodies[0].visuals[0].sphere.radius", done.stderr)
        self.assertFalse((self.folder / "picture.png").exists())

    def test_what_cannot_be_drawn_is_said_in_words(self):
        done = draw("sedan", self.folder / "picture.svg")
        self.assertEqual(done.returncode, 2)
        self.assertIn(".png", done.stderr)
        done = draw("sedan", self.folder / "picture.png", "--size", "huge")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--size huge", done.stderr)
        done = draw("sedan", self.folder / "picture.png", TACTUS_CHROMIUM="/no/such/browser")
        self.assertEqual(done.returncode, 1)
        self.assertIn("/no/such/browser", done.stderr)


if __name__ == "__main__":
    main()
