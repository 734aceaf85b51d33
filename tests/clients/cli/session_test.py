"""Sessions from the shell: created, started, stepped, paused, reset, deleted; and what they say of class and safe state."""
# Covers: clients/cli/session.cpp, clients/cli/session.h, clients/cli/snapshot.cpp

import json
import re
import resource
import subprocess

import pytest
from conftest import BUILD, Server

import tactus


def program(*arguments):
    return subprocess.run([BUILD / "tactus", *map(str, arguments)], capture_output=True, text=True)


@pytest.fixture
def run(tmp_path):
    """Runs `tactus ... --server ADDRESS --json` beside a server whose session was not started."""
    with Server(f"unix:{tmp_path}/s.sock", "motor_four_bar", "--paused") as server:

        def call(*arguments, code=0):
            result = program(*arguments, "--server", server.address, "--json")
            assert result.returncode == code, result.stderr
            return json.loads(result.stdout) if code == 0 else result.stderr

        yield call


def only(report):
    [session] = report["sessions"]
    return session


def test_a_session_goes_through_its_states(run):
    assert only(run("session", "list"))["state"] == "ready"
    assert only(run("session", "start"))["state"] == "running"
    assert only(run("session", "pause", "main"))["state"] == "paused"
    tick = only(run("session", "list"))["tick"]
    assert only(run("session", "step", "--ticks", "10"))["tick"] == tick + 10
    reset = only(run("session", "reset"))
    assert (reset["state"], reset["tick"]) == ("ready", 0)
    assert "flying" in run("session", "start", "flying", code=2)


def test_a_session_is_created_and_deleted(run):
    created = only(run("session", "create", "chain:n=8", "--name", "chain", "--clock", "lockstep", "--period", "5ms"))
    assert (created["name"], created["clock"], created["period_ns"]) == ("chain", "lockstep", 5_000_000)
    assert [session["name"] for session in run("session", "list")["sessions"]] == ["chain", "main"]
    started = only(run("session", "create", "four_bar", "--name", "bar", "--start"))
    assert started["state"] == "running"
    assert started["priority"] == 0  # that of this server
    assert all(grant["granted"] for grant in started["realtime_grants"] if grant["asked"].startswith("SCHED"))
    for name in ("chain", "bar"):
        assert run("session", "delete", name) == {"deleted": name}
    assert only(run("session", "list"))["name"] == "main"
    assert "lockstep" in run("session", "create", "four_bar", "--clock", "sometimes", code=2)


def test_a_fault_has_its_own_exit_code(tmp_path):
    with Server(f"unix:{tmp_path}/s.sock", "motor_four_bar", "--paused") as server:
        remote = ("--server", server.address)
        wild = ("session", "create", "sedan", "--name", "wild", "--clock", "lockstep", "--period", "200ms")
        assert program(*wild, *remote).returncode == 0
        step = program("session", "step", "wild", "--ticks", "300", *remote)
        assert step.returncode == 4
        assert "wild: the step to tick" in step.stdout


def test_a_scale_needs_the_clock_scaled(run):
    assert "the clock real-time has no scale" in run("session", "create", "four_bar", "--scale", "2", code=2)
    scaled = run("session", "create", "four_bar", "--name", "slow", "--clock", "scaled", "--scale", "0.5")
    assert only(scaled)["clock"] == "scaled"


def test_the_scale_may_stand_in_the_clock_as_in_serve(run, tmp_path):
    created = run("session", "create", "four_bar", "--name", "fast", "--clock", "scaled:2.5")
    assert only(created)["clock"] == "scaled"
    with tactus.connect(f"unix:{tmp_path}/s.sock") as client:
        assert client.session("fast").status().scale == 2.5
    for clock in ("scaled:", "scaled:0", "scaled:-1", "scaled:inf", "scaled:2x"):
        assert "the factor must be a number above zero" in run("session", "create", "four_bar", "--clock", clock, code=2)
    assert "leave out one" in run("session", "create", "four_bar", "--clock", "scaled:2", "--scale", "2", code=2)


def test_a_session_is_created_from_a_model_file(run, tmp_path):
    model = tmp_path / "rod.json"
    model.write_text(json.dumps(PENDULUM))
    created = only(run("session", "create", model, "--name", "rod", "--clock", "lockstep"))
    assert (created["model"], created["state"]) == ("pendulum", "ready")
    assert only(run("session", "step", "rod", "--ticks", "3"))["tick"] == 3
    with tactus.connect(f"unix:{tmp_path}/s.sock") as client:
        assert "pendulum" not in {info.name for info in client.models()}
    # What is wrong in a file is said with its line, before any call.
    model.write_text(json.dumps(PENDULUM, indent=1).replace('"mass": 1', '"mass": -1'))
    refused = run("session", "create", model, code=2)
    assert re.search(r"rod.json:\d+: bodies\[0\].mass = -1: ", refused) and "is not a valid model" in refused
    assert "nothing.json" in run("session", "create", tmp_path / "nothing.json", code=2)


