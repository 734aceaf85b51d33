"""Models that are built in Python: masses of shapes against closed forms, places, sub-assemblies, findings, files."""
# Covers: clients/python/tactus/build.py, clients/python/tactus/build_parts.py, clients/python/tactus/build_body.py
# Covers: clients/python/tactus/build_assembly.py, clients/python/tactus/build_read.py
# Covers: clients/python/tactus/model_text.py
# Covers: clients/python/tactus/shapes.py, clients/python/tactus/drawing.py, clients/python/generate_kinds.py

import json
import math

import numpy as np
import pytest

import tactus
from conftest import SOURCE, needs_native
from tactus import build
from tactus.v1 import model_pb2

MODELS = sorted((SOURCE / "server/models").glob("*.json"))
CUBE = ([[x, y, z] for x in (0, 1) for y in (0, 2) for z in (0, 3)],
        [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4],
         [1, 5, 7], [1, 7, 3]])


@pytest.mark.parametrize("shape, mass, moments", [
    (build.Box([1, 2, 3], density=2), 12, [13, 10, 5]),
    (build.Sphere(0.5, mass=2), 2, [0.2, 0.2, 0.2]),
    (build.Cylinder(1, 2, mass=12), 12, [7, 7, 6]),
    (build.Tube(2, 1, 3, mass=12), 12, [24, 24, 30]),
    (build.Mesh(CUBE, density=2), 12, [13, 10, 5]),
    (build.Box([1, 2, 3], density=2, orientation=build.rotation([0, 0, 1], math.pi / 2)), 12, [10, 13, 5]),
])
def test_a_shape_has_the_mass_and_inertia_of_the_closed_form(shape, mass, moments):
    found = shape.properties()
    assert found.mass == pytest.approx(mass, rel=1e-14)  # a few operations
    np.testing.assert_allclose(found.inertia, np.diag(moments), rtol=1e-13, atol=1e-13)  # a few operations


def test_a_capsule_and_a_mesh_of_it_agree():
    radius, length, rings, sides = 0.3, 0.8, 60, 120
    angles = np.linspace(-math.pi / 2, math.pi / 2, 2 * rings)
    profile = [(radius * math.cos(a), radius * math.sin(a) + math.copysign(length / 2, a)) for a in angles[1:-1]]
    vertices = [[r * math.cos(t), r * math.sin(t), z] for r, z in profile
                for t in 2 * math.pi * np.arange(sides) / sides]
    vertices += [[0, 0, -radius - length / 2], [0, 0, radius + length / 2]]
    faces = []
    for k in range(sides):
        n = (k + 1) % sides
        for ring in range(len(profile) - 1):
            a, b, c, d = ring * sides + k, ring * sides + n, (ring + 1) * sides + n, (ring + 1) * sides + k
            faces += [[a, b, c], [a, c, d]]
        top = (len(profile) - 1) * sides
        faces += [[len(vertices) - 2, n, k], [top + k, top + n, len(vertices) - 1]]
    mesh = build.Mesh((vertices, faces), density=1).properties()
    capsule = build.Capsule(radius, length, density=1).properties()
    # The polyhedron lies inside: its error falls with the square of the angle between corners, 0.05 rad.
    assert mesh.mass == pytest.approx(capsule.mass, rel=2e-3)
    np.testing.assert_allclose(np.diag(mesh.inertia), np.diag(capsule.inertia), rtol=4e-3)  # as the mass, twice


