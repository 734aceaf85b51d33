#!/usr/bin/python3
"""`tactus model draw` draws what the model declares: draw_test.py PROGRAM VIEW_FOLDER"""
# Covers: clients/cli/draw.cpp, clients/cli/draw.h, clients/cli/node_program.cpp, clients/cli/node_program.h

import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

import matplotlib.image
import numpy as np

import meshes
from car_view import HERE, Paths, main, node

GALLERY = HERE.parents[2] / "server" / "models" / "gallery"
BLOCK = 40  # pixels
# Largest difference of the mean color of a block, of 1. Rasterizers differ by pixels along edges: below 0.03.
TOLERANCE = 0.08
# Flat shading without shadows against the light and the shadows of the scene: found 0.24; 0.85 with a third of the
# polygons left out.
SVG_TOLERANCE = 0.4


def draw(*arguments, out, **environment):
    command = [Paths.program, "model", "draw", *arguments, "--out", out]
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
        done = draw(model, *arguments, out=out)
        self.assertEqual(done.returncode, 0, done.stderr)
        return out

    def test_the_cars_look_as_in_the_gallery(self):
        for name in ("sedan", "hmmwv"):
            with self.subTest(name):
                out = self.drawn(name, "--at", "0.5s", "--size", "1200x520")
                self.assertLess(distance(out, GALLERY / f"{name}.png"), TOLERANCE)

    def test_the_gallery_shows_each_model(self):
        orders = (GALLERY / "pictures.txt").read_text().split()
        done = draw(*orders, "--size", "520x320", out=f"{self.folder}/")
        self.assertEqual(done.returncode, 0, done.stderr)
        names = {re.match(r"\w+", order)[0] for order in orders}
        self.assertEqual(names, {path.stem for path in self.folder.glob("*.png")})
        for name in sorted(names):
            with self.subTest(name):
                self.assertLess(distance(self.folder / f"{name}.png", GALLERY / f"{name}.png"), TOLERANCE)
        # The tolerance tells two starts of one mechanism from each other.
        self.assertGreater(distance(GALLERY / "four_bar.png", self.folder / "four_bar_up.png"), TOLERANCE)

    def test_each_built_in_model_has_a_picture(self):
        listed = subprocess.run([Paths.program, "models"], check=True, capture_output=True, text=True).stdout
        for name in re.findall(r"^(\w+)", listed, re.M):
            self.assertTrue((GALLERY / f"{name}.png").exists(), name)

    def test_a_car_without_its_shapes_does_not_look_so(self):
        printed = subprocess.run([Paths.program, "model", "print", "sedan"], check=True, capture_output=True, text=True)
        model = json.loads(printed.stdout)
        for body in model["bodies"]:
            body.pop("visuals", None)
        file = self.folder / "bare.json"
        file.write_text(json.dumps(model))
        out = self.drawn(file, "--at", "0.5s", "--size", "1200x520")
        self.assertGreater(distance(out, GALLERY / "sedan.png"), TOLERANCE)

    def test_an_svg_shows_the_same_car_as_the_png(self):
        png, svg = self.drawn("sedan", "--at", "0.5s", "--size", "1200x520"), self.folder / "picture.svg"
        done = draw("sedan", "--at", "0.5s", "--size", "1200x520", out=svg)
        self.assertEqual(done.returncode, 0, done.stderr)
        root = xml.etree.ElementTree.parse(svg).getroot()
        self.assertGreater(len(root), 1000)  # polygons and lines
        pixels = self.folder / "pixels.png"
        node("rasterize.mjs", Paths.folder, svg, pixels, 1200, 520)
        self.assertLess(distance(pixels, png), SVG_TOLERANCE)
        # Without its last third, which is nearest to the camera, it is another picture.
        for shape in list(root)[2 * len(root) // 3:]:
            root.remove(shape)
        xml.etree.ElementTree.ElementTree(root).write(svg)
        node("rasterize.mjs", Paths.folder, svg, pixels, 1200, 520)
        self.assertGreater(distance(pixels, png), SVG_TOLERANCE)

    def test_meshes_of_each_format_are_drawn_where_boxes_of_their_size_would_be(self):
        for name, content in meshes.cubes().items():
            (self.folder / name).write_bytes(content)
        formats = {"red.glb": {}, "green.gltf": {}, "blue.stl": {"color": [0, 0, 1]}, "white.obj": {"color": [1, 1, 1]}}
        colors = {"red.glb": [1, 0, 0], "green.gltf": [0, 1, 0], "blue.stl": [0, 0, 1], "white.obj": [1, 1, 1]}
        bodies = [{"name": name.split(".")[0], "mass": 1, "inertia": {"xx": 1, "yy": 1, "zz": 1}, "position": [k, 0, 0]}
                  for k, name in enumerate(formats)]
        pictures = {}
        for kind in ("mesh", "box"):
            for body, (name, color) in zip(bodies, formats.items()):
                # A cube of 2 units of 0.2 m has sides of 0.4 m.
                shape = {"mesh": {"file": name, "scale": 0.2}, **color}
                box = {"box": {"sides": [0.4, 0.4, 0.4]}, "color": colors[name]}
                body["visuals"] = [shape if kind == "mesh" else box]
            file = self.folder / f"{kind}.json"
            file.write_text(json.dumps({"name": kind, "gravity": [0, 0, -9.81], "bodies": bodies}))
            out = self.folder / f"{kind}.png"
            done = draw(file, "--size", "800x400", out=out)
            self.assertEqual(done.returncode, 0, done.stderr)
            pictures[kind] = out
        self.assertLess(distance(pictures["mesh"], pictures["box"]), TOLERANCE)
        bodies[0]["visuals"] = []
        file.write_text(json.dumps({"name": "less", "gravity": [0, 0, -9.81], "bodies": bodies}))
        self.assertEqual(draw(file, "--size", "800x400", out=out).returncode, 0)
        self.assertGreater(distance(pictures["mesh"], out), TOLERANCE)

    def test_a_node_that_ground_holds_within_a_beam_is_drawn_at_its_place(self):
        printed = subprocess.run([Paths.program, "model", "print", "cantilever:n=8"], check=True, capture_output=True,
                                 text=True)
        model = json.loads(printed.stdout)
        beam = model["composites"][0]["beam"]
        beam["points"] = [{"position": point} for point in ([0, 0, 0], [0.5, 0.25, 0], [1, 0, 0])]
        pictures = []
        for held in (None, 4):  # the node at the corner
            if held is not None:
                beam["mounts"].append({"body": "ground", "kind": "BEAM_MOUNT_KIND_RIGID", "node": held})
            file, out = self.folder / "held.json", self.folder / f"held_{held}.png"
            file.write_text(json.dumps(model))
            done = draw(file, "--size", "800x400", out=out)
            self.assertEqual(done.returncode, 0, done.stderr)
            pictures.append(matplotlib.image.imread(out)[:, :, :3])
        # In its first millisecond the beam has its shape, held or not. A node drawn elsewhere moves two of its eight rods.
        dark = [(picture.max(axis=2) < 0.7) for picture in pictures]
        self.assertGreater(dark[0].sum(), 1000)
        self.assertLess((dark[0] != dark[1]).sum(), 0.05 * dark[0].sum())

    def test_the_picture_is_that_of_the_step_next_to_the_time(self):
        printed = subprocess.run([Paths.program, "model", "print", "chain:n=4"], check=True, capture_output=True, text=True)
        model = json.loads(printed.stdout)
        model.setdefault("solver", {})["period"] = 3e-3
        file = self.folder / "chain.json"
        file.write_text(json.dumps(model))
        shown = {}
        for at in ("0s", "0.001s", "0.5s", "0.501s"):  # 0.5 s lies between two steps
            shown[at] = self.folder / f"{at}.png"
            done = draw(file, "--at", at, "--size", "400x400", out=shown[at])
            self.assertEqual(done.returncode, 0, done.stderr)
        content = {at: path.read_bytes() for at, path in shown.items()}
        self.assertEqual(content["0.5s"], content["0.501s"])
        self.assertEqual(content["0s"], content["0.001s"])
        self.assertNotEqual(content["0s"], content["0.5s"])

    def test_pictures_of_one_name_are_refused_before_one_is_drawn(self):
        done = draw("chain@0s", "chain:n=4@0.1s", out=f"{self.folder}/")
        self.assertEqual(done.returncode, 2)
        self.assertIn("chain.png", done.stderr)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_model_with_very_many_shapes_is_drawn(self):
        # Eight corners of each: more than the arguments that a call may have.
        boxes = [{"name": f"v{k}", "position": [0.01 * k, 0, 0], "box": {"sides": [0.1, 0.1, 0.1]}} for k in range(180)]
        bodies = [{"name": f"b{k}", "mass": 1, "inertia": {"xx": 1, "yy": 1, "zz": 1}, "position": [0, 0, 0.1 * k],
                   "visuals": boxes} for k in range(100)]
        file = self.folder / "many.json"
        file.write_text(json.dumps({"name": "many", "gravity": [0, 0, 0], "bodies": bodies}))
        done = draw(file, "--size", "400x400", out=self.folder / "many.png")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_an_invalid_model_is_refused_with_its_findings(self):
        file = self.folder / "bad.json"
        file.write_text('{"name": "bad", "gravity": [0, 0, 0], "bodies": [{"name": "a", "mass": 1, '
                        '"inertia": {"xx": 1, "yy": 1, "zz": 1}, "visuals": [{"sphere": {"radius": -1}}]}]}')
        done = draw(file, out=self.folder / "picture.png")
        self.assertEqual(done.returncode, 2)
        self.assertIn("bodies[0].visuals[0].sphere.radius", done.stderr)
        self.assertFalse((self.folder / "picture.png").exists())

    def test_what_cannot_be_drawn_is_said_in_words(self):
        done = draw("sedan", out=self.folder / "picture.pdf")
        self.assertEqual(done.returncode, 2)
        self.assertIn(".png or an .svg", done.stderr)
        done = draw("sedan", "hmmwv", out=self.folder / "picture.png")
        self.assertEqual(done.returncode, 2)
        self.assertIn("a folder", done.stderr)
        done = draw("sedan", "--size", "huge", out=self.folder / "picture.png")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--size huge", done.stderr)
        done = draw("sedan", out=self.folder / "picture.png", TACTUS_CHROMIUM="/no/such/browser")
        self.assertEqual(done.returncode, 2)  # a failure without a result, as of every command
        self.assertIn("/no/such/browser", done.stderr)


if __name__ == "__main__":
    main()