def test_a_created_session_gets_the_class_of_the_server_or_says_that_it_did_not(tmp_path):
    with Server(f"unix:{tmp_path}/s.sock", "motor_four_bar", "--priority", "7") as server:
        remote = ("--server", server.address)
        created = program("session", "create", "four_bar", "--start", *remote, "--json")
        session = only(json.loads(created.stdout))
        assert session["priority"] == 7
        grants = session["realtime_grants"]
        assert "SCHED_FIFO 7" in [grant["asked"] for grant in grants]
        refused = [grant["asked"] for grant in grants if not grant["granted"]]
        shown = program("session", "list", *remote).stdout
        assert (f"best effort: {refused[0]}" if refused else "SCHED_FIFO 7") in shown


def test_the_safe_state_is_shown_with_the_way_out(run):
    run("session", "start")
    run("safe")
    session = only(run("session", "list"))
    assert "leave it with ClearSafeState (tactus clear)" in session["safe_state"]
    run("clear")
    assert only(run("session", "list"))["safe_state"] == ""


def test_a_request_for_the_safe_state_of_a_session_that_stands_says_when_it_acts(run):
    assert run("safe")["in_force"] is False
    run("session", "step")
    assert only(run("session", "list"))["safe_state"] != ""
    assert run("safe")["in_force"] is True
    assert run("clear")["in_force"] is False
    run("session", "step")
    assert run("clear")["in_force"] is True


def test_a_restored_session_is_started_by_the_same_command(run, tmp_path):
    run("session", "step", "--ticks", "5")
    path = tmp_path / "five.snapshot"
    run("snapshot", "save", path)
    run("session", "reset")
    run("snapshot", "restore", path, "--start")
    session = only(run("session", "list"))
    assert session["state"] == "running"
    assert session["tick"] >= 5


def test_a_snapshot_that_cannot_be_written_as_a_whole_leaves_the_older_file(run, tmp_path):
    path, link, remote = tmp_path / "state.snapshot", tmp_path / "link", ("--server", f"unix:{tmp_path}/s.sock")
    link.symlink_to(path)
    run("snapshot", "save", link)  # to where the link leads
    path.chmod(0o640)
    content = path.read_bytes()
    # No file may be longer than half of it, as on a disk that is full; SIGXFSZ is ignored, as Python does.
    limit = (len(content) // 2, len(content) // 2)
    done = subprocess.run([BUILD / "tactus", "snapshot", "save", path, *remote], capture_output=True, text=True,
                          restore_signals=False, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limit))
    assert done.returncode == 2
    assert "cannot be written" in done.stderr
    assert path.read_bytes() == content
    assert {file.name for file in tmp_path.iterdir() if file.is_file()} == {path.name, link.name}
    run("session", "step", "--ticks", "5")
    run("snapshot", "save", link)
    assert path.read_bytes() != content and link.is_symlink()
    assert path.stat().st_mode & 0o777 == 0o640
    # What is no regular file is written as it is.
    piped = subprocess.run([BUILD / "tactus", "snapshot", "save", "/dev/stdout", *remote], capture_output=True)
    assert piped.returncode == 0 and len(piped.stdout) > len(content)


def test_a_snapshot_replaces_no_file_of_another_kind(run, tmp_path):
    model, empty = tmp_path / "rod.json", tmp_path / "empty"
    model.write_text(json.dumps(PENDULUM))
    for words in (("snapshot", "save", model), ("analyse", "session", "equilibrium", "--out", model)):
        kept = run(*words, code=2)
        assert f"{model}: this file is no snapshot and would be replaced; choose another name, or delete it" in kept
        assert json.loads(model.read_text()) == PENDULUM
    empty.touch()  # as mktemp makes it
    run("snapshot", "save", empty)
    assert empty.stat().st_size > 0


