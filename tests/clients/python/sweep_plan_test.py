"""Plans of sweeps: all mistakes are told at once, before anything is written; models beside the plan; refused values."""
# Covers: clients/python/tactus/sweep_plan.py, clients/python/tactus/sweep_checks.py, clients/python/tactus/sweep_case.py

import json
import math
import shutil
import subprocess

import numpy as np
import pytest

import tactus
from conftest import BUILD, needs_native
from tactus.sweep_plan import Plan

pytestmark = needs_native
PLAN = {"model": "motor_four_bar", "until": "20ms", "period": "1ms",
        "variables": {"parameters.rocker_mass": [0.5, 1.0]}, "metrics": {"last": {"final": "crank_angle"}}}


def run(plan, out, cwd=None):
    return subprocess.run([BUILD / "tactus", "sweep", plan, "--out", out], capture_output=True, text=True, cwd=cwd)


def mistakes(change):
    with pytest.raises(ValueError) as caught:
        Plan(PLAN | change)
    return str(caught.value)


@pytest.mark.parametrize("name", ["case", "id", "seed", "end", "stopped", "fault", "state_hash", "model_hash", "file",
                                  "provenance", "allow_pickle", "parameters.rocker_mass"])
def test_a_metric_with_the_name_of_another_column_is_refused(name):
    assert f"metrics.{name}: " in mistakes({"metrics": {name: {"final": "crank_angle"}}})


@pytest.mark.parametrize("change, text", [
    ({"every": -1}, "every = -1: write a whole number of at least 1"), ({"every": 0}, "every = 0"),
    ({"every": 1.5}, "every = 1.5"), ({"every": None}, "every = None"), ({"every": "2"}, "every = '2'"),
    ({"every": 21}, "every = 21: a case has 20 ticks of 1 ms"),
    ({"every": 15, "variables": {"period": ["1ms", "2ms"]}}, "every = 15: a case has 10 ticks of 2 ms"),
    ({"threads": 0}, "threads = 0"), ({"threads": "two"}, "threads = 'two'"), ({"threads": True}, "threads = True"),
    ({"threads": 2**31}, "write at most 2147483647"), ({"every": 1e300, "integrator": "bdf"}, "write at most"),
    ({"seed": 1.5}, "seed = 1.5"), ({"seed": None}, "seed = None"), ({"period": "1x"}, "period: '1x'"),
    ({"seed": -1, "design": "sobol", "cases": 2, "variables": {"inputs.motor": [0, 1]}}, "seed = -1"),
    ({"cases": True, "design": "sobol", "variables": {"inputs.motor": [0, 1]}}, "cases = True"),
    ({"period": None}, "period: "), ({"period": []}, "period: "), ({"variables": {"period": ["1x"]}}, "variables.period: "),
    ({"variables": [1]}, "variables = [1]: write an object"), ({"variables": []}, "variables"),
    ({"metrics": ["a"]}, "metrics = ['a']: write an object"), ({"inputs": ["a"]}, "inputs = ['a']: write an object"),
    ({"inputs": None}, "inputs = None"), ({"parameters": [1]}, "parameters = [1]: write an object"),
    ({"parameters": {"rocker_mass": "1"}}, "parameters.rocker_mass = '1': write a finite number"),
    ({"settings": {"iterations": None}}, "settings.iterations = None"), ({"settings": 3}, "settings = 3"),
    ({"stop": "crank_angle > 1"}, "stop = 'crank_angle > 1': write a list of expressions"),
    ({"stop": {"a": "crank_angle > 1"}}, "write a list of expressions"), ({"stop": None}, "stop = None"),
    ({"variables": {"parameters.rocker_mass": [None, 1]}}, "variables.parameters.rocker_mass = None"),
    ({"variables": {"parameters.rocker_mass": [[1, 2], 1]}}, "variables.parameters.rocker_mass = [1, 2]"),
    ({"variables": {"inputs.motor": [math.nan]}}, "variables.inputs.motor = nan: write a finite number"),
    ({"variables": {"inputs.motor": 1}}, "a grid takes a list of values"),
    ({"variables": {"initial_condition": [1]}}, "variables.initial_condition = 1"),
    ({"initial_condition": 1}, "initial_condition = 1"), ({"integrator": 1}, "integrator = 1"),
    ({"inputs": {"motor": "1/0"}}, "its value is not finite"), ({"inputs": {"motor": "9**9**9"}}, "is not finite"),
    ({"inputs": {"motor": "abs(t, 1, 2)"}}, "abs takes 1"), ({"model": 5}, "model = 5"), ({"design": ["grid"]}, "design"),
    ({"metrics": {"m": {"settling": "crank_angle", "band": True}}}, "the options are finite numbers"),
    ({"metrics": {"m": {"settling": "crank_angle", "band": -1}}}, "band = -1: write at least 0"),
    ({"metrics": {"": {"final": "crank_angle"}}}, "the name '' heads a column"),
    ({"metrics": {"a,b": {"final": "crank_angle"}}}, "the name 'a,b' heads a column"),
    ({"step": "1ms"}, "step = '1ms': it is that of an integrator"),
    ({"inputs": {"motor": "1"}, "variables": {"inputs.motor": [1]}}, "inputs.motor: a variable has this name, too"),
    ({"design": "sobol", "cases": 2, "variables": {"inputs.motor": {"from": 1, "to": 2}}}, "two numbers, the lowest and the highest "
     "value: [1, 2]"),
    ({"design": "latin-hypercube", "cases": 1000001, "variables": {"inputs.motor": [0, 1]}}, "the plan has 1000001 cases"),
    ({"variables": {f"parameters.{x}": [0.1] * 1000 for x in "abc"}}, "the plan has 1000000000 cases; a plan has at most 1000000"),
    ({"variables": {"inputs.motor": [object()]}}, "cannot be written as JSON"), ({"model": "nobody.json"}, "no file"),
])
def test_a_malformed_entry_is_a_mistake_with_its_place(change, text):
    assert text in mistakes(change)