def test_a_mesh_of_a_file_is_that_of_the_arrays_and_an_open_one_is_refused(tmp_path):
    vertices, faces = np.array(CUBE[0], dtype=float), CUBE[1]
    obj = tmp_path / "cube.obj"
    obj.write_text("".join(f"v {x} {y} {z}\n" for x, y, z in vertices)
                   + "".join(f"f {a + 1}//1 {b + 1} {c + 1}\n" for a, b, c in faces))
    text = tmp_path / "cube.stl"
    text.write_text("solid cube\n" + "".join(
        "facet normal 0 0 0\nouter loop\n" + "".join(f"vertex {x} {y} {z}\n" for x, y, z in vertices[face])
        + "endloop\nendfacet\n" for face in faces) + "endsolid\n")
    binary = tmp_path / "binary.stl"
    record = np.zeros(len(faces), np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("rest", "<u2")]))
    record["corners"] = vertices[np.array(faces)]
    binary.write_bytes(bytes(80) + len(faces).to_bytes(4, "little") + record.tobytes())
    for path in (obj, text, binary):
        found = build.Mesh(path, scale=0.1, density=2000).properties()
        assert found.mass == pytest.approx(12, rel=1e-12)  # round-off of a dozen triangles
        np.testing.assert_allclose(found.center, [0.05, 0.1, 0.15], rtol=1e-12)  # as the mass
    with pytest.raises(ValueError, match="not closed"):
        build.Mesh((CUBE[0], faces[:-1]))
    binary.write_bytes(binary.read_bytes()[:-20])
    with pytest.raises(ValueError, match="no triangles"):
        build.Mesh(binary)


def linkage():
    """The mechanism of motor_four_bar from the places of its pins, its masses, and nothing else."""
    source = tactus.build.read(SOURCE / "server/models/motor_four_bar.json")
    links = {name: (body.frame, body.mass, body.inertia) for name, body in source.bodies.items()}
    model = build.Model("motor_four_bar", gravity=[0, -9.81, 0])
    for name, (frame, mass, inertia) in links.items():
        model.body(name, at=frame.origin, orientation=frame.turn, mass=mass, inertia=inertia)
    crank, coupler, rocker = model.bodies.values()
    z = np.array([0, 0, 1])
    model.revolute("input", "ground", crank, at=[0, 0, 0], along=z, initial_angle=math.pi / 3)
    model.revolute("crank_pin", crank, coupler, at=crank.point([0.08, 0, 0]), along=z)
    model.revolute("rocker_pin", coupler, rocker, at=rocker.point([0.11, 0.005, 0]), along=z)
    model.revolute("output", "ground", rocker, at=[0.3, 0, 0], along=z)
    model.joint_torque("motor", "input", minimum=-5, maximum=5)
    model.joint_angle("crank_angle", "input")
    return model


@needs_native
def test_a_linkage_of_world_points_moves_like_the_built_in_model():
    torque = 1.5 * np.sin(0.02 * np.arange(500))
    runs = [tactus.Simulation(model, period="1ms").run(500, inputs=torque, outputs=["crank_angle", "energy.total"])
            for model in (linkage(), "motor_four_bar")]
    # Points that are turned to the frames of the bodies and back differ by round-off, 1e-16 m, and the initial assembly
    # moves the built-in model by up to 1e-10 m.
    np.testing.assert_allclose(runs[0].values, runs[1].values, rtol=0, atol=1e-8)
    assert np.ptp(runs[0]["crank_angle"]) > 1


@needs_native
def test_a_crane_in_ten_lines_swings_at_the_closed_form():
    model = build.Model("crane", gravity=[0, 0, -9.81], solver={"period": 1e-3})
    trolley = model.body("trolley", build.Box([1, 0.6, 0.3], mass=200), at=[0, 0, 8])
    load = model.body("load", build.Box([1, 1, 1], mass=500), at=[0, 0, 3])
    model.prismatic("rail", "ground", trolley, at=trolley.point([0, 0, 0]), along=[1, 0, 0])
    model.revolute("rope", trolley, load, at=trolley.point([0, 0, 0]), along=[0, 1, 0])
    model.body_force("drive", trolley, direction=[1, 0, 0], minimum=-1000, maximum=1000)
    model.joint_travel("position", "rail")
    assert model.check() == []
    system = tactus.Simulation(model).linearize()
    # L = 5 m, I = 1/6 m a^2 about the center of the load: Lagrange's equations, linear.
    total, inertia = 700, 500 * 25 + 500 / 6
    omega = math.sqrt(500 * 9.81 * 5 * total / (inertia * total - (500 * 5) ** 2))
    assert max(abs(np.linalg.eigvals(system.A).imag)) == pytest.approx(omega, rel=1e-9)