def test_the_log_of_the_server_names_the_safe_state(tmp_path):
    address = f"unix:{tmp_path}/s.sock"
    command = [BUILD / "tactus", "serve", "motor_four_bar", "--listen", address, "--priority", "0", "--duration", "2s"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        while not server.stdout.readline().startswith("endpoint"):
            pass
        assert program("safe", "--server", address).returncode == 0
        _, log = server.communicate(timeout=60)
    assert "session main: inputs are ignored (group inputs): safe state since tick" in log
    assert server.returncode == 4


PENDULUM = {
    "name": "pendulum",
    "gravity": [0, 0, -9.81],
    "bodies": [{"name": "bob", "mass": 1, "inertia": {"xx": 1e-3, "yy": 1e-3, "zz": 1e-3}, "position": [0, 0, -0.1],
                "velocity": [-0.1, 0, 0], "angular_velocity": [0, 1, 0]}],
    "joints": [{"name": "hinge", "body_1": "ground", "body_2": "bob", "revolute": {
        "point_1": [0, 0, 0], "point_2": [0, 0, 0.1], "axis_1": [0, 1, 0], "axis_2": [0, 1, 0]}}],
}


def test_energy_that_grows_without_an_input_is_said_everywhere(tmp_path):
    """A step of third order adds energy to a pendulum that turns by 1.4 rad of its swing in a step."""
    model = tmp_path / "pendulum.json"
    model.write_text(json.dumps(PENDULUM))
    unstable = ("--period", "150ms", "--clock", "lockstep", "--solver", "third_order=true")
    with Server(f"unix:{tmp_path}/s.sock", str(model), *unstable) as server:
        remote = ("--server", server.address)
        with tactus.connect(server.address) as client, client.session("main").tick() as stream:
            with pytest.warns(tactus.EnergyGrowthWarning, match="energy grows since tick"):
                for _ in range(200):
                    stream.step({})
        step = program("session", "step", *remote)
        assert step.returncode == 1
        assert "main: energy grows since tick" in step.stdout
        listed = program("session", "list", *remote)
        assert (listed.returncode, "energy grows since tick" in listed.stdout) == (0, True)
        timing = json.loads(program("timing", "--json", *remote).stdout)
        assert timing["energy"]["grows_since"] % 16 == 0
        assert timing["energy"]["growth"] > 0.1 * timing["energy"]["scale"]  # the limit of the report
        assert "energy grows since tick" in program("timing", *remote).stdout
        assert 'tactus_energy_grows{session="main"} 1' in program("timing", "--prometheus", *remote).stdout
        assert program("session", "reset", *remote).returncode == 0
        created = ("session", "create", "four_bar", "--clock", "lockstep", "--name", "bar")
        assert program(*created, *remote).returncode == 0
        assert program("session", "step", "bar", "--ticks", "500", *remote).returncode == 0
        assert program("session", "step", "main", "--ticks", "200", *remote).returncode == 1
        assert server.stop() == 1


def test_the_report_has_the_maxima_of_the_solver(run):
    run("session", "step", "--ticks", "50")
    report = run("timing")
    assert 0 < report["maximum_contraction"] < 1
    assert 1 <= report["maximum_contraction_tick"] <= 50
    assert report["maximum_factorizations"] >= 1
    assert report["not_converged"] == 0
    assert report["energy"]["grows_since"] is None


def test_a_session_is_created_with_solver_settings_threads_and_parameters(run):
    created = only(run("session", "create", "motor_four_bar", "--name", "set", "--clock", "lockstep", "--set",
                       "rocker_mass=2", "--solver", "full_newton=true", "--solver", "velocity_passes=3", "--threads", "1"))
    assert created["settings"]["full_newton"] is True
    assert created["settings"]["velocity_passes"] == 3
    assert created["threads"] == 1
    [mass] = run("get", "rocker_mass", "--session", "set")["parameters"]
    assert mass["value"] == 2
    assert "did you mean 'full_newton'" in run("session", "create", "four_bar", "--solver", "full_neuton=1", code=2)
    assert "must be NAME=VALUE" in run("session", "create", "four_bar", "--solver", "full_newton", code=2)
    run("session", "delete", "set")


def test_a_flag_of_the_solver_is_written_the_same_way_in_all_commands(run, tmp_path):
    commands = {
        "run": ("run", "four_bar", "--until", "1ms", "--set"),
        "fmu export": ("fmu", "export", "four_bar", "--out", tmp_path / "a.fmu", "--set"),
        "serve": ("serve", "four_bar", "--listen", f"unix:{tmp_path}/t.sock", "--priority", "0", "--duration", "10ms", "--solver"),
    }
    for name, words in commands.items():
        for value in ("true", "false", "1", "0"):
            result = program(*words, f"full_newton={value}")
            assert result.returncode == 0, (name, value, result.stderr)
        for value in ("yes", "2", ""):
            result = program(*words, f"full_newton={value}")
            assert result.returncode == 2 and "must be true or false" in result.stderr, (name, value, result.stderr)
        result = program(*words, "full_neuton=true")
        assert result.returncode == 2 and "did you mean 'full_newton'" in result.stderr, (name, result.stderr)
        result = program(*words, "iterations=true")
        assert result.returncode == 2 and "true" in result.stderr, (name, result.stderr)
    for value, is_on in (("true", True), ("false", False), ("1", True), ("0", False)):
        created = only(run("session", "create", "four_bar", "--name", "flag", "--solver", f"full_newton={value}"))
        assert created["settings"]["full_newton"] is is_on
        run("session", "delete", "flag")
    assert "must be true or false" in run("session", "create", "four_bar", "--solver", "full_newton=yes", code=2)
