"""`tactus serve --fmu`: a unit drives a session; a slow, failing or wrong one does what its map and the model say."""
# Covers: clients/fmi/session/session_unit.cpp, clients/fmi/session/unit_map.cpp, clients/fmi/session/unit_driver.cpp
# Covers: clients/fmi/session/unit_process.cpp, clients/fmi/session/missed_steps.cpp, clients/fmi/importer/call_record.h
# Covers: clients/fmi/session/unit_server.cpp, clients/fmi/session/unit_messages.h, clients/fmi/session/unit_run.h

import json
import os
import pathlib
import re
import subprocess
import time

import pytest
import tactus

from check_test import BINARY, FAULTS, HERE, TACTUS, description, functions, write

PUCK = {
    "name": "puck",
    "gravity": [0, 0, 0],
    "bodies": [{"name": "a", "mass": 1, "inertia": {"xx": 1, "yy": 1, "zz": 1}}],
    "actuators": [{"name": "push", "minimum": -1e9, "maximum": 1e9, "safe": 7,
                   "body_force": {"body": "a", "direction": [1, 0, 0], "point": [0, 0, 0]}}],
}
MAP = {"outputs": {"out": "push"}, "inputs": {"in": "a.r.x"}, "every": 5, "delay": 3}


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    made = {}

    def make(version, fault, gain):
        if (version, fault, gain) not in made:
            source = (HERE / "small_unit.c").read_text()
            own = set(re.findall(rf"\bfmi{version}(\w+)\(", source)) | set(re.findall(r"\bF\((\w+)\)\(", source))
            denied = " ".join(f"DENIED({name})" for name in sorted(functions(version) - own))
            target = tmp_path_factory.mktemp("object") / "small.so"
            subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-w", f"-DFMI={version}", f"-DFAULT={FAULTS.index(fault)}",
                            f"-DGAIN={gain}", f"-DDENIED_FUNCTIONS={denied}", HERE / "small_unit.c", "-o", target], check=True)
            made[version, fault, gain] = target.read_bytes()
        return made[version, fault, gain]

    return make


@pytest.fixture
def serve(tmp_path, built):
    """Runs a session with a unit to its end: exit code, the line "ended", the log."""

    def run(*options, version=3, fault="NONE", gain=1e-9, unit_map=None, words=None, meanwhile=None, changes=(), initial=0):
        text = description(version)
        for change in changes:
            assert change[0] in text
            text = text.replace(*change)
        (tmp_path / "puck.json").write_text(json.dumps({**PUCK, "actuators": [{**PUCK["actuators"][0], "initial": initial}]}))
        (tmp_path / "map.json").write_text(unit_map if isinstance(unit_map, str) else json.dumps(unit_map or MAP))
        write(tmp_path / "small.fmu", {"modelDescription.xml": text, BINARY[version]: built(version, fault, gain)})
        units = words or (f"small={tmp_path}/small.fmu:{tmp_path}/map.json",)
        command = [TACTUS, "serve", tmp_path / "puck.json", "--listen", f"unix:{tmp_path}/s.sock", "--priority", "0", "--json",
                   *(word for unit in units for word in ("--fmu", unit)), *options]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            try:
                first = process.stdout.readline()
                if meanwhile:
                    with tactus.connect(f"unix:{tmp_path}/s.sock") as client:
                        meanwhile(client.session("main"))
                    process.terminate()
                out, log = process.communicate(timeout=120)
            finally:
                process.kill()
        lines = [json.loads(line) for line in (first + out).splitlines()]
        return process.returncode, lines[-1] if lines else {}, log

    return run


def rows(path):
    out = path.with_suffix(".csv")
    subprocess.run([TACTUS, "export", path, "--out", out, "--signals", "push,a.r.x,a.v.x"], check=True, capture_output=True)
    return [line.split(",") for line in out.read_text().splitlines()]


