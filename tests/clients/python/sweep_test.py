"""Sweeps: pure functions of a plan, the same file for any shards and kills, clear errors, recipes of engines."""
# Covers: clients/python/tactus/sweep_run.py, clients/python/tactus/sweep_plan.py, clients/python/tactus/sweep_case.py
# Covers: clients/python/tactus/builds.py, clients/python/tactus/sweep_command.py, clients/python/tactus/sweep_recipes.py, clients/cli/sweep.cpp
# Covers: clients/python/tactus/sweep_dask.py

import json
import math
import os
import random
import shutil
import signal
import subprocess
import time

import numpy as np
import pytest

import tactus
from conftest import BUILD, HAS_NATIVE, needs_native
from tactus.sweep_plan import Plan

if HAS_NATIVE:
    import tactus.sweep_command
    import tactus.sweep_dask
    import tactus.sweep_run

pytestmark = needs_native
PLAN = {
    "model": "motor_four_bar", "until": "300ms", "period": "1ms", "seed": 7,
    "variables": {"parameters.rocker_mass": [0.2, 0.6, 1.5, 4.0], "inputs.motor": [0.0, 0.4, 0.8]},
    "metrics": {"peak": {"max": "crank_angle"}, "effort": {"rms": "motor * crank_rate"},
                "crossed": {"crossing": "crank_angle", "level": 1.2}, "last": {"final": "crank_angle"}},
}


def run(*words, cwd=None, environment=()):
    command = [BUILD / "tactus", "sweep", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, env=os.environ | dict(environment))


@pytest.fixture
def plan(tmp_path):
    path = tmp_path / "plan.json"
    path.write_text(json.dumps(PLAN))
    return path


@pytest.fixture
def expected(tmp_path):
    tactus.sweep(PLAN, tmp_path / "expected")
    return (tmp_path / "expected/results.npz").read_bytes(), (tmp_path / "expected/results.csv").read_text()


def test_a_case_has_the_numbers_of_the_same_run_alone(tmp_path):
    result = tactus.sweep(PLAN, tmp_path / "out")
    columns = result.columns
    assert len(columns["case"]) == 12 and not any(columns["fault"])
    assert len(set(columns["id"])) == len(set(columns["seed"])) == 12
    for k in (0, 7):
        own = tactus.Simulation("motor_four_bar", period="1ms",
                                parameters={"rocker_mass": columns["parameters.rocker_mass"][k]})
        block = own.run("300ms", {"motor": columns["inputs.motor"][k]}, ["crank_angle", "crank_rate", "motor"])
        assert columns["state_hash"][k] == own.state_hash
        assert columns["peak"][k] == block["crank_angle"].max()
        assert columns["effort"][k] == np.sqrt(np.mean((block["motor"] * block["crank_rate"]) ** 2))
        assert columns["last"][k] == block["crank_angle"][-1]
    assert result.provenance["plan"] and len(result.provenance["models"]) == 4


def test_shards_in_any_split_give_the_same_files(plan, expected, tmp_path):
    for count in (1, 3):
        out = tmp_path / f"in_{count}"
        order = list(range(1, count + 1))
        random.Random(count).shuffle(order)
        for k in order[:-1]:
            assert run(plan, "--shard", f"{k}/{count}", "--out", out).returncode == 0
            missing = run("collect", out)
            assert missing.returncode == 1 and "missing" in missing.stderr
        last = run(plan, "--shard", f"{order[-1]}/{count}", "--out", out)
        assert last.returncode == 0 and "12 cases, 0 with a fault" in last.stdout, last.stderr
        assert ((out / "results.npz").read_bytes(), (out / "results.csv").read_text()) == expected
    assert run("show", tmp_path / "in_3", "--plot", tmp_path / "plain").returncode == 0
    assert (tmp_path / "plain").read_bytes().startswith(b"\x89PNG") and not (tmp_path / "plain.png").exists()
    refused = run("show", tmp_path / "in_3", "--plot", tmp_path / "picture.xyz")
    assert refused.returncode == 2 and "no format .xyz" in refused.stderr and not (tmp_path / "picture.xyz").exists()
    shown = run("show", tmp_path / "in_3", "--plot", tmp_path / "picture.svg")
    assert shown.returncode == 0 and "peak" in shown.stdout, shown.stderr
    assert (tmp_path / "picture.svg").exists()


