"""The remote subcommands of the program: tables, JSON, exit codes."""
# Covers: server/cli/subcommand_names.cpp, server/cli/model_signals.cpp, server/cli/assignment.h
# Covers: clients/cli/parameters.cpp, clients/cli/remote.cpp, clients/cli/safe.cpp, clients/cli/signals.cpp
# Covers: clients/cli/timing.cpp, clients/cpp/download.cpp, clients/cli/command_names.cpp
# Covers: clients/cli/recording.cpp, clients/cli/comm_drive.cpp, clients/python/tactus/download.py
# Covers: proto/text/above_zero.h

import json
import re
import shutil
import subprocess

import pytest
import tactus as python_tactus
from conftest import BUILD, SOURCE
from tactus.v1 import simulation_pb2


def tactus(*arguments):
    return subprocess.run([BUILD / "tactus", *arguments], capture_output=True, text=True)


def test_an_address_names_its_port():
    for bare in ("127.0.0.1", "localhost", "[::1]", "127.0.0.1:", "50051", ""):
        listed = tactus("session", "list", "--server", bare)
        assert listed.returncode == 2 and "has no port" in listed.stderr, (bare, listed.stderr)


def test_timing_prints_the_report_of_a_session(address, lockstep):
    lockstep.step(25)
    shown = tactus("timing", "--server", address, "--session", lockstep.name)
    assert shown.returncode == 0, shown.stderr
    assert "ticks 25," in shown.stdout

    # Columns are aligned: every row of the table ends where its header ends.
    lines = shown.stdout.splitlines()
    table = lines[next(i for i, line in enumerate(lines) if line.startswith("phase")) :]
    assert len(table) > 1
    assert len({len(line) for line in table}) == 1

    report = json.loads(tactus("timing", "--server", address, "--session", lockstep.name, "--json").stdout)
    assert report["ticks"] == 25
    assert report["period_ns"] == 1_000_000
    assert {phase["phase"] for phase in report["phases"]} >= {"solve", "total", "turnaround"}
    assert all(sum(phase["octaves"]) == phase["count"] for phase in report["phases"])

    metrics = tactus("timing", "--server", address, "--session", lockstep.name, "--prometheus").stdout
    assert f'tactus_ticks_total{{session="{lockstep.name}"}} 25\n' in metrics


def test_commtest_drives_a_session_of_its_own(address, client):
    before = {session.name for session in client.sessions()}
    shown = tactus("commtest", address, "--duration", "300ms", "--period", "2ms", "--json")
    report = json.loads(shown.stdout)
    assert report["ticks"] >= 150
    assert report["inputs_sent"] >= report["fresh"] > 0
    assert report["success_rate"] == report["fresh"] / report["ticks"]
    assert shown.returncode == (1 if report["verdict"] == "not sufficient" else 0)
    assert {session.name for session in client.sessions()} == before
    assert tactus("commtest", "unix:/nowhere.sock", "--duration", "300ms").returncode == 3


def test_commtest_refuses_a_model_without_inputs(address):
    for way in ((), ("--udp",)):
        refused = tactus("commtest", address, "--model", "cantilever", "--duration", "300ms", *way)
        assert refused.returncode == 2
        assert 'model "cantilever" has no input to send' in refused.stderr