def test_all_mistakes_are_told_with_the_exit_code_of_wrong_usage(tmp_path):
    plan = tmp_path / "plan.json"
    plan.write_text(json.dumps(PLAN | {"every": 0, "threads": "two", "period": "1x", "stop": "x", "inputs": [],
                                       "metrics": {"id": {"max": "crank_angle"}}, "seed": 0.5}))
    result = run(plan, tmp_path / "out")
    assert result.returncode == 2 and "Traceback" not in result.stderr, result.stderr
    for name in ("every", "threads", "period", "stop", "inputs", "metrics.id", "seed"):
        assert f"\n  {name}" in result.stderr
    assert not (tmp_path / "out").exists()


def test_a_plan_without_its_file_is_wrong_usage(tmp_path):
    for plan in (tmp_path / "nothere.json", tmp_path):
        result = run(plan, tmp_path / "out")
        assert result.returncode == 2 and str(plan) in result.stderr and "Traceback" not in result.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("argument, kind", [
    ({"shard": 1}, TypeError), ({"shard": (1, 2)}, TypeError), ({"shard": "3/2"}, ValueError), ({"workers": 0}, ValueError),
    ({"workers": -1}, ValueError), ({"workers": "2"}, TypeError), ({"workers": 1.5}, TypeError)])
def test_a_wrong_argument_is_told_before_anything_is_written(argument, kind, tmp_path):
    with pytest.raises(kind, match=next(iter(argument))):
        tactus.sweep(PLAN, tmp_path / "out", **argument)
    assert not (tmp_path / "out").exists()


def test_every_is_compared_with_the_ticks_of_the_period_of_the_model(tmp_path):
    content = {key: value for key, value in PLAN.items() if key != "period"}
    with pytest.raises(ValueError, match="every = 1000"):
        tactus.sweep(content | {"every": 1000}, tmp_path / "out")
    assert not (tmp_path / "out").exists()
    columns = tactus.sweep(content | {"every": 20}, tmp_path / "out").columns
    assert np.isfinite(columns["last"]).all()