def test_a_folder_without_a_result_says_what_it_lacks(plan, tmp_path):
    empty = tmp_path / "empty"
    empty.mkdir()
    for command in ("show", "collect"):
        nothing = run(command, tmp_path / "nothing")
        assert nothing.returncode == 2 and "nothing: there is no such folder; name the --out of a sweep" in nothing.stderr
        other = run(command, empty)
        assert other.returncode == 2 and "has no plan.json: it is no folder of a sweep" in other.stderr
    assert run(plan, "--shard", "1/3", "--out", tmp_path / "out").returncode == 0
    part = run("show", tmp_path / "out")
    assert part.returncode == 1 and "are not collected yet; `tactus sweep collect --partial`" in part.stderr
    for case in (tmp_path / "out/cases").iterdir():
        case.unlink()
    begun = run("show", tmp_path / "out")
    assert begun.returncode == 1 and "has no results.npz: no case has ended yet" in begun.stderr


def test_a_summary_as_json_has_the_content_of_the_table(tmp_path):
    result = tactus.sweep(PLAN | {"metrics": PLAN["metrics"] | {"never": {"crossing": "crank_angle", "level": 1e6}}},
                          tmp_path / "out")
    table = run("show", tmp_path / "out").stdout
    shown = run("show", tmp_path / "out", "--json")
    assert shown.returncode == 0, shown.stderr
    summary = json.loads(shown.stdout)
    assert summary["builds"] == result.provenance["builds"]
    rows = [line.split() for line in table.splitlines()[1:] if not line.startswith("build ")]
    assert [row[0] for row in rows] == [column["name"] for column in summary["columns"]]
    for row, column in zip(rows, summary["columns"]):
        figures = [column[name] for name in ("minimum", "mean", "maximum")]
        assert row[1:] == [str(column["finite"]), *("-" if x is None else f"{x:.6g}" for x in figures)]
    columns = {column.pop("name"): column for column in summary["columns"]}
    assert columns["never"] == {"finite": 0, "minimum": None, "mean": None, "maximum": None}
    assert columns["peak"]["maximum"] == result.columns["peak"].max()


def test_killed_workers_lose_their_running_cases_only(tmp_path):
    content = PLAN | {"until": "2s", "variables": {"parameters.rocker_mass": np.linspace(0.2, 4, 40).tolist()}}
    tactus.sweep(content, tmp_path / "whole")
    plan = tmp_path / "plan.json"
    plan.write_text(json.dumps(content))
    out = tmp_path / "killed"
    dice = random.Random(1)
    finished = {}
    for _ in range(10):
        process = subprocess.Popen([BUILD / "tactus", "sweep", plan, "--out", out], stdout=subprocess.DEVNULL)
        # Once it has written a case more than before, or is through.
        wanted = len(finished) + dice.randrange(1, 4)
        while process.poll() is None and len(list((out / "cases").glob("0*.json"))) < wanted:
            time.sleep(0.002)
        process.send_signal(signal.SIGKILL)
        process.wait()
        now = {path.name: path.stat().st_mtime_ns for path in (out / "cases").glob("0*.json")}
        assert finished.items() <= now.items(), "a finished case was lost, or was run twice"
        finished = now
    last = run(plan, "--out", out)
    assert last.returncode == 0, last.stderr
    assert {n: (out / "cases" / n).stat().st_mtime_ns for n in finished} == finished
    assert (out / "results.npz").read_bytes() == (tmp_path / "whole/results.npz").read_bytes()


def test_samples_of_designs_fill_the_ranges_and_depend_on_the_seed_only(tmp_path):
    pytest.importorskip("scipy")
    for design in ("latin-hypercube", "sobol"):
        content = PLAN | {"design": design, "cases": 16, "until": "2ms",
                          "variables": {"parameters.rocker_mass": [0.2, 4.0], "inputs.motor": [-1, 1]}}
        first = tactus.sweep(content, tmp_path / design).columns
        for name, low, high in (("parameters.rocker_mass", 0.2, 4.0), ("inputs.motor", -1, 1)):
            # One value in each sixteenth of the range.
            bins = np.floor((first[name] - low) / (high - low) * 16)
            assert sorted(bins) == list(range(16))
        other = tactus.sweep(content | {"seed": 8}, tmp_path / f"{design}_8").columns
        assert not np.array_equal(first["inputs.motor"], other["inputs.motor"])