@pytest.mark.parametrize("version", (2, 3))
def test_in_lockstep_the_unit_drives_and_each_run_has_the_same_bits(tmp_path, serve, version):
    recorded = []
    # On a loaded host the ticks, which wait for the unit alone, may overtake the recorder; its signals then begin later.
    for name in [f"{run}.mcap" for run in range(10)]:
        code, _, log = serve("--clock", "lockstep", "--duration", "300ms", "--record", tmp_path / name, version=version)
        assert code == 0, log
        assert re.search(r"fmu small: [1-9]\d* steps, 0 missed", log) and "it ends" not in log, log
        # Without the unit the recorded inputs lead to the same states.
        replay = subprocess.run([TACTUS, "replay", tmp_path / name], capture_output=True, text=True, check=False)
        assert replay.returncode == 0, replay.stdout + replay.stderr
        found = rows(tmp_path / name)[:200]
        if abs(float(found[-1][0]) - 0.198) < 1e-9:
            recorded.append(found)
        if len(recorded) == 2:
            break
    assert recorded[0] == recorded[1] and len(recorded[0]) == 200
    head, *data = recorded[0]
    assert head == ["t", "push", "a.r.x", "a.v.x"]
    values = {round(float(row[0]) / 1e-3): (float(row[1]), float(row[2])) for row in data}
    # The steps read the position in ticks 0, 5, 10, ...; their results hold from 3 ticks later on.
    output = 0.0
    for tick in range(3, max(values) - 4, 5):
        output += 1e-9 * (values[tick - 3][1] + 1)
        assert {values[t][0] for t in range(tick, tick + 5)} == {output}


def test_a_slow_unit_misses_its_own_deadline_and_the_ticks_do_not_wait(serve):
    code, ended, log = serve("--duration", "2s", "--miss-limit", "0", fault="SLOW")
    steps, missed = map(int, re.search(r"fmu small: (\d+) steps, (\d+) missed", log).groups())
    assert code == 0 and steps > 0 and missed > 0, log
    assert ended["tick"] > 5 * (steps + 1)
    assert log.count("was not there in time") == 1


def test_a_miss_may_enter_the_safe_state(serve):
    code, _, log = serve("--duration", "1s", "--miss-limit", "0", fault="SLOW", unit_map={**MAP, "on_miss": "safe"})
    assert code == 4 and "is in its safe state" in log
    assert re.search(r"safe state since tick \d+, by fmu small: a result is missing, and its map says on_miss: safe; leave it with", log), log


@pytest.mark.parametrize("words", [(), ("--fmu-process", "--fmu-limit", "10s")], ids=["here", "apart"])
@pytest.mark.parametrize("fault", ["HANGS", "PAUSES"])
def test_a_result_is_missed_when_it_is_due_while_its_step_is_still_made(serve, fault, words):
    # The fifth step reads tick 20 and hangs, or takes 0.7 s.
    code, ended, log = serve("--duration", "1s", "--miss-limit", "0", *words, fault=fault, unit_map={**MAP, "on_miss": "safe"})
    since, tick = int(re.search(r"safe state since tick (\d+), by fmu small", log)[1]), ended["tick"]
    late = int(re.search(r"a result was not there in time at tick (\d+)", log)[1])
    # Due at tick 23. A loaded host may miss an earlier result, and may be slow to see this one; it pauses 700 ticks.
    assert code == 4 and late <= since < 300, log
    steps, missed = map(int, re.search(r"fmu small: (\d+) steps, (\d+) missed", log).groups())
    # A step counts once, one that was left out as well as one whose result came too late. The server leaves out ticks on
    # a host that stalls, so the number of steps follows from the ticks made.
    assert missed <= tick // 5 + 1 and steps <= tick // 5 + 1, log
    assert missed >= (tick - 23) // 5 - 2 if fault == "HANGS" else missed > 1 and steps + missed >= tick // 5 - 2, log


def test_the_reason_of_a_safe_state_ends_with_it(serve):
    found = []

    def look(session):
        session.start()
        end = time.monotonic() + 20
        while not session.status().safe_state and time.monotonic() < end:
            time.sleep(0.01)
        found.append(session.status().safe_state)
        session.enter_safe_state()  # it is there already
        found.append(session.status().safe_state)
        session.clear_safe_state()
        assert not session.status().safe_state
        session.enter_safe_state()
        found.append(session.status().safe_state)

    serve("--paused", fault="FAILS", unit_map={**MAP, "on_miss": "safe"}, meanwhile=look)
    assert all("by fmu small: " in text for text in found[:2]) and "by request or by an overrun rule" in found[2], found