def test_timing_watches_until_the_session_is_gone(address, lockstep):
    process = subprocess.Popen(
        [BUILD / "tactus", "timing", "--server", address, "--session", lockstep.name]
        + ["--watch", "--every", "10ms", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    ticks = [json.loads(process.stdout.readline())["ticks"]]
    lockstep.step(10)
    while ticks[-1] < 10:
        ticks.append(json.loads(process.stdout.readline())["ticks"])
    lockstep.delete()
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 2
    assert "SESSION_UNKNOWN" in errors


def test_more_than_one_session_must_be_named(address, lockstep):
    shown = tactus("timing", "--server", address)
    assert shown.returncode == 2
    assert lockstep.name in shown.stderr


def test_signals_of_a_model_need_no_server(tmp_path):
    shown = tactus("signals", "motor_four_bar", "--json")
    assert shown.returncode == 0, shown.stderr
    signals = {signal["name"]: signal for signal in json.loads(shown.stdout)["signals"]}
    assert signals["energy.total"]["unit"] == "J"
    assert signals["motor"]["causality"] == "input"
    assert (signals["motor"]["minimum"], signals["motor"]["maximum"]) == (-5.0, 5.0)

    table = tactus("signals", "motor_four_bar")
    assert table.returncode == 0
    assert len(table.stdout.splitlines()) == len(signals) + 1

    # The same from a file.
    file = tmp_path / "model.json"
    printed = tactus("model", "print", "motor_four_bar")
    file.write_text(printed.stdout)
    assert tactus("signals", str(file), "--json").stdout == shown.stdout


def test_signals_take_the_only_session_of_a_server(address, lockstep):
    # The server of the tests has a session of its own beside this one: both are named.
    remote = tactus("signals", "--server", address)
    assert remote.returncode == 2
    assert lockstep.name in remote.stderr


def test_a_wrong_subcommand_is_refused_with_the_nearest():
    wrong = tactus("serv")
    assert wrong.returncode == 2
    assert "did you mean 'serve'?" in wrong.stderr
    assert "MODEL is" in tactus("run", "--help").stdout
    assert "MODEL is" not in tactus("integrators", "--help").stdout
    none = tactus()
    assert none.returncode == 2
    assert "validate" in none.stderr


def test_an_option_or_argument_too_many_is_named_with_the_nearest_option():
    for arguments, words in (
        (["run", "sedan", "--unitl", "1s"], ["tactus run has no option '--unitl'; did you mean '--until'?"]),
        (["run", "sedan", "--until", "1s", "--initail=standing"], ["did you mean '--initial'?"]),
        (["run", "sedan", "four_bar", "--until", "1s"], ["does not take the argument 'four_bar'", "tactus run --help"]),
        (["session", "list", "--jsno"], ["tactus session list has no option '--jsno'; did you mean '--json'?"]),
        (["signals", "sedan", "--jsno"], ["did you mean '--json'?"]),
        (["session", "lst", "--server", "x"], ["tactus session has no subcommand 'lst'; did you mean 'list'?"]),
        (["session", "info", "main"], ["tactus session has no subcommand 'info'"]),
    ):
        refused = tactus(*arguments)
        assert refused.returncode == 2, arguments
        for word in words:
            assert word in refused.stderr, (word, refused.stderr)


def test_signals_of_a_session_are_those_of_its_model(address, lockstep):
    remote = tactus("signals", "--server", address, "--session", lockstep.name, "--json")
    assert remote.returncode == 0, remote.stderr
    assert json.loads(remote.stdout) == json.loads(tactus("signals", "motor_four_bar", "--json").stdout)


def test_durations_of_remote_subcommands_have_the_common_grammar():
    for wrong in ("10", "1 s", "1sec", "-1s", "0s"):
        refused = tactus("timing", "--watch", "--every", wrong)
        assert refused.returncode == 2, wrong
        assert "--every" in refused.stdout + refused.stderr, wrong
    # In own words, not those of the parser of command lines.
    unitless = tactus("timing", "--watch", "--every", "10").stderr
    assert '"10" is not a duration; write a number and a unit' in unitless
    assert "mandatory" not in unitless
    # Nobody answers there: the duration was read.
    for right in ("250us", "0.5s", "1min", "1h", "20000000ns"):
        assert tactus("timing", "--watch", "--every", right, "--server", "unix:/nowhere.sock").returncode == 3, right


def test_exit_codes_tell_usage_errors_from_unreachable_servers(tmp_path, address):
    nowhere = f"unix:{tmp_path}/nobody.sock"
    assert tactus("timing", "--server", nowhere).returncode == 3
    assert tactus("signals", "--server", nowhere, "--session", "any").returncode == 3
    assert tactus("timing", "--server", address, "--session", "nobody").returncode == 2
    assert tactus("signals", "--server", nowhere).returncode == 3
    unknown = tactus("signals", "motor_for_bar")
    assert unknown.returncode == 2
    assert "motor_four_bar" in unknown.stderr
    broken = tmp_path / "broken.json"
    broken.write_text('{"name": "broken", "gravity": [0, 0, 0], "bodies": [{"name": "b", "mass": -1}]}')
    refused = tactus("signals", str(broken))
    assert refused.returncode == 2
    assert "bodies[0].mass" in refused.stderr


# Calls that no command of this name replaces.
WITHOUT_COMMAND = {"GetModel", "LoadModel", "UnloadModel", "GetSession", "RunSession", "RunBlock", "Tick", "Observe",
                   "AcknowledgeFrames", "GetServerInfo", "Analyse"}


def test_each_call_of_the_service_has_a_command_that_the_program_knows_or_is_listed_without_one():
    source = (SOURCE / "clients/cli/command_names.cpp").read_text()
    commands = dict(re.findall(r'CommandOfCall\{"(\w+)", "(tactus [a-z ]+)"\}', source))
    calls = {method.name for method in simulation_pb2.DESCRIPTOR.services_by_name["Simulation"].methods}
    assert set(commands) == calls - WITHOUT_COMMAND
    for command in sorted(set(commands.values())):
        shown = tactus(*command.split()[1:], "--help").stdout
        assert f"{command.removeprefix('tactus')} [OPTIONS]" in shown, command


def test_a_refusal_of_the_server_is_no_finding_and_names_commands(address, lockstep):
    with python_tactus.connect(address) as client, client.create_session("four_bar", clock="free-run") as running:
        running.start()
        for words, says in (
            (("session", "step", running.name), "; `tactus session pause` first"),
            (("link", "close", "99"), "there is no link 99 (field id); `tactus link list` lists the links"),
            (("session", "start", "nobody"), "`tactus session list` lists the sessions"),
            (("recording", "stop", "nothing"), "`tactus recording list` lists the recordings"),
        ):
            refused = tactus(*words, "--server", address)
            assert refused.returncode == 2, refused.stderr
            assert says in refused.stderr


def test_a_name_that_is_no_signal_and_no_parameter_gets_one_line(address, lockstep):
    where = ("--server", address, "--session", lockstep.name)
    refused = tactus("get", "energy.total", "nosuch", *where)
    assert refused.returncode == 2
    [line] = refused.stderr.splitlines()
    assert "'nosuch' is neither a signal nor a parameter of the session; `tactus signals` and `tactus get` list" in line
    assert "did you mean 'energy.total'?" in tactus("get", "energy.totl", *where).stderr
    assert "did you mean 'gravity_y'?" in tactus("get", "gravity", *where).stderr
    assert "did you mean the parameter 'rocker_mass' or the signal 'rocker_angle'?" in tactus("get", "rocker", *where).stderr


def test_no_server_is_an_error_with_what_to_check(tmp_path):
    said = tactus("session", "list", "--server", f"unix:{tmp_path}/nobody.sock").stderr
    assert "; check the address and that the server runs (tactus serve)" in said


def test_signals_have_one_source_which_the_usage_names(address):
    assert re.search(r"Usage: .*signals \[OPTIONS\] \[MODEL\]", tactus("signals", "--help").stdout)
    both = tactus("signals", "four_bar", "--session", "main", "--server", address)
    assert both.returncode == 2
    assert "excludes" in both.stderr


def test_iterations_are_chosen_once(address):
    refused = tactus("session", "create", "spin_top", "--iterations", "3", "--solver", "iterations=4", "--server", address)
    assert refused.returncode == 2
    assert 'both iterations and the solver setting "iterations" (field iterations); give one of them' in refused.stderr


def test_a_setting_of_the_solver_is_given_once(address):
    twice = ("--solver", "iterations=4", "--solver", "iterations=5")
    refused = tactus("session", "create", "spin_top", *twice, "--server", address)
    assert refused.returncode == 2
    assert 'the solver setting "iterations" is given twice (field solver_settings[1]); give it once' in refused.stderr


@pytest.mark.parametrize("words", ["recording start --every 0", "recording start --every -1", "watch --count 0",
                                   "analyse session --from 0 --to 1", "analyse sensitivity spin_top --every 0"])
def test_what_must_be_above_zero_says_so(words):
    refused = tactus(*words.split())
    assert (refused.returncode, "must be a finite number above zero" in refused.stderr) == (2, True), refused.stderr


@pytest.mark.parametrize("words, why", [
    ("analyse modes spin_top --load-steps 3", "--load-steps requires --equilibrium"),
    ("analyse trim spin_top --require a=1 --load-steps 3", "--load-steps requires --equilibrium"),
    ("analyse session trim --require a=1 --load-steps 3", "--load-steps requires --equilibrium"),
    ("analyse session --points 4", "--points requires --from"),
    ("analyse equilibrium spin_top --name found", "--name requires --out"),
    ("analyse trim spin_top --require a=1 --name found", "--name requires --out"),
    ("export run.mcap --out run.csv --inputs --signals energy.total", "--signals excludes --inputs"),
    ("doctor --no-test --duration 1s", "--no-test excludes --duration"),
    ("serve spin_top --fmu-process", "--fmu-process requires --fmu"),
    ("timing --every 1s", "--every requires --watch"),
])
def test_an_option_without_effect_is_refused(words, why):
    refused = tactus(*words.split())
    assert (refused.returncode, why in refused.stderr) == (2, True), refused.stderr


def test_a_view_that_is_not_built_is_no_finding(tmp_path):
    copy = shutil.copy(BUILD / "tactus", tmp_path)  # the bundles stand beside the program
    for words in (("view",), ("model", "draw", "four_bar", "--out", tmp_path / "picture.svg")):
        refused = subprocess.run([copy, *words], capture_output=True, text=True)
        assert (refused.returncode, "the view is not built" in refused.stderr) == (2, True), refused.stderr


def test_the_help_says_what_the_exit_codes_and_a_limit_of_0_mean():
    shown = tactus("serve", "--help").stdout
    assert "2 usage, invalid model, refusal or failure" in shown
    assert shown.count("0 (default): no limit. To allow none: --overrun stop") == 2


def test_parameters_are_shown_and_set(address, client):
    with client.create_session("motor_four_bar", clock="lockstep") as session:
        session.step(4)
        where = ("--server", address, "--session", session.name)
        shown = tactus("get", *where)
        assert shown.returncode == 0, shown.stderr
        assert "rocker_mass" in shown.stdout and "0.1 .. 5" in shown.stdout
        done = tactus("set", *where, "rocker_mass=2.5", "gravity_y=0")
        assert done.returncode == 0, done.stderr
        assert done.stdout == "in force from tick 5 on\n"
        report = json.loads(tactus("get", *where, "rocker_mass", "--json").stdout)
        assert report["first_tick"] == 5
        assert [(p["name"], p["value"]) for p in report["parameters"]] == [("rocker_mass", 2.5)]
        for bad in ("rocker_mas=1", "rocker_mass=9", "rocker_mass=nan", "rocker_mass", "rocker_mass=x"):
            refused = tactus("set", *where, bad)
            assert refused.returncode == 2, bad
            assert refused.stderr
        twice = tactus("set", *where, "rocker_mass=1", "rocker_mass=2")
        assert twice.returncode == 2
        assert session.parameters("rocker_mass")[0].value == 2.5


def test_the_safe_state_is_entered_and_left_from_the_shell(address, realtime):
    where = ("--server", address, "--session", realtime.name)
    entered = tactus("safe", *where, "--json")
    assert entered.returncode == 0, entered.stderr
    report = json.loads(entered.stdout)
    assert report["session"] == realtime.name
    assert report["input_mode"] in ("ramping", "safe")
    left = tactus("clear", *where)
    assert left.returncode == 0, left.stderr
    assert left.stdout.startswith(f"session {realtime.name} at tick ")
    assert tactus("safe", "--server", address, "--session", "nobody").returncode == 2


def test_a_run_takes_parameters_from_the_command_line():
    def hash_of(*arguments):
        done = tactus("run", "motor_four_bar", "--until", "50ms", "--json", *arguments)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)["state_hash"]

    assert hash_of("--set", "rocker_mass=0.6") == hash_of()
    assert hash_of("--set", "rocker_mass=1.5") != hash_of()
    assert hash_of("--set", "rocker_mass=1.5", "--set", "velocity_passes=2") != hash_of()
    assert tactus("run", "motor_four_bar", "--until", "50ms", "--set", "rocker_mass=99").returncode == 2


def test_an_interrupted_download_of_a_recording_continues(address, client, tmp_path):
    with client.create_session("motor_four_bar", clock="lockstep") as session:
        name = session.record("*").name
        session.step(500)
        running = tactus("recording", "download", name, "--server", address, "--out", str(tmp_path / "a.mcap"))
        assert running.returncode == 2
        assert "end it with `tactus recording stop`" in running.stderr
        recording = client.stop_recording(name)
        done = tactus("recording", "download", name, "--server", address, "--out", str(tmp_path / "a.mcap"))
        assert done.returncode == 0, done.stderr
        whole = (tmp_path / "a.mcap").read_bytes()
        assert len(whole) == recording.bytes
        assert tactus("replay", str(tmp_path / "a.mcap")).returncode == 0

        # What is there already is compared, and stays.
        (tmp_path / "b.mcap").write_bytes(whole[: len(whole) // 3])
        assert client.download_recording(name, tmp_path / "b.mcap") == len(whole)
        assert client.download_recording(name, tmp_path / "b.mcap") == len(whole)
        assert (tmp_path / "b.mcap").read_bytes() == whole
        (tmp_path / "c.mcap").write_bytes(whole[: len(whole) // 3])
        download = ("recording", "download", name, "--server", address, "--out")
        assert tactus(*download, str(tmp_path / "c.mcap")).returncode == 0
        assert (tmp_path / "c.mcap").read_bytes() == whole
        # Any other file stays as it is.
        for other in (b"my notes", whole + b"x", bytes(1) + whole[1:], whole[: len(whole) // 2] + bytes(9)):
            (tmp_path / "c.mcap").write_bytes(other)
            refused = tactus(*download, str(tmp_path / "c.mcap"))
            assert refused.returncode == 2, refused.stderr
            assert f"c.mcap is not the beginning of recording {name}; remove it" in refused.stderr
            assert (tmp_path / "c.mcap").read_bytes() == other


def test_the_end_of_the_server_does_not_count_as_a_lost_controller(tmp_path):
    address = f"unix:{tmp_path}/s.sock"
    command = [BUILD / "tactus", "serve", "motor_four_bar", "--listen", address, "--priority", "0", "--period", "5ms"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert any(line.startswith("endpoint") for line in server.stdout)
        with python_tactus.connect(address) as client:
            stream = client.session("main").tick(inputs="motor", outputs="motor")
            for _ in range(20):
                stream.receive()
                stream.send([0.1])
            # It stays open and silent until the server has given up on it: 90 ticks, if there were any.
            server.terminate()
            output, _ = server.communicate(timeout=60)
            stream.cancel()
        assert server.returncode == 0
        report = output[output.rindex("main paused") :]
        assert "losses 0, safe state entered 0 times" in report
    finally:
        server.kill()