def test_noise_stop_criteria_initial_conditions_and_methods(tmp_path):
    content = {"model": "motor_four_bar", "until": "400ms", "inputs": {"motor": "0.3 * sin(40 * t) + 0.2 * noise"},
               "variables": {"initial_condition": ["", "spinning"]}, "stop": ["crank_angle > 4"],
               "metrics": {"last": {"final": "crank_angle"}, "settled": {"settling": "crank_rate", "band": 1e9}}}
    result = tactus.sweep(content, tmp_path / "stopped").columns
    assert list(result["stopped"]) == [-1, 0]
    assert result["end"][0] == pytest.approx(0.4, abs=1e-12)  # the round-off of a product
    assert 4 < result["last"][1] < 4.1 and result["end"][1] < 0.4
    again = tactus.sweep(content, tmp_path / "again").columns
    np.testing.assert_array_equal(result["state_hash"], again["state_hash"])
    method = {"model": "motor_four_bar", "until": "20ms", "integrator": "newmark-tangent", "step": "1ms",
              "variables": {"inputs.motor": [0.1, 0.2]}, "metrics": {"last": {"final": "crank_angle"}}}
    found = tactus.sweep(method, tmp_path / "method").columns["last"]
    own = tactus.offline("motor_four_bar", integrator="newmark-tangent", until="20ms", inputs={"motor": 0.2},
                         outputs="crank_angle")
    assert found[1] == own.values[-1, 0]


@pytest.mark.parametrize("every, stop", [(1, []), (30, []), (1, ["crank_angle < 0.9"]), (7, ["crank_angle < 0.9"]),
                                         (700, ["crank_angle < -1e9", "t > 0.9"])])
def test_the_hash_of_a_case_is_that_of_the_state_at_its_end(every, stop, tmp_path):
    content = PLAN | {"until": "1s", "every": every, "stop": stop, "inputs": {"motor": "0.3 * sin(9 * t) + 0.1 * noise"},
                      "variables": {"parameters.rocker_mass": [0.2, 0.6, 1.5]}}
    rows = tactus.sweep(content, tmp_path / "out").columns
    whole = tactus.sweep(content | {"every": 1, "stop": []}, tmp_path / "whole").columns
    for k, case in enumerate(Plan(content).cases()):
        own = tactus.Simulation("motor_four_bar", period="1ms", parameters={"rocker_mass": rows["parameters.rocker_mass"][k]})
        noise = np.random.Generator(np.random.PCG64(case.seed)).standard_normal(1000)
        motor = 0.3 * np.sin(9 * (np.arange(1, 1001) * (1_000_000 * 1e-9))) + 0.1 * noise
        count = round(rows["end"][k] / 1e-3)
        block = own.run(count, {"motor": motor[:count]}, ["crank_angle"])
        assert rows["end"][k] == own.sim_time and rows["state_hash"][k] == own.state_hash
        assert rows["last"][k] == block["crank_angle"][-1]
        assert rows["stopped"][k] >= 0 or count == 1000
        assert (rows["state_hash"][k] == whole["state_hash"][k]) == (count == 1000)
    if stop and every < 700:
        # A criterion holds in the first row below 0.9, which is within a part.
        assert set(rows["stopped"]) >= {0} and (rows["end"] < 1).any()


def test_the_end_of_a_fault_is_its_last_good_tick(tmp_path):
    content = {"model": "motor_four_bar", "until": "1s", "every": 100, "variables": {"inputs.motor": [0.1]},
               "metrics": {"last": {"final": "crank_angle"}}}
    plain = tactus.sweep(content, tmp_path / "plain").columns
    assert plain["end"].tolist() == [1.0] and not plain["fault"][0]
    model = {"name": "thrown", "gravity": [0, 0, 0],
             "bodies": [{"name": "body", "mass": 1e-9, "inertia": {"xx": 1, "yy": 1, "zz": 1}}],
             "actuators": [{"name": "push", "body_force": {"body": "body", "direction": [1, 0, 0]}}]}
    thrown = tactus.sweep({"model": model, "until": "20ms", "every": 4, "inputs": {"push": "where(t > 0.0055, 1e305, 0)"},
                           "variables": {"settings.iterations": [3]}, "metrics": {"x": {"final": "body.r.x"}}},
                          tmp_path / "thrown").columns
    own = tactus.Simulation(model, iterations=3)
    own.run(5, {"push": 0.0})
    assert thrown["fault"][0] and thrown["end"][0] == own.sim_time and thrown["state_hash"][0] == own.state_hash