@pytest.mark.parametrize("fault, gain, why", (
    ("NOT_FINITE", 1e-9, 'its value for "push" is not finite'), ("FAILS", 1e-9, "fmi3DoStep returns error"),
    ("NONE", 1e9, r'its value \S+ for "push" is outside -1000000000'),
))
def test_a_unit_that_fails_ends_like_a_lost_controller(serve, fault, gain, why):
    code, ended, log = serve("--duration", "2s", fault=fault, gain=gain, unit_map={**MAP, "delay": 5})
    assert re.search(rf"fmu small: it ends at tick \d+: {why}", log), log
    assert code == 4 and "is in its safe state" in log, log
    assert ended["state"] == "running" or ended["state"] == "paused"


@pytest.mark.parametrize("process", ((), ("--fmu-process",)))
@pytest.mark.parametrize("fault, gain, why", (
    ("NONE", 1e10, r'its value \S+ for "push" is outside'), ("DISCARDS", 1e-9, "fmi3DoStep returns discard: the pressure is too low"), ("HANGS_AT_ONCE", 1e-9, ""),
))
def test_a_unit_without_any_result_is_a_lost_controller(serve, fault, gain, why, process):
    code, ended, log = serve("--duration", "1s", *process, fault=fault, gain=gain)
    if why:
        assert re.search(rf"fmu small: it ends at tick 0: {why}.*; its actuators follow their action on loss", log), log
    assert "safe state since tick" in log and "because the controller sent no inputs" in log, log
    assert code == 4 and ended["tick"] > 100, log


def test_a_unit_that_fails_at_its_first_step_after_a_reset_is_a_lost_controller(serve):
    def reset(session):
        def await_value(found):
            session.start()
            end = time.monotonic() + 20
            while not found(session.read("push")["push"]) and time.monotonic() < end:
                time.sleep(0.01)
            assert found(session.read("push")["push"])

        await_value(lambda push: push > 0)
        session.reset()
        time.sleep(0.5)  # the unit fails while the session stands at tick 0
        await_value(lambda push: push == 7)

    _, _, log = serve("--paused", fault="FAILS_AFTER_RESET", meanwhile=reset)
    assert "it ends at tick 0: fmi3DoStep returns error" in log and "because the controller sent no inputs" in log, log


def test_in_lockstep_the_session_stands_still_at_the_first_fault(serve):
    _, ended, log = serve("--clock", "lockstep", "--duration", "1s", gain=1e10)
    assert re.search("it ends at tick 0: .*; its actuators keep their values; without another controller the session stands still", log), log
    assert ended["tick"] == 0


def test_every_mistake_of_a_map_is_found_at_the_start(tmp_path, serve):
    wrong = {"outputs": {"ouf": "push", "out": "pusch"}, "inputs": {"in": "a.r.X", "out": "a.r.x"}, "every": 30, "delay": 31,
             "on_miss": "wait", "evry": 2}
    code, _, log = serve("--duration", "1s", unit_map=wrong)
    assert code == 2
    for finding in ("evry: it is no key of a map; did you mean \"every\"?",
                    'outputs.ouf: the unit has no scalar output of type Real or Float64 with this name; did you mean "out"?',
                    'outputs.out: the model has no actuator "pusch"; did you mean "push"?',
                    'inputs.in: the model has no signal "a.r.X"; did you mean "a.r.x"?',
                    "inputs.out: the unit has no scalar input of type Real or Float64 with this name; it has \"in\"",
                    "every: a controller without an input for 20 ticks is lost", "delay: it must be a whole number of ticks from 1 to 30",
                    'on_miss: it must be "hold" or "safe"'):
        assert f"{tmp_path}/map.json: {finding}" in log, log