@needs_native
def test_a_model_with_mistakes_gives_all_findings():
    model = build.Model("mistakes")
    model.body("ball", mass=-1, inertia=[1, 1, 1])
    model.revolute("hinge", "ground", "ball", at=[0, 0, 0])
    model.joint_torque("motor", "hing")
    paths = [finding.path for finding in model.check()]
    assert any("mass" in path for path in paths) and any("axis_1" in path for path in paths), paths
    assert any("joint_torque" in path for path in paths)
    with pytest.raises(tactus.ModelInvalid) as caught:
        tactus.Simulation(model)
    assert [str(f) for f in caught.value.findings] == [str(f) for f in model.check()]


@needs_native
def test_missing_bodies_masses_and_numbers_that_are_not_finite_hide_no_other_finding():
    model = build.Model("mistakes")
    model.body("bare", at=[0, 0, 1])
    model.body("ball", build.Sphere(0.1), velocity=[0, np.inf, 0])
    model.revolute("hinge", "ground", "bare", at=[0, 0, 0])
    model.spherical("lost", "ground", "nobody", at=[0, 0, 0])
    model.translational_spring("spring", "ground", "ball", at=[[0, 0, 0], [0, 0, 1]], stiffness=math.nan)
    model.joint_torque("motor", "hing")
    found = {finding.path: finding for finding in model.check()}
    assert {"bodies[0].mass", "joints[0].revolute.axis_1", "joints[1].body_2", "actuators[0].joint_torque.joint",
            "bodies[1].velocity[1]", "forces[0].translational_spring.stiffness"} <= found.keys(), found.keys()
    spring = found["forces[0].translational_spring.stiffness"]
    assert (spring.severity, spring.value, spring.rule) == ("error", "nan", "must be a finite number")
    with pytest.raises(ValueError, match="has no mass"):
        model.to_dict()


@needs_native
def test_a_number_that_is_not_finite_is_named_where_a_model_is_taken():
    content = linkage().to_dict()
    content["bodies"][1]["mass"] = np.float64(np.nan)
    content["gravity"] = np.array([0, -np.inf, 0])
    with pytest.raises(tactus.ModelInvalid) as caught:
        tactus.Simulation(content)
    assert {finding.path for finding in caught.value.findings} == {"bodies[1].mass", "gravity[1]"}
    assert caught.value.reason == "MODEL_INVALID"


def test_shapes_added_after_a_joint_move_the_center_and_not_the_joint():
    model = build.Model("late")
    rod = model.body("rod", build.Box([1, 0.1, 0.1], mass=1))
    model.revolute("hinge", "ground", rod, at=[-0.5, 0, 0], along=[0, 1, 0])
    rod.add(build.Sphere(0.1, mass=1, at=[0.5, 0, 0]))
    assert model["bodies"][0]["position"] == pytest.approx([0.25, 0, 0])
    assert model["joints"][0]["revolute"]["point_2"] == pytest.approx([-0.75, 0, 0])
    # Steiner: two masses of 1 kg, each 0.25 m from the center.
    assert model["bodies"][0]["inertia"]["zz"] == pytest.approx(1.01 / 12 + 0.4 * 0.01 + 2 * 0.25**2)


def test_a_sub_assembly_is_renamed_moved_and_mounted():
    part = build.Model("part")
    arm = part.rod("arm", [0, 0, 0], [1, 0, 0])
    part.revolute("hinge", "ground", arm, at=[0, 0, 0], along=[0, 1, 0])
    part.spherical("ball", "ground", "arm", point_1=[1, 0, 0], point_2=[0.5, 0, 0])
    part.joint_torque("motor", "hinge")
    part.parameter("weight", targets=["bodies.arm.mass"])
    whole = build.Model("whole")
    base = whole.body("base", build.Box([1, 1, 1]), at=[0, 0, 2])
    whole.add(part, "left_", at=[0, 0.5, 0], orientation=build.rotation([0, 0, 1], math.pi / 2), on=base)
    content = json.loads(json.dumps(whole.to_dict()))
    assert content["bodies"][1]["name"] == "left_arm"
    assert content["bodies"][1]["position"] == pytest.approx([0, 1, 2])
    hinge, ball = content["joints"]
    assert (hinge["name"], hinge["body_1"], hinge["body_2"]) == ("left_hinge", "base", "left_arm")
    assert hinge["revolute"]["point_1"] == pytest.approx([0, 0.5, 0])
    assert hinge["revolute"]["axis_1"] == pytest.approx([-1, 0, 0], abs=1e-15)  # a cosine of pi/2
    assert ball["spherical"]["point_1"] == pytest.approx([0, 1.5, 0], abs=1e-15)  # a cosine of pi/2
    assert content["actuators"][0]["joint_torque"]["joint"] == "left_hinge"
    assert content["parameters"][0]["targets"] == ["bodies.left_arm.mass"]
    with pytest.raises(ValueError, match="taken"):
        whole.add(part, "left_")