def test_a_case_of_a_method_that_fails_after_its_stop_ends_at_the_stop(tmp_path):
    model = {"name": "thrown", "gravity": [0, 0, -9.81],
             "bodies": [{"name": "body", "mass": 1e-9, "inertia": {"xx": 1, "yy": 1, "zz": 1}}],
             "actuators": [{"name": "push", "body_force": {"body": "body", "direction": [1, 0, 0]}}]}
    content = {"model": model, "until": "20ms", "inputs": {"push": "where(t > 0.0055, 1e305, 0)"},
               "variables": {"initial_condition": [""]}, "metrics": {"z": {"final": "body.r.z"}}, "stop": ["t > 0.0025"]}
    method = content | {"integrator": "newmark-tangent", "step": "1ms"}
    for name, plan in (("ticks", content), ("method", method)):
        columns = tactus.sweep(plan, tmp_path / name).columns
        assert (columns["stopped"][0], columns["fault"][0], round(columns["end"][0], 9)) == (0, "", 0.003), name
        assert columns["z"][0] < 0, name
    # Without a stop, the end is the last row before the fault; the last good step is always a row.
    for every in (1, 2):
        columns = tactus.sweep(method | {"stop": [], "every": every}, tmp_path / f"fault_{every}").columns
        assert columns["fault"][0] and columns["stopped"][0] == -1 and math.isnan(columns["z"][0])
        assert round(columns["end"][0], 9) == 0.005
    with pytest.raises(tactus.SessionFaulted) as caught:
        tactus.offline(model, integrator="newmark-tangent", until="20ms", inputs={"push": [0.0] * 5 + [1e305] * 15}, outputs="body.r.z")
    found = caught.value.trajectory
    assert found.time.round(9).tolist() == [0, 0.001, 0.002, 0.003, 0.004, 0.005]
    assert found.column("body.r.z")[-1] < 0 and found.units == {"body.r.z": "m"}


def test_a_fault_is_marked_and_does_not_end_the_sweep(tmp_path):
    model = {"name": "thrown", "gravity": [0, 0, 0],
             "bodies": [{"name": "body", "mass": 1e-9, "inertia": {"xx": 1, "yy": 1, "zz": 1}}],
             "actuators": [{"name": "push", "body_force": {"body": "body", "direction": [1, 0, 0]}}]}
    plan = tmp_path / "plan.json"
    plan.write_text(json.dumps({"model": model, "until": "20ms", "variables": {"inputs.push": [0.0, 1e305, 1e-9]},
                                "metrics": {"x": {"final": "body.r.x"}}}))
    result = run(plan, "--out", tmp_path / "out")
    assert result.returncode == 1 and "1 with a fault" in result.stdout, result.stderr
    columns = tactus.sweep(plan, tmp_path / "out").columns
    assert [bool(fault) for fault in columns["fault"]] == [False, True, False]
    assert math.isnan(columns["x"][1]) and columns["x"][2] > 0


@pytest.mark.parametrize("change, text", [
    ({"modle": 1}, "modle"), ({"metrics": {"m": {"maximum": "x"}}}, "min, max"), ({"until": "5"}, "until"),
    ({"metrics": {"m": {"max": "__import__('os')"}}}, "metrics.m"), ({"design": "sobol"}, "two numbers"),
    ({"variables": {"rocker_mass": [1]}}, "parameters.NAME"), ({"inputs": {"motor": "sin(x)"}}, "x is unknown"),
    ({"metrics": {"m": {"crossing": "crank_angle"}}}, "level"), ({"model": "motor_for_bar"}, "motor_four_bar"),
    ({"metrics": {"m": {"max": "crank_angel"}}}, "crank_angle"),
    ({"variables": {"parameters.rocker_mas": [1]}}, "rocker_mass"), ({"settings": {"iterationz": 3}}, "iterations"),
])
def test_a_bad_plan_is_refused_with_its_place(change, text, tmp_path):
    plan = tmp_path / "plan.json"
    plan.write_text(json.dumps(PLAN | change))
    result = run(plan, "--out", tmp_path / "out")
    assert result.returncode == 2 and text in result.stderr, result.stderr
    assert "Traceback" not in result.stderr


def test_a_refused_row_has_its_number_in_the_case(tmp_path):
    [motor] = tactus.Simulation("motor_four_bar").signals("motor")
    # The ramp leaves the range of the motor in the tick to 201 ms: longer after the begin than any first part of a run.
    plan = PLAN | {"inputs": {"motor": f"t * {motor.maximum / 0.2005!r}"}, "variables": {"parameters.rocker_mass": [0.6, 1.0]}}
    faults = tactus.sweep(plan, tmp_path).columns["fault"]
    assert all(fault.startswith('VALUE_OUT_OF_RANGE: row 200: "motor" = ') for fault in faults), faults


def test_whole_numbers_above_64_bits_are_stored_as_floats(tmp_path):
    model = {"name": "sled", "gravity": [0, 0, 0], "bodies": [{"name": "body", "mass": 1, "inertia": {"xx": 1, "yy": 1, "zz": 1}}],
             "actuators": [{"name": "push", "body_force": {"body": "body", "direction": [1, 0, 0]}}]}
    result = tactus.sweep({"model": model, "until": "2ms", "period": "1ms", "variables": {"inputs.push": [1, 2**70]},
                           "metrics": {"last": {"final": "push"}}}, tmp_path)
    assert result.columns["inputs.push"].tolist() == result.columns["last"].tolist() == [1.0, 2.0**70]
    np.testing.assert_array_equal(tactus.sweep_run.load(tmp_path).columns["inputs.push"], [1.0, 2.0**70])