@pytest.mark.parametrize("text, finding", (
    ("{", "it is not JSON"), ("[]", "it must be an object"), ("{}", "outputs: it must be an object that is not empty"),
    ('{"outputs": {"out": "push"}, "every": 1.5}', "every: it must be a whole number"),
    ('{"outputs": {"out": "push", "out": "push"}}', "out: it is given twice"),
    ('{"outputs": {"out": 3}, "inputs": {"in": 3}}', "inputs.in: its value must be the name of a signal"),
))
def test_a_map_that_is_no_map_is_refused(serve, text, finding):
    code, _, log = serve("--duration", "1s", unit_map=text)
    assert code == 2 and finding in log, log


def test_a_map_that_is_no_json_is_refused_with_its_line(tmp_path, serve):
    code, _, log = serve("--duration", "1s", unit_map='{"outputs":\n {"out": "push",}}')
    assert code == 2 and f"{tmp_path}/map.json:2: it is not JSON: column 17: syntax error" in log and "json.exception" not in log, log


def test_a_limit_for_processes_of_units_needs_processes(serve):
    code, _, log = serve("--duration", "1s", "--fmu-limit", "1s")
    assert code == 2 and "--fmu-limit requires --fmu-process" in log, log


@pytest.mark.parametrize("version", (2, 3))
def test_a_step_that_the_unit_would_refuse_is_refused_at_the_start(tmp_path, serve, version):
    fmu, unit_map = tmp_path / "bar.fmu", tmp_path / "bar.json"
    subprocess.run([TACTUS, "fmu", "export", "motor_four_bar", "--fmi", str(version), "--step", "1500us", "--out", fmu], check=True,
                   capture_output=True)
    words = (f"bar={fmu}:{unit_map}",)
    for every, code, finding in ((5, 2, '0.0025 s, the time of 5 ticks, is no whole multiple of the internal step of the unit, 0.0015 s; '
                                        'the smallest "every" that works is 3'), (3, 0, ""), (6, 0, "")):
        unit_map.write_text(json.dumps({"outputs": {"crank_angle": "push"}, "every": every}))
        # A busy machine may miss many results; no limit, since the start is what is tested.
        found, _, log = serve("--period", "500us", "--duration", "200ms", "--miss-limit", "0", words=words)
        assert found == code and finding in log and "it ends" not in log, log
    code, _, log = serve("--period", "700001ns", "--duration", "200ms", "--miss-limit", "0", words=words)
    assert code == 2 and "internal step of the unit, 0.0015 s; serve with another --period" in log, log


def test_units_that_cannot_be_used_are_refused(tmp_path, serve):
    fmu, unit_map = tmp_path / "small.fmu", tmp_path / "map.json"
    for words, finding in ((("small",), "it must be NAME=FILE.fmu:MAP.json"), ((f"a={unit_map}:{unit_map}",), "cannot open it as a ZIP"),
                           ((f"a={fmu}:{tmp_path}/none.json",), "none.json: it cannot be read"),
                           ((f"a={fmu}:{unit_map}", f"b={fmu}:{unit_map}"), '"fmu a" already drives'),
                           ((f"a={fmu}:{unit_map}", f"a={fmu}:{unit_map}"), "another unit has this name")):
        code, _, log = serve("--duration", "1s", words=words)
        assert code == 2 and finding in log, log
    code, _, log = serve("--clock", "external", "--duration", "1s")
    assert code == 2 and "one device brings all inputs" in log


def test_a_unit_that_hangs_is_a_lost_controller_and_left_behind_at_the_end(serve):
    code, _, log = serve("--duration", "1s", fault="HANGS")
    assert code == 4 and "is in its safe state" in log and "it hangs in a call and is left behind" in log, log


@pytest.mark.parametrize("clock", ("lockstep", "real-time"))
def test_a_reset_of_the_session_resets_the_unit(serve, clock):
    seen = []  # tick, and the output, which counts the steps

    def reset(session):
        for _ in range(2):
            session.start()
            while session.read("push")["push"] == 0:
                pass
            session.pause()
            frame = session.read("push")
            seen.append((frame.tick, frame["push"]))
            session.reset()

    _, _, log = serve("--clock", clock, "--paused", "--miss-limit", "0", gain=1, unit_map={**MAP, "inputs": {}}, meanwhile=reset)
    assert len(seen) == 2 and "it ends" not in log, log
    for tick, output in seen:
        results = (tick - 3) // 5 + 1
        assert output == results if clock == "lockstep" else 0 < output <= results, seen


