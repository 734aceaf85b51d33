"""Models: built in, from a file, from a dict."""
# Covers: clients/python/tactus/client.py, clients/python/tactus/client_recordings.py, clients/python/tactus/connection.py
# Covers: clients/python/tactus/model_source.py, clients/python/tactus/model_text.py

import json
import warnings

import numpy
import pytest

import tactus


@pytest.fixture
def description(client):
    """A built-in model as a dict, under a name of its own."""
    found = client.model("motor_four_bar")
    found["name"] = "my_four_bar"
    return found


def test_the_list_of_models_contains_the_default_model(client):
    models = {model.name: model for model in client.models()}
    assert models["motor_four_bar"].built_in
    assert models["motor_four_bar"].bodies == len(client.model("motor_four_bar")["bodies"])


def test_a_model_from_a_dict_runs(client, description):
    assert client.load_model(description, replace=True).info.name == "my_four_bar"
    with client.create_session("my_four_bar", clock="lockstep") as loaded:
        with client.create_session(description, clock="lockstep") as inline:
            with client.create_session("motor_four_bar", clock="lockstep") as built_in:
                hashes = {session.step(50).state_hash for session in (loaded, inline, built_in)}
    assert len(hashes) == 1


def test_a_dict_may_hold_numpy_arrays_and_numbers(client, description):
    body = description["bodies"][0]
    body["position"] = numpy.array(body["position"])
    body["mass"] = numpy.float64(body["mass"])
    client.load_model(description, replace=True)
    with client.create_session(description, clock="lockstep") as inline:
        with client.create_session("motor_four_bar", clock="lockstep") as built_in:
            assert inline.step(50).state_hash == built_in.step(50).state_hash
    body["mass"] = object()
    with pytest.raises(TypeError, match="cannot be part of a model"):
        client.load_model(description)


def test_a_dict_with_an_unknown_field_is_refused_alike_everywhere(client, description):
    description["bodiez"] = []
    for call in (client.load_model, client.create_session):
        with pytest.raises(tactus.ModelInvalid) as caught:
            call(description)
        assert any("bodiez" in finding.path + finding.rule + finding.value for finding in caught.value.findings)


def test_a_file_is_no_name_of_a_model(client):
    with pytest.raises(ValueError, match="load_model"):
        client.create_session("crane.json")


def test_a_model_from_a_file_runs(client, description, tmp_path):
    file = tmp_path / "my_four_bar.json"
    description["name"] = "from_file"
    file.write_text(json.dumps(description, indent=2))
    client.load_model(file)
    assert "from_file" in [model.name for model in client.models()]


def test_every_finding_on_a_file_names_its_line(client, description, tmp_path):
    description["bodies"][0]["mass"] = -1.0
    description["bodies"][1]["colour"] = "red"
    file = tmp_path / "broken.json"
    file.write_text(json.dumps(description, indent=2))
    lines = file.read_text().splitlines()

    answer = client.validate_model(file)
    assert not answer.valid
    with pytest.raises(tactus.ModelInvalid) as caught:
        client.load_model(str(file))
    for findings in (answer.findings, caught.value.findings):
        mass = next(finding for finding in findings if finding.path == "bodies[0].mass")
        assert "-1" in lines[mass.line - 1]
        assert any("colour" in lines[finding.line - 1] for finding in findings)


def test_validation_does_not_store_the_model(client, description):
    description["name"] = "only_looked_at"
    assert client.validate_model(description).valid
    assert "only_looked_at" not in [model.name for model in client.models()]


def test_findings_on_a_dict_name_no_line_and_come_once(client, description):
    description["bodies"][0]["mass"] = -1.0
    description["bodiez"] = []
    for call in (client.load_model, client.create_session):
        with pytest.raises(tactus.ModelInvalid) as caught:
            call(description)
        text = str(caught.value)
        assert {finding.line for finding in caught.value.findings} == {0}
        assert "line" not in text
        assert sum("bodiez" in row for row in text.splitlines()) == 1
    assert {finding.line for finding in client.validate_model(description).findings} == {0}
    del description["bodiez"]
    with pytest.raises(tactus.ModelInvalid) as caught:
        client.create_session(description)
    assert str(caught.value).count("bodies[0].mass") == 1


def test_a_model_that_replaces_another_one_says_so(client, description):
    description["name"] = "loaded_twice"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert not client.load_model(description).replaced
        assert client.load_model(description, replace=True).replaced
    with pytest.warns(tactus.ModelReplacedWarning, match="loaded_twice") as caught:
        assert client.load_model(description).replaced
    assert caught[0].filename == __file__
    # A session keeps the model that it was created with.
    with client.create_session("loaded_twice", clock="lockstep") as session:
        before = session.step(1).state_hash
        description["gravity"] = [0, 0, 0]
        client.load_model(description, replace=True)
        session.reset()
        assert session.step(1).state_hash == before


def test_a_model_that_is_removed_leaves_its_sessions_and_its_name(client, description):
    description["name"] = "removed"
    client.load_model(description)
    with client.create_session("removed", clock="lockstep") as session:
        before = session.step(1).state_hash
        client.unload_model("removed")
        assert "removed" not in [model.name for model in client.models()]
        session.reset()
        assert session.step(1).state_hash == before
        with pytest.raises(tactus.ModelUnknown):
            client.create_session("removed", clock="lockstep")
        assert not client.load_model(description).replaced
    client.unload_model("removed")
    with pytest.raises(tactus.ModelUnknown, match="no model"):
        client.unload_model("removed")
    with pytest.raises(tactus.RequestInvalid, match="built-in"):
        client.unload_model("four_bar")


def test_a_parameter_takes_both_ends_of_its_range(client, description):
    spring = {"body_1": "ground", "body_2": description["bodies"][0]["name"], "point_1": [0.0, 5.0, 0.0],
              "point_2": [0.0, 0.0, 0.0], "damping": 2.0}
    description["forces"] = [*description.get("forces", []), {"name": "spring", "translational_spring": spring}]
    target = "forces.spring.translational_spring.damping"
    description["parameters"] = [{"name": "damping", "targets": [target], "minimum": 0.0, "maximum": 5.0}]
    with client.create_session(description, clock="lockstep") as session:
        hashes = []
        for value in (0.0, 5.0):
            session.reset()
            session.set_parameters(damping=value)
            hashes.append(session.step(200).state_hash)
        assert hashes[0] != hashes[1]
        session.reset()
        session.set_parameters(damping=0.0)
        assert session.step(200).state_hash == hashes[0]