def test_a_method_runs_a_model_that_has_no_stable_tick(tmp_path):
    content = json.loads(tactus._native.model_content("flexible_arm", None)) | {"solver": {"period": 0.05, "third_order": True}}
    with pytest.raises(tactus.ModelInvalid):
        tactus.Simulation(content)
    plan = {"model": content, "integrator": "newmark-tangent", "step": "500us", "until": "5ms", "every": 1,
            "variables": {"inputs.motor": [1.0]}, "metrics": {"last": {"final": "motor"}}}
    result = tactus.sweep(plan, tmp_path)
    assert result.columns["fault"].tolist() == [""] and result.columns["last"].tolist() == [1.0]


def test_folders_that_do_not_fit_are_refused(plan, tmp_path):
    out = tmp_path / "out"
    assert run(plan, "--out", out).returncode == 0
    plan.write_text(json.dumps(PLAN | {"until": "301ms"}))
    assert "another plan" in run(plan, "--out", out).stderr
    first = sorted((out / "cases").glob("*.json"))[0]
    (out / "cases/00000099-abc.json").write_text("{}")
    assert "no cases of the plan" in run("collect", out).stderr
    (out / "cases/00000099-abc.json").unlink()
    first.write_text("{")
    damaged = run("collect", out)
    assert damaged.returncode == 1 and "damaged" in damaged.stderr
    assert run("collect", tmp_path).returncode == 1
    assert run(plan, "--out", out, "--shard", "3/2").returncode == 2
    plan.write_text("{")
    assert "line 1" in run(plan, "--out", out).stderr


@pytest.mark.parametrize("change", [
    lambda row: [], lambda row: 5, lambda row: row | {"values": None}, lambda row: row | {"metrics": {}},
    lambda row: row | {"metrics": dict.fromkeys(row["metrics"])}, lambda row: row | {"end": "x"},
    lambda row: {key: row[key] for key in row if key != "fault"},
])
def test_a_file_that_is_no_row_is_damaged(change, tmp_path):
    content = PLAN | {"until": "2ms", "variables": {"inputs.motor": [0.0, 1.0]}}
    tactus.sweep(content, tmp_path)
    first = sorted((tmp_path / "cases").glob("*.json"))[0]
    first.write_text(json.dumps(change(json.loads(first.read_text()))))
    damaged = run("collect", tmp_path)
    assert damaged.returncode == 1 and f"{first} is damaged" in damaged.stderr, damaged.stderr


def test_drafts_of_killed_processes_are_ignored_and_removed_when_they_are_old(tmp_path):
    content = PLAN | {"until": "2ms", "variables": {"inputs.motor": [0.0, 1.0]}}
    tactus.sweep(content, tmp_path)
    case = sorted((tmp_path / "cases").glob("*.json"))[0].name
    drafts = [tmp_path / f"cases/.{case}.12.34", tmp_path / f"cases/.{case}.0123456789abcdef",
              tmp_path / ".plan.json.0123456789abcdef", tmp_path / ".results.0123456789abcdef.npz",
              tmp_path / ".results.csv.0123456789abcdef"]
    others = [tmp_path / "cases/.nfs0123", tmp_path / ".hidden.json"]
    for path in drafts + others:
        path.write_text("{")
    assert len(tactus.sweep(content, tmp_path).columns["case"]) == 2
    assert all(path.exists() for path in drafts), "another process may be writing them"
    for path in drafts + others:
        os.utime(path, (time.time() - 2 * 86400,) * 2)
    tactus.sweep(content, tmp_path)
    assert not any(path.exists() for path in drafts) and all(path.exists() for path in others)


def test_processes_of_the_same_number_on_two_machines_do_not_disturb_each_other(tmp_path, monkeypatch):
    """Containers have the same process numbers, and threads of the same numbers."""
    tactus.sweep(PLAN, tmp_path)
    expected = (tmp_path / "results.npz").read_bytes()
    monkeypatch.setattr(os, "getpid", lambda: 1)
    monkeypatch.setattr("threading.get_ident", lambda: 1)
    replaced = []
    replace = os.replace

    def slow(source, target):
        replaced.append(os.fspath(source))
        if len(replaced) < 20:
            tactus.sweep_run.collect(tmp_path)  # another process, before this one has its file in place
        replace(source, target)

    monkeypatch.setattr(os, "replace", slow)
    tactus.sweep_run.collect(tmp_path)
    assert len(set(replaced)) == len(replaced) >= 20
    assert (tmp_path / "results.npz").read_bytes() == expected