@needs_native
def test_a_moved_and_turned_part_has_the_motion_of_the_part():
    part = build.read(SOURCE / "server/models/motor_four_bar.json")
    turn = build.rotation([1, 0, 0], math.pi / 2)
    whole = build.Model("whole", gravity=turn @ part.gravity)
    whole.add(part, "x_", at=[1, 2, 3], orientation=turn)
    assert whole.check() == []
    alone = tactus.Simulation("motor_four_bar", period="1ms", initial_condition="spinning")
    moved = tactus.Simulation(whole, period="1ms", initial_condition="x_spinning")
    own, other = (s.run(300, {name: 0.5}, [angle])[angle] for s, name, angle in (
        (alone, "motor", "crank_angle"), (moved, "x_motor", "x_crank_angle")))
    # Round-off of the turn, and coordinates of 3 m in place of 0.3 m; 6 rad of motion.
    np.testing.assert_allclose(own, other, atol=1e-7)


def test_states_roads_and_directions_move_with_a_part():
    part = build.Model("part")
    part.body("ball", build.Sphere(0.1))
    part.initial_condition("up", bodies=[{"body": "ball", "position": [1, 0, 0], "velocity": [1, 0, 0]}])
    part.road("street", up=[0, 0, 1], along=[1, 0, 0])
    part.body_force("push", "ball", direction=[1, 0, 0])
    part.body_force("jet", "ball", direction=[1, 0, 0], frame="body")
    whole = build.Model("whole")
    whole.add(part, "p_", at=[0, 0, 5], orientation=build.rotation([0, 0, 1], math.pi / 2))
    state = whole["initial_conditions"][0]["bodies"][0]
    assert state["body"] == "p_ball" and state["position"] == pytest.approx([0, 1, 5], abs=1e-15)  # a cosine of pi/2
    assert state["velocity"] == pytest.approx([0, 1, 0], abs=1e-15)  # a cosine of pi/2
    assert whole["roads"][0]["origin"] == [0, 0, 5]
    assert whole["roads"][0]["along"] == pytest.approx([0, 1, 0], abs=1e-15)  # a cosine of pi/2
    push, jet = (actuator["body_force"]["direction"] for actuator in whole["actuators"])
    assert push == pytest.approx([0, 1, 0], abs=1e-15)  # a cosine of pi/2
    assert jet == [1, 0, 0]


@needs_native
def test_includes_and_rates_of_joints_are_written_without_a_name_and_read(tmp_path):
    leg = build.Model("leg", gravity=[0, 0, 0])
    leg.revolute("hip", "ground", leg.rod("thigh", [0, 0, 0], [0, 0, -0.4]), at=[0, 0, 0], along=[0, 1, 0])
    leg.joint_rate("hip", angle=2.0)
    assert leg["joint_rates"] == [{"joint": "hip", "angle": 2.0}] and leg.check() == []
    assert tactus.Simulation(leg)["hip.angle"] == 0.0
    leg.write(tmp_path / "leg.json")
    whole = build.Model("whole", gravity=[0, 0, 0])
    for prefix, y in (("left_", 0.2), ("right_", -0.2)):
        whole.include(file="leg.json", prefix=prefix, position=[0, y, 0])
    whole.write(tmp_path / "whole.json")
    found = tactus.Simulation(tmp_path / "whole.json")
    assert found.bodies == ["left_thigh", "right_thigh"]
    again = build.read(tmp_path / "whole.json")
    assert again.to_dict() == whole.to_dict() and "name" not in again["includes"][0]
    assert build.read(tmp_path / "leg.json").to_dict() == leg.to_dict()
    walker = build.Model("walker")
    walker.add(again, at=[0, 0, 1])
    walker.add(build.read(tmp_path / "leg.json"), "third_")
    assert walker["includes"][1]["position"] == [0, -0.2, 1] and walker["joint_rates"][0]["joint"] == "third_hip"
    with pytest.raises(ValueError, match="Model.include"):
        walker.add(again, "p_")
    with pytest.raises(ValueError, match=r"joints\[0\] has no name"):
        build.read({"name": "m", "gravity": [0, 0, 0], "joints": [{"body_1": "ground"}]})


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_every_built_in_model_survives_reading_and_writing(path, tmp_path):
    content = json.loads(path.read_text())
    model = build.read(path)
    assert model.to_dict() == content
    if path.stem in ("sedan", "four_bar", "gear_train"):
        model.write(tmp_path / "m.json")
        assert build.read(tmp_path / "m.json").to_dict() == content
        model.write(tmp_path / "m.txtpb")
        assert build.read(tmp_path / "m.txtpb").bodies.keys() == model.bodies.keys()