@pytest.mark.parametrize("period", [{}, {"period": "2ms"}])
def test_every_beyond_the_ticks_of_a_case_is_told_with_file_field_and_value(period, tmp_path):
    plan = tmp_path / "plan.json"
    content = {key: value for key, value in PLAN.items() if key != "period"} | period | {"every": 1000}
    plan.write_text(json.dumps(content))
    result = run(plan, tmp_path / "out")
    assert result.returncode == 2
    assert f"{plan}: the plan has mistakes:\n  every = 1000: a case has " in result.stderr and "write at most " in result.stderr


@pytest.mark.parametrize("content, text", [
    (b"[1]", "a plan is a JSON object"), (b"{", "line 1: "), (b'{"model": "\xe9"}', "is not UTF-8 text: byte 11"),
    (b"[" * 100000, "nested too deep")])
def test_a_file_that_is_no_plan_is_told_with_its_name(content, text, tmp_path):
    plan = tmp_path / "plan.json"
    plan.write_bytes(content)
    result = run(plan, tmp_path / "out")
    assert result.returncode == 2 and f"{plan}: {text}" in result.stderr and "Traceback" not in result.stderr


def test_arrays_of_numpy_are_lists_of_values(tmp_path):
    content = PLAN | {"variables": {"parameters.rocker_mass": np.linspace(0.5, 1, 2)}}
    assert Plan(content).hash == Plan(PLAN).hash


def test_until_between_two_ticks_ends_with_the_next_tick(tmp_path):
    columns = tactus.sweep(PLAN | {"until": "4500us"}, tmp_path / "out").columns
    assert columns["end"].tolist() == [0.005, 0.005]
    method = PLAN | {"until": "4500us", "integrator": "newmark-tangent", "step": "1ms"}
    with pytest.raises(tactus.RequestInvalid, match="whole number of steps"):
        tactus.sweep(method, tmp_path / "method")


def text_form(model):
    from google.protobuf import json_format, text_format
    from tactus.v1 import model_pb2

    return text_format.MessageToString(json_format.ParseDict(model, model_pb2.Model()))


@pytest.mark.parametrize("suffix", [".json", ".txtpb"])
def test_a_model_beside_the_plan_is_found_from_any_folder_and_decides_the_hash(suffix, tmp_path):
    place, other = tmp_path / "place", tmp_path / "other"
    place.mkdir()
    other.mkdir()
    model = tactus.build.read("motor_four_bar").to_dict() | {"name": "mine"}
    write = json.dumps if suffix == ".json" else text_form
    (place / f"mine{suffix}").write_text(write(model))
    (place / "plan.json").write_text(json.dumps(PLAN | {"model": f"mine{suffix}"}))
    result = run("../place/plan.json", "out", cwd=other)
    assert result.returncode == 0, result.stderr
    first = Plan(place / "plan.json").hash
    # The stored plan is complete: the folder goes on without the file.
    assert Plan(other / "out/plan.json").hash == first
    model["gravity"] = [0, -1.6, 0]
    (place / f"mine{suffix}").write_text(write(model))
    assert Plan(place / "plan.json").hash != first
    (place / f"mine{suffix}").write_text("{")
    with pytest.raises(ValueError, match=f"model: .*mine{suffix}"):
        Plan(place / "plan.json")
    shutil.rmtree(other / "out")
    (place / f"mine{suffix}").unlink()
    missing = run("../place/plan.json", "out", cwd=other)
    assert missing.returncode == 2 and f"mine{suffix}" in missing.stderr


def test_a_model_that_includes_files_is_complete_in_the_plan(tmp_path):
    ball = {"name": "ball", "gravity": [0, 0, 0],
            "bodies": [{"name": "b", "mass": 1, "inertia": {"xx": 1, "yy": 1, "zz": 1}}]}
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts/ball.json").write_text(json.dumps(ball))
    whole = {"name": "whole", "gravity": [0, 0, -10], "includes": [{"prefix": "left_", "file": "parts/ball.json"}]}
    (tmp_path / "whole.json").write_text(json.dumps(whole))
    (tmp_path / "plan.json").write_text(json.dumps(
        {"model": "whole.json", "until": "100ms", "variables": {"period": ["1ms"]},
         "metrics": {"fall": {"final": "left_b.r.z"}}}))
    first = Plan(tmp_path / "plan.json")
    result = tactus.sweep(tmp_path / "plan.json", tmp_path / "out")
    # -g t^2 / 2; the integrator is exact for a constant acceleration up to round-off.
    assert result.columns["fall"][0] == pytest.approx(-0.05, rel=1e-9)
    ball["bodies"][0]["mass"] = 2
    (tmp_path / "parts/ball.json").write_text(json.dumps(ball))
    assert Plan(tmp_path / "plan.json").hash != first.hash
    ball["bodies"][0]["masss"] = 2
    (tmp_path / "parts/ball.json").write_text(json.dumps(ball))
    with pytest.raises(ValueError, match="masss"):
        Plan(tmp_path / "plan.json")


