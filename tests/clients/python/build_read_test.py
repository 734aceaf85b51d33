"""What Python reads from files of models, and adds to others, is what the reader of files sees."""
# Covers: clients/python/tactus/build_read.py, clients/python/tactus/build_assembly.py

import json
import math

import numpy as np
import pytest

import tactus
from conftest import needs_native
from tactus import build

pytestmark = needs_native

BODY = {"name": "b", "mass": 1, "inertia": {"xx": 1, "yy": 1, "zz": 1}}
CORNERS = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
FACES = np.array([[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4],
                  [1, 5, 7], [1, 7, 3]])


def model_of(**more):
    return {"name": "m", "gravity": [0, 0, 0], "bodies": [dict(BODY)], **more}


def test_a_model_without_gravity_stays_without_it():
    content = model_of()
    del content["gravity"]
    model = build.read(content)
    assert model.gravity is None and model.to_dict() == content
    assert [finding.path for finding in model.check() if finding.severity == "error"] == ["gravity"]
    whole = build.Model("whole", gravity=[0, 0, 0])
    whole.add(model, "p_")
    assert whole.check() == []


@pytest.mark.parametrize("text, why", [
    ('{"name": "m", "gravity": [0, 0, 0], "gravity": [0, 0, 1]}', "the field 'gravity' is given twice"),
    ('{"name": "m", "bodies": [{"name": "b", "mass": 1, "mass": 2}]}', "the field 'mass' is given twice"),
])
def test_a_field_that_is_given_twice_is_refused(tmp_path, text, why):
    path = tmp_path / "m.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=why):
        build.read(path)


def test_a_file_may_begin_with_a_byte_order_mark(tmp_path):
    path = tmp_path / "m.json"
    path.write_text(json.dumps(model_of()), encoding="utf-8-sig")
    assert build.read(path).to_dict() == model_of()
    assert not build.read(path).check()


def test_lower_camel_case_names_of_fields_are_read_and_move():
    joint = {"name": "j", "body1": "ground", "body2": "b", "spherical": {"point1": [1, 0, 0], "point2": [0, 0, 0]}}
    part = build.read(model_of(joints=[joint]))
    assert part["joints"][0]["body_1"] == "ground"
    whole = build.Model("whole", gravity=[0, 0, 0])
    whole.add(part, "p_", at=[0, 0, 5])
    assert whole["joints"][0] == {"name": "p_j", "body_1": "ground", "body_2": "p_b",
                                  "spherical": {"point_1": [1, 0, 5], "point_2": [0, 0, 0]}}


def test_a_body_with_a_placement_has_no_place_in_python():
    model = build.read(model_of(bodies=[BODY | {"placement": {"position": [1, 2, 3]}}]))
    body = model.bodies["b"]
    for place in (body.mass_frame, lambda: body.point([0, 0, 0]), lambda: body.direction([0, 0, 1])):
        with pytest.raises(ValueError, match="follows from its placement"):
            place()
    assert model.to_dict()["bodies"][0]["placement"] == {"position": [1, 2, 3]}


def test_a_part_renames_references_and_targets_alone():
    part = build.read(model_of(
        bodies=[BODY | {"name": "left"}, BODY | {"name": "b", "position": [1, 0, 0]}],
        roads=[{"name": "street", "description": "left", "marks": [{"side": "left"}]}],
        forces=[{"name": "s", "translational_spring": {"body_1": "left", "body_2": "b", "stiffness": 2}}],
        parameters=[{"name": "p", "targets": ["forces[s].stiffness"]}]))
    whole = build.Model("whole", gravity=[0, 0, 0])
    whole.add(part, "p_")
    whole.add(part, "q_")
    road = whole["roads"][0]
    assert road["description"] == "left" and road["marks"] == [{"side": "left"}]
    assert [parameter["targets"] for parameter in whole["parameters"]] == [["forces.p_s.stiffness"], ["forces.q_s.stiffness"]]
    assert whole["forces"][1]["translational_spring"]["body_1"] == "q_left"


@pytest.mark.parametrize("ending", ["json", "txtpb"])
def test_a_number_that_is_not_finite_is_not_written(tmp_path, ending):
    model = build.read(model_of())
    model.bodies["b"].fields["mass"] = math.nan
    path = tmp_path / f"m.{ending}"
    with pytest.raises(ValueError, match=r"finite numbers alone, and these are none: bodies\[0\].mass"):
        model.write(path)
    assert not path.exists()


def test_text_that_is_not_utf_8_is_a_finding(tmp_path):
    path = tmp_path / "m.json"
    path.write_bytes(json.dumps(model_of()).encode().replace(b'"b"', b'"b\xff"'))
    with pytest.raises(tactus.ModelInvalid):
        tactus.Simulation(str(path))


def test_a_small_mesh_far_from_its_origin_has_the_inertia_of_a_cube():
    side = 0.01
    found = build.Mesh((side * CORNERS + [100, 0, 0], FACES), density=1000).properties()
    moment = 1000 * side**3 * side**2 / 6
    # The vertices carry the round-off of 100 m, 1e-14 m: 1e-12 of the side.
    np.testing.assert_allclose(found.inertia, moment * np.eye(3), atol=1e-8 * moment)
    np.testing.assert_allclose(found.center, np.array([100, 0, 0]) + side / 2, rtol=1e-12)


def test_a_part_of_a_mesh_that_faces_inward_is_a_cavity_inside_another_part():
    inward = FACES[:, ::-1] + len(CORNERS)
    hollow = build.Mesh((np.vstack([CORNERS, 0.5 * CORNERS + 0.25]), np.vstack([FACES, inward])), density=1)
    assert hollow.properties().mass == pytest.approx(1 - 0.125)
    with pytest.raises(ValueError, match="a part of 12 triangles faces inward"):
        build.Mesh((np.vstack([CORNERS, 0.5 * CORNERS + [3, 0, 0]]), np.vstack([FACES, inward])), density=1)
    two = build.Mesh((np.vstack([CORNERS, CORNERS + [3, 0, 0]]), np.vstack([FACES, FACES + len(CORNERS)])), density=1)
    assert two.properties().mass == pytest.approx(2)