@pytest.mark.parametrize("every, stop", [(1, []), (5000, []), (1, ["crank_angle < -1e9"]), (100000, ["crank_angle < -1e9"])])
def test_an_interrupt_ends_cases_that_would_take_minutes(every, stop, tmp_path):
    plan = tmp_path / "plan.json"
    plan.write_text(json.dumps(PLAN | {"until": "20000s", "every": every, "stop": stop}))
    process = subprocess.Popen([BUILD / "tactus", "sweep", plan, "--out", tmp_path / "out"], stderr=subprocess.PIPE,
                               text=True)
    while not (tmp_path / "out/plan.json").exists():
        assert process.poll() is None
        time.sleep(0.01)
    time.sleep(0.5)  # into the cases
    process.send_signal(signal.SIGINT)
    start = time.monotonic()
    _, text = process.communicate(timeout=300)
    # A part takes about 0.1 s, a case minutes, and a hundred rows of 100000 ticks about a minute.
    assert time.monotonic() - start < 20  # a busy machine
    assert process.returncode == 1 and "interrupted; run it again" in text and "Traceback" not in text
    assert not list((tmp_path / "out/cases").iterdir())


def test_an_interrupt_ends_cases_of_a_reference_method(tmp_path):
    plan = tmp_path / "plan.json"
    plan.write_text(json.dumps(PLAN | {"until": "20000s", "integrator": "newmark-tangent", "every": 100000}))
    process = subprocess.Popen([BUILD / "tactus", "sweep", plan, "--out", tmp_path / "out"], stderr=subprocess.PIPE,
                               text=True)
    while not (tmp_path / "out/plan.json").exists():
        assert process.poll() is None
        time.sleep(0.01)
    time.sleep(0.5)  # into the cases, which take minutes
    process.send_signal(signal.SIGINT)
    start = time.monotonic()
    _, text = process.communicate(timeout=300)
    assert time.monotonic() - start < 20  # a second, and the end of the interpreter on a busy machine
    assert process.returncode == 1 and "interrupted; run it again" in text and "Traceback" not in text
    assert not list((tmp_path / "out/cases").iterdir())


def test_results_name_the_build_that_made_them(plan, tmp_path):
    result = tactus.sweep(plan, tmp_path / "out")
    build = tactus.build_info()
    assert result.provenance["builds"] == {build.hash: build._asdict()}
    assert set(result.columns["build_hash"]) == {build.hash}
    version = subprocess.run([BUILD / "tactus", "--version"], capture_output=True, text=True).stdout
    # The program and the module note the commit when they are linked, which may be at different commits.
    assert f"compiler: {build.compiler}\nflags: {build.flags}\ninstruction set: {build.instruction_set}" in version
    assert version.startswith(f"tactus {build.version}\n")
    head = (tmp_path / "out/results.csv").read_text().splitlines()[0]
    assert json.loads(head.removeprefix("# "))["builds"] == result.provenance["builds"]
    assert tactus.sweep_run.load(tmp_path / "out").provenance == result.provenance
    assert build.commit in run("show", tmp_path / "out").stdout


def test_cases_of_several_builds_are_told_and_each_has_its_own(plan, tmp_path):
    out = tmp_path / "out"
    assert tactus.sweep(plan, out, shard="1/2") is None
    other = tactus.build_info()._replace(commit="0123abcd")
    for path in (out / "cases").iterdir():
        row = json.loads(path.read_text())
        path.write_text(json.dumps(row | {"build": other._asdict()}))
    first = sorted((out / "cases").iterdir())[0]
    row = json.loads(first.read_text())
    del row["build"]  # of a version that did not name its build
    first.write_text(json.dumps(row))
    with pytest.warns(tactus.MixedBuildsWarning, match="3 builds.*0123abcd.* 5 cases") as caught:
        result = tactus.sweep(plan, out, shard="2/2")
        tactus.sweep_run.collect(out)
    assert [warning.filename for warning in caught] == [__file__] * 2
    assert list(result.columns["build_hash"][1::2]) == [tactus.build_info().hash] * 6
    assert list(result.columns["build_hash"][2::2]) == [other.hash] * 5
    assert {build["commit"] for build in result.provenance["builds"].values()} == {"", "0123abcd", tactus.build_info().commit}
    told = run("collect", out)
    assert told.returncode == 0 and "warning: " in told.stderr and "build_hash" in told.stderr and ".py:" not in told.stderr
    assert tactus.sweep_run.load(out).provenance == result.provenance