@pytest.mark.parametrize("change", [
    {"metrics": {"m": {"max": "crank_angel"}}}, {"variables": {"parameters.rocker_mas": [1]}}, {"model": "motor_for_bar"},
    {"inputs": {"moter": "1"}}, {"settings": {"iterationz": 3}}, {"variables": {"initial_condition": ["", "spining"]}},
    {"stop": ["crank_angel > 1"]}, {"parameters": {"rocker_mass": 0.01}, "variables": {"inputs.motor": [0]}},
    {"integrator": "newmark-tangentt"}, {"integrator": "newmark-tangent", "settings": {"iterationz": 3}},
    {"inputs": {"motor": "1 / (t - t)"}}, {"variables": {"inputs.motor": [1e300]}},
])
def test_a_wrong_name_blocks_no_folder(change, tmp_path):
    with pytest.raises(tactus.TactusError):
        tactus.sweep(PLAN | change, tmp_path / "out")
    assert tactus.sweep(PLAN, tmp_path / "out") is not None


@pytest.mark.parametrize("method", [{}, {"integrator": "newmark-tangent", "step": "1ms"}])
def test_a_refused_value_is_a_row_with_its_reason_and_the_others_run(method, tmp_path):
    plan = tmp_path / "plan.json"
    content = PLAN | method | {"variables": {"parameters.rocker_mass": [0.5, 1, 2, 0.01, 3]}}
    plan.write_text(json.dumps(content))
    result = run(plan, tmp_path / "out")
    assert result.returncode == 1 and "5 cases, 1 with a fault" in result.stdout, result.stderr
    assert "case 3: VALUE_OUT_OF_RANGE: rocker_mass = 0.01 is below 0.1" in result.stdout
    loaded = tactus.sweep(plan, tmp_path / "out")
    columns = loaded.columns
    assert [bool(fault) for fault in columns["fault"]] == [False, False, False, True, False]
    assert np.isnan(columns["last"]).tolist() == [False, False, False, True, False]
    assert columns["state_hash"][3] == columns["model_hash"][3] == "" and len(loaded.provenance["models"]) == 4
    # The first case refused, too: another one is tried.
    first = PLAN | method | {"variables": {"parameters.rocker_mass": [0.01, 1]}}
    assert tactus.sweep(first, tmp_path / "first").columns["fault"][1] == ""


def test_a_value_that_is_refused_later_is_a_row_with_its_reason(tmp_path):
    # Out of range from 0.5 s on, far behind the first part.
    content = PLAN | {"until": "1s", "inputs": {"motor": "10 * t"}}
    columns = tactus.sweep(content, tmp_path / "out").columns
    assert all("VALUE_OUT_OF_RANGE" in fault for fault in columns["fault"])


def test_a_model_that_was_built_in_python_is_a_model_of_a_plan(tmp_path):
    model = tactus.build.Model("ball")
    model.body("ball", tactus.build.Sphere(0.1, density=np.float64(7800)), at=np.array([0, 0, 5]))
    model.body_force("lift", "ball", direction=[0, 0, 1])
    plan = {"model": model, "until": "0.1s", "period": "1ms", "variables": {"inputs.lift": np.array([0.0, 100.0])},
            "metrics": {"height": {"final": "ball.r.z"}}}
    columns = tactus.sweep(plan, tmp_path / "out").columns
    alone = tactus.Simulation(model, period="1ms")
    alone.run("0.1s", inputs={"lift": 100.0})
    assert columns["height"][1] == alone["ball.r.z"] and columns["state_hash"][1] == alone.state_hash