def test_every_kind_of_the_schema_has_a_method_with_its_units():
    for collection in ("joints", "forces", "actuators", "sensors", "composites"):
        element = model_pb2.Model.DESCRIPTOR.fields_by_name[collection].message_type
        for field in element.oneofs_by_name["kind"].fields:
            method = getattr(build.Model, field.name)
            for inner in field.message_type.fields:
                assert f"{inner.name} :" in method.__doc__, (field.name, inner.name)
    assert "N/m, not below zero" in build.Model.translational_spring.__doc__


def test_words_arrays_and_elements_are_accepted_and_mistakes_named():
    model = build.Model("words")
    ball = model.body("ball", build.Sphere(0.1))
    model.translational_spring("rope", "ground", ball, at=np.array([[0, 0, 1.0], [0, 0, 0.1]]), stiffness=np.float64(5),
                               only="pull")
    spring = model["forces"][0]["translational_spring"]
    assert (spring["only"], spring["body_2"], spring["point_2"]) == ("SPRING_SIDE_PULL", "ball", [0.0, 0.0, 0.1])
    for call, text in (
        (lambda: model.body("ball", build.Sphere(1)), "taken"),
        (lambda: model.revolute("hinge", "ground", ball, at=[0, 0]), "one world vector"),
        (lambda: build.Box([1, 2, -3]), "above zero"),
        (lambda: build.Sphere(1, density=1, mass=1), "not both"),
        (lambda: model.body("none").to_dict(), "has no mass"),
        (lambda: model.body("tilted", orientation=[1, 1, 0, 0]), "unit quaternion"),
        (lambda: model.rod("point", [0, 0, 0], [0, 0, 0]), "one point"),
    ):
        with pytest.raises(ValueError, match=text):
            call()
    with pytest.raises(TypeError):
        model.revolute("hinge", "ground", ball, atz=[0, 0, 0])
    lost = build.Model("lost")
    lost.spherical("joint", "ground", "nobody", at=[0, 0, 0])
    with pytest.raises(ValueError, match="nobody"):
        lost.to_dict()


def test_a_model_is_drawn(tmp_path):
    pytest.importorskip("matplotlib")
    model = build.Model("shapes")
    for k, shape in enumerate([build.Box([1, 1, 1]), build.Sphere(1), build.Cylinder(1, 2), build.Capsule(1, 2),
                               build.Tube(1, 0.5, 2), build.Mesh(CUBE)]):
        model.body(f"body_{k}", shape, at=[3 * k, 0, 0])
    model.spherical("joint", "body_0", "body_1", at=[1.5, 0, 0])
    model.draw(tmp_path / "picture.svg")
    text = (tmp_path / "picture.svg").read_text()
    assert text.count("<path") > 50


def test_elements_of_the_constructor_stay_beside_those_of_the_methods():
    model = build.Model("m", bodies=[{"name": "b", "mass": 1.0}], actuators=[{"name": "first"}])
    model.body("a", build.Sphere(0.5, mass=2))
    assert [body["name"] for body in model.to_dict()["bodies"]] == ["b", "a"]
    assert [actuator["name"] for actuator in model.to_dict()["actuators"]] == ["first"]