def test_a_client_may_take_the_inputs_over(serve):
    def take(session):
        with session.tick(["push"], ["push"], takeover="the operator drives") as stream:
            stream.send([3.0])
            next(frame for frame in stream if frame["push"] == 3.0)

    _, _, log = serve("--miss-limit", "0", meanwhile=take)
    assert re.search(r"fmu small: its inputs were taken over by .*the operator drives; it ends", log), log


def processes_of_units():
    """Processes of this user that run a unit."""
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if b"unit-process" in words[:4] and (folder / "stat").read_text().rsplit(")", 1)[1].split()[0] != "Z":
            found.append(int(folder.name))
    return found


@pytest.fixture
def no_process_left():
    """A unit in a process of its own leaves none behind; others may run at the same time."""
    before = set(processes_of_units())
    yield
    end = time.monotonic() + 10
    while set(processes_of_units()) - before and time.monotonic() < end:
        time.sleep(0.05)
    assert set(processes_of_units()) <= before


@pytest.mark.parametrize("version", (2, 3))
def test_in_a_process_of_its_own_a_unit_gives_the_same_bits(tmp_path, serve, no_process_left, version):
    recorded = {}
    for options in ((), ("--fmu-process",)):
        for run in range(10):  # the ticks may overtake the recorder, as above
            file = tmp_path / f"{len(options)}{run}.mcap"
            code, _, log = serve("--clock", "lockstep", "--duration", "400ms", "--record", file, *options, version=version)
            assert code == 0 and re.search(r"fmu small: [1-9]\d* steps, 0 missed$", log, re.MULTILINE), log
            found = rows(file)[:150]
            if abs(float(found[-1][0]) - 0.148) < 1e-9:
                recorded[options] = found
                break
    assert len(recorded) == 2 and recorded[()] == recorded[("--fmu-process",)]
    assert len({row[1] for row in recorded[()][1:]}) > 20


def test_a_unit_of_this_program_in_a_process_of_its_own_has_the_bits_of_one_beside_it(tmp_path, serve, no_process_left):
    """A whole engine in each process: floating-point modes and processors agree."""
    fmu, unit_map = tmp_path / "bar.fmu", tmp_path / "bar.json"
    subprocess.run([TACTUS, "fmu", "export", "motor_four_bar", "--step", "1ms", "--out", fmu], check=True, capture_output=True)
    unit_map.write_text(json.dumps({"outputs": {"crank_angle": "push"}}))
    seen = {}
    for options in ((), ("--fmu-process",)):
        for run in range(10):
            file = tmp_path / f"{len(options)}{run}.mcap"
            code, _, log = serve("--clock", "lockstep", "--duration", "400ms", "--record", file, *options,
                                 words=(f"bar={fmu}:{unit_map}",))
            assert code == 0 and "it ends" not in log, log
            found = rows(file)[:100]
            if abs(float(found[-1][0]) - 0.098) < 1e-9:
                seen[options] = found
                break
    assert len(seen) == 2 and seen[()] == seen[("--fmu-process",)]
    assert len({row[1] for row in seen[()][1:]}) > 50


def test_a_unit_that_changes_the_rounding_changes_it_for_itself_alone(tmp_path, serve, no_process_left):
    seen = {}
    for fault, *options in (("NONE",), ("ROUNDS_UP",), ("ROUNDS_UP", "--fmu-process")):
        for run in range(10):  # the ticks may overtake the recorder, as above
            file = tmp_path / f"{fault}{len(options)}{run}.mcap"
            code, _, log = serve("--clock", "lockstep", "--duration", "400ms", "--record", file, *options, fault=fault)
            assert code == 0 and "it ends" not in log, log
            # The ticks of the server, of threads that were made after the unit was loaded too, round to nearest.
            replay = subprocess.run([TACTUS, "replay", file], capture_output=True, text=True, check=False)
            assert replay.returncode == 0, replay.stdout + replay.stderr
            found = rows(file)[:150]
            if abs(float(found[-1][0]) - 0.148) < 1e-9:
                seen[fault, *options] = found
                break
    assert len(seen) == 3 and seen[("ROUNDS_UP",)] == seen["ROUNDS_UP", "--fmu-process"]
    # The unit has the rounding that it chose.
    assert seen[("ROUNDS_UP",)] != seen[("NONE",)]


