"""Sub-assemblies that are moved and turned: their motion is the moved motion, or they are refused."""
# Covers: clients/python/tactus/build_moved.py, clients/python/tactus/build_assembly.py

import json
import math

import numpy as np
import pytest

import tactus
from conftest import SOURCE, needs_native
from tactus import build

MODELS = sorted((SOURCE / "server/models").glob("*.json"))
TURN, SHIFT = build.rotation([1, 2, 3], 2.0), np.array([1.0, -2.0, 3.0])


def require_the_moved_motion(part, initial_condition="", ticks=100):
    """The part alone, and as a part that is moved and turned together with the gravity."""
    fields = {key: value for key, value in part.fields.items() if key in ("solver", "assembly")}
    whole = build.Model("whole", gravity=TURN @ part.gravity, **fields)
    whole.add(part, "x_", at=SHIFT, orientation=TURN)
    alone = tactus.Simulation(part, initial_condition=initial_condition)
    moved = tactus.Simulation(whole, initial_condition=initial_condition and "x_" + initial_condition)
    alone.step(ticks)
    moved.step(ticks)
    assert alone.bodies and moved.bodies == ["x_" + name for name in alone.bodies]
    for name in alone.bodies:
        own, other = alone.body(name), moved.body("x_" + name)
        # Round-off of the turn and of coordinates that are some meters larger, over 100 ticks: 1e-13 m seen. The largest
        # speeds are 20 m/s, and 1e-13 m within a tick of 1 ms are 1e-10 m/s.
        np.testing.assert_allclose(other.r, TURN @ own.r + SHIFT, rtol=0, atol=1e-11)
        np.testing.assert_allclose(other.v, TURN @ own.v, rtol=0, atol=1e-9)
    return alone


@needs_native
@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_every_built_in_model_can_be_added_moved_and_turned(path):
    part = build.read(path)
    require_the_moved_motion(part)
    for collection, name in part.elements:
        if collection == "initial_conditions":
            require_the_moved_motion(part, name)


def everything_on_ground():
    """Loads and drives on ground whose points, axes and orientations all count, and words that are names of bodies."""
    part = build.Model("part", gravity=[0, 0, -9.81], solver={"period": 1e-3})
    for k, name in enumerate(("hung", "body", "held", "driven", "rolling")):
        part.body(name, build.Box([0.2, 0.3, 0.4], mass=2), at=[k, 0, 1], velocity=[0, 0.1, 0] if name == "hung" else None)
    part.rope("rope", points=[{"body": "ground", "point": [0, 0, 2]}, {"body": "hung", "point": [0, 0.1, 0]},
                              {"body": "ground", "point": [0, 1, 2]}], stiffness=1e3, damping=5)
    part.bushing("bush", "ground", "body", point_1=[1, 0, 1], point_2=[0, 0, 0], stiffness=[100, 200, 400, 9, 8, 7],
                 orientation=[math.cos(0.3), math.sin(0.3), 0, 0])
    part.bushing("unturned", "ground", "body", point_1=[1, 0, 1], point_2=[0, 0, 0.1], stiffness=[50, 20, 10])
    up = [math.sqrt(0.5), 0, -math.sqrt(0.5), 0]  # axis 1 along z
    part.beam_element("beam", "ground", "held", at=[[2, 0, 0.5], [2, 0, 1]], length=0.5, stiffness=[1e5, 1e5, 1e5, 9, 8, 7],
                      orientation_1=up, orientation_2=up)
    part.drive("winch", distance={"body_1": "ground", "body_2": "driven", "point_1": [3, 0, 3], "point_2": [0, 0, 0.2]},
               harmonic={"offset": 1.7, "amplitude": 0.1, "angular_frequency": 3, "phase": math.pi / 2})
    part.rack_and_pinion("rack", "ground", "rolling", point_1=[4, 0, 1.2], point_2=[0, 0, 0], axis_1=[0, 1, 0],
                         direction_1=[1, 0, 0], radius=0.2)
    part.air_load("air", "body", area=1, drag=1, wind=[3, 4, 5])
    part.body_force("push", "hung", direction=[1, 0, 0], initial=2.0)
    part.body_force("jet", "hung", direction=[1, 0, 0], frame="body", initial=2.0)
    return part