def test_another_plan_before_the_first_case_is_told_how_to_go_on(plan, tmp_path):
    out = tmp_path / "out"
    (out / "cases").mkdir(parents=True)
    (out / "plan.json").write_text(json.dumps(PLAN | {"until": "1ms"}))
    result = run(plan, "--out", out)
    assert result.returncode == 2 and "no case is finished; delete it" in result.stderr
    (out / "plan.json").write_text("{")
    assert "plan.json is damaged" in run(plan, "--out", out).stderr


@pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("unshare"), reason="needs root: a small file system")
def test_a_full_disk_is_an_error_and_loses_nothing(plan, tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    content = PLAN | {"variables": {"parameters.rocker_mass": np.linspace(0.2, 4, 60).tolist()}, "until": "5ms"}
    plan.write_text(json.dumps(content))
    script = (f"mount -t tmpfs -o size=64k none {disk} || exit 77\n{BUILD}/tactus sweep {plan} --out {disk}/out\n"
              f"echo code $?\nls {disk}/out/cases | wc -l\nmount -o remount,size=8m {disk}\n"
              f"{BUILD}/tactus sweep {plan} --out {disk}/out")
    result = subprocess.run(["unshare", "-m", "bash", "-c", script], capture_output=True, text=True)
    if result.returncode == 77:
        pytest.skip("tmpfs cannot be mounted here")
    assert "code 1" in result.stdout and "No space left" in result.stderr, result.stdout + result.stderr
    assert f"{disk}/out/" in result.stderr  # the file
    assert "60 cases, 0 with a fault" in result.stdout


def test_a_user_without_the_package_is_told_what_to_do(plan, tmp_path):
    fake = tmp_path / "python"
    fake.write_text("#!/bin/sh\nexec /usr/bin/python3 -S -E -I \"$@\"\n")
    fake.chmod(0o755)
    result = run(plan, "--out", tmp_path / "out", environment={"TACTUS_PYTHON": str(fake)})
    assert result.returncode == 2 and "clients/python/README.md" in result.stderr
    # Manual pages are made where the package is not built.
    usage = run("--help", environment={"TACTUS_PYTHON": str(fake)})
    assert usage.returncode == 0 and "Python package" in usage.stdout
    missing = run(plan, "--out", tmp_path / "out", environment={"TACTUS_PYTHON": "/nowhere/python"})
    assert missing.returncode == 2 and "TACTUS_PYTHON" in missing.stderr


def test_no_python_file_of_the_current_folder_is_run(tmp_path):
    """As any user may have there: the name of a module of Python, and that of the package."""
    (tmp_path / "tactus").mkdir()
    for name in ("secrets.py", "json.py", "tactus/__init__.py"):
        (tmp_path / name).write_text("raise SystemExit('ran ' + __file__)")
    content = PLAN | {"until": "2ms", "variables": {"inputs.motor": [0.0, 1.0]}}
    (tmp_path / "the.plan").write_text(json.dumps(content))
    for environment in ({}, {"PYTHONPATH": "", "TACTUS_PYTHON": ""}):
        result = run("the.plan", "--out", f"out{len(environment)}", cwd=tmp_path, environment=environment)
        assert result.returncode == 0, result.stderr
        assert "2 cases, 0 with a fault" in result.stdout


def test_the_recipe_of_slurm_runs_all_shards_as_an_array_would(plan, expected, tmp_path):
    out = tmp_path / "out"
    recipe = run("recipe", "slurm", plan, "--shards", 3, "--out", out)
    script = tmp_path / "array.sh"
    script.write_text(recipe.stdout)
    for task in (2, 3, 1):
        environment = os.environ | {"SLURM_ARRAY_TASK_ID": str(task), "PATH": f"{BUILD}:{os.environ['PATH']}"}
        subprocess.run(["bash", script], check=True, env=environment, stdout=subprocess.DEVNULL)
    assert (out / "results.npz").read_bytes() == expected[0]


def run_job(volume, shards):
    """Runs the containers of the Kubernetes job of volume/plan.json, the last shard first. Returns their exit codes."""
    printed = run("recipe", "kubernetes", "/data/plan.json", "--shards", shards, "--out", "/data/out").stdout
    job = json.loads(printed.replace("/data", str(volume)))  # a pod sees the volume there
    assert job["spec"]["completionMode"] == "Indexed" and job["spec"]["completions"] == shards
    [container] = job["spec"]["template"]["spec"]["containers"]
    assert [mount["mountPath"] for mount in container["volumeMounts"]] == [str(volume)]
    environment = os.environ | {"PATH": f"{BUILD}:{os.environ['PATH']}"}
    return [subprocess.run(container["command"], env=environment | {"JOB_COMPLETION_INDEX": str(index)},
                           stdout=subprocess.DEVNULL).returncode for index in reversed(range(shards))]


def test_the_recipe_of_kubernetes_runs_all_shards_as_an_indexed_job_would(plan, expected, tmp_path):
    assert run_job(tmp_path, 2) == [0, 0]
    assert (tmp_path / "out/results.npz").read_bytes() == expected[0]


def test_a_kubernetes_job_completes_with_faults_and_fails_with_a_folder_that_cannot_be_written(plan, tmp_path):
    [motor] = tactus.Simulation("motor_four_bar").signals("motor")
    plan.write_text(json.dumps(PLAN | {"until": "5ms", "variables": {"inputs.motor": [0.1, 2 * motor.maximum]}}))
    assert run_job(tmp_path, 2) == [0, 0]
    faults = tactus.sweep_run.load(tmp_path / "out").columns["fault"]
    assert faults[0] == "" and faults[1].startswith("VALUE_OUT_OF_RANGE")
    alone = run(plan, "--out", tmp_path / "out")
    assert alone.returncode == 1 and "2 cases, 1 with a fault" in alone.stdout
    shutil.rmtree(tmp_path / "out")
    (tmp_path / "out").write_text("a file")
    assert 0 not in run_job(tmp_path, 2)


@pytest.mark.parametrize("plan, out, wrong", [
    ("plan.json", "out", ["plan = 'plan.json'", "--out = 'out'"]), ("/data/plan.json", "out", ["--out = 'out'"]),
    ("/home/me/plan.json", "/data/out", ["plan = '/home/me/plan.json'"]), ("/data/plan.json", "/data", ["--out = '/data'"]),
    ("/data/../plan.json", "/database/out", ["plan = '/data/../plan.json'", "--out = '/database/out'"])])
def test_the_recipe_of_kubernetes_refuses_files_that_its_pods_do_not_have(plan, out, wrong):
    refused = run("recipe", "kubernetes", plan, "--shards", 2, "--out", out)
    assert refused.returncode == 2 and not refused.stdout
    assert [word for word in ("plan = ", "--out = ") if word in refused.stderr] == [text[: text.index("'")] for text in wrong]
    assert all(f"{text}: write a path below /data" in refused.stderr for text in wrong), refused.stderr
    # The nodes of Slurm may share any folder.
    assert run("recipe", "slurm", plan, "--shards", 2, "--out", out).returncode == 0


def test_dask_gives_the_same_file(expected, tmp_path):
    distributed = pytest.importorskip("distributed", reason="python3-distributed is not installed: Dask is not tested")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            tactus.sweep(PLAN, tmp_path / "out", client=client)
    assert (tmp_path / "out/results.npz").read_bytes() == expected[0]


def test_a_worker_of_dask_reads_the_plan_once_and_lists_no_cases(expected, tmp_path, monkeypatch):
    distributed = pytest.importorskip("distributed", reason="python3-distributed is not installed: Dask is not tested")
    read, listed = Plan.__init__, Plan.cases
    calls = []
    monkeypatch.setattr(Plan, "__init__", lambda self, source: calls.append("read") or read(self, source))
    monkeypatch.setattr(Plan, "cases", lambda self: calls.append("cases") or listed(self))
    tactus.sweep_dask._plan_of.cache_clear()
    # The worker is a thread of this process, so that its calls are counted.
    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            tactus.sweep(PLAN, tmp_path / "out", client=client)
    assert (tmp_path / "out/results.npz").read_bytes() == expected[0]
    # This process reads the plan and lists its cases at the beginning and when it collects.
    assert calls.count("read") == 3 and calls.count("cases") == 2


def test_a_picture_takes_no_metric_for_a_variable(tmp_path, monkeypatch):
    pytest.importorskip("matplotlib.figure")
    content = PLAN | {"until": "20ms", "variables": {"period": [0.001, 0.002], "inputs.motor": [0.1]},
                      "metrics": {"period_of_swing": {"max": "crank_rate"}, "periodic": {"min": "crank_rate"}}}
    del content["period"]
    tactus.sweep(content, tmp_path / "out")
    drawn = []
    monkeypatch.setattr("tactus.sweep_command.save", lambda figure, path: drawn.append(figure))
    tactus.sweep_command.main(["show", str(tmp_path / "out"), "--plot", "picture.svg"])
    labels = [(axes.get_xlabel(), axes.get_ylabel()) for axes in drawn[0].axes]
    assert sorted({x for x, _ in labels}) == ["inputs.motor", "period"]
    assert sorted({y for _, y in labels}) == ["period_of_swing", "periodic"]