ENDS = (
    ("CRASHES", "fmi3DoStep ends its process: Segmentation fault"), ("EXITS", "fmi3DoStep ends its process with exit code 7"),
    ("HANGS", "fmi3DoStep does not return within 0.3"), ("NOT_FINITE", 'its value for "push" is not finite'),
    ("FAILS", "fmi3DoStep returns error"),
)


@pytest.mark.parametrize("fault, why", ENDS)
def test_a_bad_unit_takes_its_process_alone_and_its_actuators_follow_the_loss(serve, no_process_left, fault, why):
    code, ended, log = serve("--fmu-process", "--fmu-limit", "300ms", "--duration", "1500ms", fault=fault)
    assert re.search(rf"fmu small: it ends at tick \d+: {why}", log), log
    # The last line of the unit: what it did, and how it ended.
    assert re.search(rf"fmu small: \d+ steps, [1-9]\d* missed; it ended at tick \d+: {why}", log), log
    # The session has ticked on in its safe state; a host with other work makes fewer ticks than one in each ms.
    since = int(re.search(r"safe state since tick (\d+)", log)[1])
    assert code == 4 and "is in its safe state" in log and ended["tick"] > since + 100, log
    assert "left behind" not in log


@pytest.mark.parametrize("on_miss", ("hold", "safe"))
@pytest.mark.parametrize("fault, why", ENDS)
def test_in_lockstep_another_controller_steps_on_as_the_map_says(serve, no_process_left, fault, why, on_miss):
    frames = []

    def step(session):
        session.start()
        end = time.monotonic() + 60
        while session.read("push").tick < 20 and time.monotonic() < end:
            time.sleep(0.01)
        time.sleep(1)  # the limit, and the look at how the process has ended
        session.pause()
        frames.append(session.read("push"))
        session.step(50)
        frames.append(session.read("push"))

    code, _, log = serve("--fmu-process", "--fmu-limit", "300ms", "--clock", "lockstep", "--paused", fault=fault,
                         unit_map={**MAP, "on_miss": on_miss}, meanwhile=step)
    assert re.search(rf"fmu small: it ends at tick 20: {why}", log), log
    before, after = frames
    assert before.tick == 20 and after.tick == 70 and before["push"] > 0
    # The value in force, or the safe value of the actuator.
    assert after["push"] == (before["push"] if on_miss == "hold" else 7)
    assert code == (0 if on_miss == "hold" else 4), log


def test_a_unit_that_hangs_when_it_is_loaded_is_refused_within_the_limit(serve, no_process_left):
    code, _, log = serve("--fmu-process", "--fmu-limit", "500ms", "--duration", "1s", fault="HANGS_WHEN_LOADED")
    assert code == 2 and "dlopen does not return within 0.5" in log, log


def test_a_unit_that_hangs_ends_with_the_server_before_its_limit(serve, no_process_left):
    code, _, log = serve("--fmu-process", "--duration", "1s", fault="HANGS")
    assert code == 4 and "fmi3DoStep ends its process: Killed" in log and "left behind" not in log, log


def test_the_process_of_a_unit_ends_with_a_server_that_is_killed(tmp_path, serve, no_process_left):
    def kill(session):
        os.kill(parent_of(session), 9)

    def parent_of(session):
        assert session.read("push").tick >= 0
        own = [pid for pid in processes_of_units() if str(tmp_path) in pathlib.Path(f"/proc/{pid}/environ").read_text()]
        assert len(own) == 1
        return int(pathlib.Path(f"/proc/{own[0]}/stat").read_text().rsplit(")", 1)[1].split()[1])

    os.environ["TMPDIR"] = str(tmp_path)
    try:
        code, _, _ = serve("--fmu-process", fault="HANGS", meanwhile=kill)
    finally:
        del os.environ["TMPDIR"]
    assert code == -9