@needs_native
def test_everything_that_is_given_on_ground_moves_with_a_part():
    part = everything_on_ground()
    assert [finding for finding in part.check() if finding.severity == "error"] == []
    alone = require_the_moved_motion(part)
    assert all(np.linalg.norm(alone.body(name).v) > 1e-3 for name in alone.bodies)  # none stands still: all speeds are above 0.01 m/s


@needs_native
def test_a_part_with_beams_is_mounted_on_a_body():
    part = build.read("flexible_arm")
    whole = build.Model("whole", gravity=[0, 0, 0])
    base = whole.body("base", build.Box([1, 1, 1]), at=[1, 2, 3], orientation=TURN)
    whole.add(part, "left_", on=base)
    whole.add(part, "right_", at=[0, 1, 0], on=base)
    assert whole.check() == []
    tactus.Simulation(whole).step(10)
    joints = [joint for joint in whole["joints"] if "base" in (joint["body_1"], joint["body_2"])]
    assert len(joints) == 2 and "ground" not in json.dumps(whole.to_dict())


def test_a_placement_of_a_file_moves_with_its_part():
    content = {"name": "part", "gravity": [0, 0, 0], "bodies": [
        {"name": name, "mass": 1, "inertia": {"xx": 1, "yy": 1, "zz": 1}, "placement": placement} for name, placement in (
            ("a", {"position": [1, 0, 0]}), ("b", {"body": "a", "position": [0, 0, 1]}), ("c", {"joint": "ball"}))],
        "joints": [{"name": "ball", "body_1": "ground", "body_2": "c",
                    "spherical": {"point_1": [0, 0, 1], "point_2": [0, 1, 0]}}]}
    whole = build.Model("whole")
    whole.add(build.read(content), "p_", at=[0, 0, 5], orientation=build.rotation([0, 0, 1], math.pi / 2))
    a, b, c = (body["placement"] for body in whole["bodies"])
    half = math.sqrt(0.5)
    assert a["body"] == "ground" and a["position"] == pytest.approx([0, 1, 5], abs=1e-15)  # a cosine of pi/2
    assert a["orientation"] == pytest.approx([half, 0, 0, half])
    assert b == {"body": "p_a", "position": [0, 0, 1]}
    assert c["joint"] == "p_ball" and c["orientation"] == pytest.approx([half, 0, 0, half])
    content["joints"][0] = {"name": "ball", "body_1": "ground", "body_2": "c", "revolute": {
        "point_1": [0, 0, 1], "point_2": [0, 1, 0], "axis_1": [1, 0, 0], "axis_2": [0, 0, 1]}}
    with pytest.raises(ValueError, match="give the placement an orientation"):
        build.Model("other").add(build.read(content), orientation=TURN)


def test_what_cannot_be_moved_is_refused_and_nothing_is_added():
    part = build.Model("part")
    part.body("ball", build.Sphere(0.1))
    part.air_load("air", "ball", area=1, drag=1, wind=[3, 0, 0])
    part.parameter("breeze", targets=["forces[0].air_load.wind[0]"])
    part.parameter("area", targets=["forces[0].area"])
    whole = build.Model("whole")
    with pytest.raises(ValueError, match=r"'breeze' of the part sets forces\[0\].air_load.wind\[0\], a component of a vector"):
        whole.add(part, "p_", orientation=TURN)
    assert not whole.bodies and not whole.elements
    whole.add(part, "p_")
    assert [p["targets"] for p in whole["parameters"]] == [["forces.p_air.air_load.wind[0]"], ["forces.p_air.area"]]
    part.elements["forces", "air"].fields["wind"] = ["1 km/h", "0", "0"]
    with pytest.raises(ValueError, match="forces 'air' cannot be moved: .*; give its vectors as numbers"):
        whole.add(part, "q_", orientation=TURN)
