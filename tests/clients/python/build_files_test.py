"""Models in Python that name other files: included models are read from the folder of the model, as by the reader of files."""
# Covers: clients/python/tactus/build_files.py, clients/python/tactus/model_text.py, clients/python/native/message_source.cpp

import copy
import json
import os
import pickle

import pytest

import tactus
from conftest import needs_native
from tactus import build

pytestmark = needs_native


def part():
    model = build.Model("leg", gravity=[0, 0, 0])
    model.revolute("hip", "ground", model.rod("thigh", [0, 0, 0], [0, 0, -0.4]), at=[0, 0, 0], along=[0, 1, 0])
    return model


def robot(**arguments):
    model = build.Model("robot", **arguments)
    model.body("trunk", build.Box([0.6, 0.3, 0.2], mass=5), at=[0, 0, 1])
    model.spherical("hold", "ground", "trunk", at=[0, 0, 1])
    model.include("trunk", file="parts/leg.json", prefix="left_")
    return model


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "parts").mkdir()
    part().write(tmp_path / "parts/leg.json")
    return tmp_path


def refused(call):
    with pytest.raises(tactus.ModelInvalid) as caught:
        call()
    return str(caught.value)


def test_a_model_with_a_folder_runs_as_its_file_does(folder, monkeypatch):
    monkeypatch.chdir(folder)
    model = robot(folder=".")
    model.write("robot.json")
    of_file = tactus.Simulation("robot.json")
    of_file.step(20)
    monkeypatch.chdir("/")  # the folder is the one in which the model was made
    assert model.check() == [] and model.folder == folder
    for own in (model, build.read(folder / "robot.json"), copy.deepcopy(model), pickle.loads(pickle.dumps(model)),
                build.read(model)):
        simulation = tactus.Simulation(own)
        simulation.step(20)
        assert simulation.state_hash == of_file.state_hash and simulation.bodies == ["trunk", "left_thigh"]
    assert tactus.rollout(model, 20, parameters=[{}]).state_hashes == (of_file.state_hash,)
    run = tactus.offline(model, integrator="ali3p", until="20ms", step="1ms", outputs="energy.total")
    assert run.values[-1] == of_file["energy.total"]
    assert tactus.prescribe(model, {"left_hip": [0.0] * 11}).loads["left_hip"].shape == (10,)


def test_a_model_without_a_folder_is_told_what_to_do():
    model = robot()
    [finding] = model.check()
    assert finding.path == "includes[0].file" and "none is known" in finding.rule and "folder=" in finding.hint
    for call in (lambda: tactus.Simulation(model), lambda: tactus.Simulation(model.to_dict()),
                 lambda: tactus.rollout(model, 2, parameters=[{}]), lambda: tactus.prescribe(model, {"left_hip": [0.0] * 3}),
                 lambda: tactus.offline(model, integrator="ali3p", until="2ms")):
        assert "folder=" in refused(call)


def test_no_file_is_read_outside_of_the_folder(folder, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside")
    part().write(outside / "leg.json")
    model = robot(folder=folder)
    for name in (f"../{outside.name}/leg.json", str(outside / "leg.json")):
        model.elements["includes", "#0"].outer["file"] = name
        assert "must be a path from the folder" in refused(lambda: tactus.Simulation(model))
    os.symlink(outside / "leg.json", folder / "parts/link.json")
    model.elements["includes", "#0"].outer["file"] = "parts/link.json"
    assert "lead out of it" in model.check()[0].rule


def test_a_finding_in_an_included_file_has_its_line_there(folder):
    file = folder / "parts/leg.json"
    content = json.loads(file.read_text())
    content["bodies"][0]["mass"] = -1
    file.write_text(json.dumps(content, indent=1))
    line = 1 + next(k for k, text in enumerate(file.read_text().splitlines()) if '"mass": -1' in text)
    [finding] = robot(folder=folder).check()
    assert finding.path == "parts/leg.json: bodies[0].mass" and finding.line == line
    assert f"line {line}: parts/leg.json: bodies[0].mass = -1" in refused(lambda: tactus.Simulation(robot(folder=folder)))


def test_the_plan_of_a_sweep_has_the_content_of_the_files(folder, tmp_path):
    def columns(plan, out):
        return tactus.sweep(plan, tmp_path / out).columns["state_hash"].tolist()

    plan = {"model": robot(folder=folder), "until": "5ms", "variables": {"period": ["1ms", "500us"]},
            "metrics": {"last": {"final": "energy.total"}}}
    first = columns(plan, "first")
    inline = folder / "plan.json"
    inline.write_text(json.dumps(plan | {"model": plan["model"].to_dict()}))
    assert columns(inline, "second") == first  # the files that a content in a plan names are in the folder of the plan
    (folder / "parts/leg.json").unlink()
    assert columns(tmp_path / "first/plan.json", "third") == first
    with pytest.raises(ValueError, match=r"model: .*\n.*parts/leg.json.*cannot be opened"):
        tactus.sweep(inline, tmp_path / "fourth")


def test_a_part_brings_its_folder_with_it(folder, tmp_path_factory):
    whole = build.Model("whole")
    whole.add(robot(folder=folder), at=[0, 0, 1])
    assert whole.folder == folder and whole.check() == []
    other = build.Model("other", folder=tmp_path_factory.mktemp("other"))
    with pytest.raises(ValueError, match="into one folder"):
        other.add(robot(folder=folder))
    assert not other.bodies
    other.add(build.Model("plain", folder=folder))  # it names no file
    assert other.folder != folder


def test_a_server_gets_the_content_of_the_files(folder, client):
    model = robot(folder=folder)
    assert client.validate_model(model).valid
    client.load_model(model)
    with client.create_session("robot", clock="lockstep") as session:
        session.start()
        assert session.run(20, outputs=["left_thigh.r.z"]).values.shape == (20, 1)
    with client.create_session(model, clock="lockstep") as session:
        assert "left_thigh.r.z" in session
    assert not client.validate_model(model.to_dict()).valid


@pytest.mark.parametrize("model", [5, None, b"four_bar", ["four_bar"], {"four_bar"}])
def test_a_model_of_a_wrong_type_is_told(model):
    for call in (lambda: tactus.Simulation(model), lambda: tactus.rollout(model, 2, parameters=[{}]), lambda: build.read(model),
                 lambda: tactus.offline(model, integrator="ali3p", until="2ms"),
                 lambda: tactus.prescribe(model, {"hinge": [0.0] * 3}),
                 lambda: tactus.sensitivity(model, 2, ["mass"], outputs=["*"])):
        with pytest.raises(TypeError, match="model=|source="):
            call()


@pytest.mark.parametrize("text, told", [
    ("{", "line 1: "), ("[]", "a model is an object"), ('{"bodies": [{"mass": 1}]}', r"bodies\[0\] has no name"),
    ('{"bodies": [5]}', r"bodies\[0\] is not an object"), ('{"bodies": {"a": 1}}', "bodies is not a list"),
    ('{"joints": [5]}', r"joints\[0\] is not an object")])
def test_a_file_that_is_no_model_is_told_with_its_name(text, told, tmp_path):
    file = tmp_path / "model.json"
    file.write_text(text)
    with pytest.raises(ValueError, match=f"model.json: .*{told}"):
        build.read(file)
