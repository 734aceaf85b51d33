"""Sessions from the shell: created, started, stepped, paused, reset, deleted; and what they say of class and safe state."""
# Covers: clients/cli/session.cpp, clients/cli/session.h, clients/cli/snapshot.cpp

import json
import subprocess

import pytest
from conftest import BUILD, Server


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


def test_a_created_session_gets_the_class_of_the_server_or_says_that_it_did_not(tmp_path):
    with Server(f"unix:{tmp_path}/s.sock", "motor_four_bar", "--priority", "7") as server:
        remote = ("--server", server.address)
        created = program("session", "create", "four_bar", "--start", *remote, "--json")
        session = only(json.loads(created.stdout))
        assert session["priority"] == 7
        [asked] = [grant for grant in session["realtime_grants"] if grant["asked"] == "SCHED_FIFO 7"]
        shown = program("session", "list", *remote).stdout
        assert ("SCHED_FIFO 7" if asked["granted"] else "best effort: SCHED_FIFO 7") in shown


def test_the_safe_state_is_shown_with_the_way_out(run):
    run("session", "start")
    run("safe")
    session = only(run("session", "list"))
    assert "leave it with ClearSafeState (tactus clear)" in session["safe_state"]
    run("clear")
    assert only(run("session", "list"))["safe_state"] == ""


def test_a_restored_session_is_started_by_the_same_command(run, tmp_path):
    run("session", "step", "--ticks", "5")
    path = tmp_path / "five.snapshot"
    run("snapshot", "save", path)
    run("session", "reset")
    run("snapshot", "restore", path, "--start")
    session = only(run("session", "list"))
    assert session["state"] == "running"
    assert session["tick"] >= 5


def test_the_log_of_the_server_names_the_safe_state(tmp_path):
    address = f"unix:{tmp_path}/s.sock"
    command = [BUILD / "tactus", "serve", "motor_four_bar", "--listen", address, "--priority", "0", "--duration", "2s"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        while not server.stdout.readline().startswith("endpoint"):
            pass
        assert program("safe", "--server", address).returncode == 0
        _, log = server.communicate(timeout=60)
    assert "session main: inputs of inputs are ignored: safe state since tick" in log
    assert server.returncode == 4
