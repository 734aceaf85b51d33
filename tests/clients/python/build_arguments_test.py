"""Wrong arguments of the model builder: each error names the argument, where the argument is given."""
# Covers: clients/python/tactus/build.py, clients/python/tactus/build_parts.py, clients/python/tactus/shapes.py

import math
import pathlib

import pytest

from tactus import build
from tactus.build_parts import plain

NAN = float("nan")
CORNERS = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
FACES = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]


def model():
    found = build.Model("m")
    found.body("b", build.Sphere(0.1, mass=1))
    return found


@pytest.mark.parametrize("call, kind, text", [
    (lambda m: build.Model("m", gravity="abc"), TypeError, "gravity='abc'"),
    (lambda m: build.Model("m", gravity=None), ValueError, "gravity = None"),
    (lambda m: m.body(5), ValueError, "cannot be called 5"), (lambda m: m.body("c", 5), TypeError, "a shape of body 'c'=5"),
    (lambda m: m.body("c", at="abc"), TypeError, "at='abc'"), (lambda m: m.body("c", on="b"), TypeError, "on='b'"),
    (lambda m: m.body("c", on=5), TypeError, "on=5"), (lambda m: m.rod("r", "a", "b"), TypeError, "start='a'"),
    (lambda m: (m.revolute("j", 5, "b", at=[0, 0, 0]), m.to_dict()), TypeError, "a body or an element=5"),
    (lambda m: (m.revolute("j", "ground", "b", at="xyz"), m.to_dict()), TypeError, "at='xyz'"),
    (lambda m: m.revolute("j", "ground", "b", along="z"), TypeError, "along='z'"),
    (lambda m: m.add(5), TypeError, "part=5"), (lambda m: m.add(m.to_dict()), TypeError, "part="),
    (lambda m: m.add(model(), 5), TypeError, "prefix=5"), (lambda m: m.add(model(), "p_", on="b"), TypeError, "on='b'"),
    (lambda m: build.Sphere("x"), TypeError, "radius='x'"), (lambda m: build.Sphere(math.inf), ValueError, "radius = inf"),
    (lambda m: build.Box([1, 1, 1], mass="1"), TypeError, "mass='1'"), (lambda m: build.Box("abc"), TypeError, "sides='abc'"),
    (lambda m: build.Mesh(5), TypeError, "source=5"), (lambda m: build.rotation("z", 1), TypeError, "axis='z'"),
    (lambda m: build.rotation([0, 0, 1], "1"), TypeError, "angle='1'"),
    (lambda m: build.rotation([0, 0, 1], NAN), ValueError, "angle = nan"),
    (lambda m: build.Mesh((CORNERS, [*FACES[:3], [1, 2, 4]])), ValueError, "from 0 to 3"),
    (lambda m: build.Mesh((CORNERS, [*FACES[:3], [1, 2, -1]])), ValueError, "from 0 to 3"),
    (lambda m: build.Mesh(([*CORNERS[:3], [0, 0, NAN]], FACES)), ValueError, "finite vertices"),
])
def test_a_wrong_argument_is_told_by_its_name(call, kind, text):
    found = model()
    with pytest.raises(kind, match=text):
        call(found)
    assert list(found.bodies) == ["b"]


def test_a_path_in_a_field_stays_whole():
    found = model()
    found.include("b", file=pathlib.Path("parts/left/leg.json"), prefix="left_")
    assert found.to_dict()["includes"][0]["file"] == "parts/left/leg.json"
    assert plain({"files": [pathlib.Path("a/b.json"), {"file": pathlib.Path("c/d.json")}]}) == {
        "files": ["a/b.json", {"file": "c/d.json"}]}
