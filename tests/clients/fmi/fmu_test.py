"""Units of FMI 2.0 and 3.0: the bits of `tactus run`, the rules of the standard, and what happens to wrong calls."""
# Covers: clients/fmi/archive.cpp, clients/fmi/binaries.cpp, clients/fmi/description.cpp, clients/fmi/export.cpp
# Covers: clients/fmi/fmu_command.cpp, clients/fmi/importer/unit_exponents.cpp, clients/fmi/format/byte_stream.h
# Covers: clients/fmi/format/spec_pack.cpp, clients/fmi/format/unit_file.cpp, clients/fmi/unit/instance.cpp
# Covers: clients/fmi/unit/fmi2.cpp, clients/fmi/unit/fmi3.cpp, clients/fmi/unit/resource_path.cpp, clients/fmi/unit/cpu.cpp
# Covers: clients/fmi/unit/instance_derivatives.cpp, clients/fmi/unit/instance_states.cpp, clients/fmi/unit/derivatives.h
# Covers: clients/fmi/unit/single_team.cpp, clients/fmi/unit/derivatives.cpp, clients/fmi/unit/float_mode.h, clients/fmi/unit/call.h

import ctypes
import json
import math
import os
import pathlib
import re
import subprocess
import zipfile
from xml.etree import ElementTree

import pytest
from tactus import connect

from importer import DISCARD, ERROR, OK, WARNING, Instance, Unit

ROOT = pathlib.Path(__file__).resolve().parents[3]
TACTUS = pathlib.Path(os.environ.get("TACTUS_BUILD_DIR", ROOT / "build/release")) / "tactus"
TICKS = 10_000
VERSIONS = (2, 3)
ROUND_OFF = 1e-15  # of times that are products, s

# Model, the input that moves it, and its amplitude.
CASES = {"sedan": ("steering", 0.3), "motor_four_bar": ("motor", 2.0), "chain:n=16": (None, 0.0)}


def tactus(*words, code=0):
    done = subprocess.run([TACTUS, *map(str, words)], capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    return done.stdout if code == 0 else done.stderr


@pytest.fixture(scope="module")
def unit(tmp_path_factory):
    made = {}

    def make(model, version, *options):
        key = (model, version, options)
        if key not in made:
            folder = tmp_path_factory.mktemp("unit")
            tactus("fmu", "export", model, "--fmi", version, "--out", folder / "a.fmu", *options)
            made[key] = Unit(folder / "a.fmu", folder / "unpacked")
        return made[key]

    return make


def value_at(tick, amplitude):
    """A ramp up and down every 400 ticks, rounded as a file writes it."""
    return round(amplitude * (1 - abs(tick % 400 - 200) / 100), 6)


def drive(instance, name, amplitude, first, last):
    for tick in range(first, last):
        if name and tick % 5 == 0:
            assert instance.set(**{name: value_at(tick, amplitude)}) == OK
        assert instance.step() == OK


def hash_of_run(model, name, amplitude, ticks, folder, *options):
    step, inputs = 1e-3, []  # a row of the file is used by the tick that ends at its time
    if name:
        rows = "\n".join(f"{(tick + 1) * step:.3f},{value_at(tick, amplitude)!r}" for tick in range(0, ticks, 5))
        (folder / "inputs.csv").write_text(f"t,{name}\n{rows}\n")
        inputs = ["--inputs", folder / "inputs.csv"]
    report = tactus("run", model, "--until", f"{ticks}ms", "--step", "1ms", "--json", *inputs, *options)
    return json.loads(report)["state_hash"]


def hash_of_lockstep(model, name, amplitude, ticks, folder):
    """Of a session of a server, with the same input at each tick."""
    command = [TACTUS, "serve", "--listen", f"unix:{folder}/s.sock", "--priority", "0", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            server.stdout.readline()  # listens
            with connect(f"unix:{folder}/s.sock") as client:
                with client.create_session(model, clock="lockstep", period="1ms") as session:
                    values = [value_at(tick - tick % 5, amplitude) for tick in range(ticks)]
                    session.run(ticks, inputs={name: values} if name else None)
                    return session.state_hash
        finally:
            server.terminate()


@pytest.mark.parametrize("model", CASES)
def test_both_units_end_with_the_bits_of_tactus_run_and_of_a_session_in_lockstep(unit, tmp_path, model):
    name, amplitude = CASES[model]
    expected = hash_of_run(model, name, amplitude, TICKS, tmp_path)
    assert hash_of_lockstep(model, name, amplitude, TICKS, tmp_path) == expected
    for version in VERSIONS:
        instance = Instance(unit(model, version, "--step", "1ms"))
        drive(instance, name, amplitude, 0, TICKS)
        assert instance.hash() == expected
        instance.free()


def test_the_variables_of_an_element_are_a_terminal_of_fmi_3(tmp_path):
    tactus("fmu", "export", "sedan", "--fmi", 3, "--out", tmp_path / "a.fmu", "--signals", "tyre_fl.*")
    with zipfile.ZipFile(tmp_path / "a.fmu") as archive:
        root = ElementTree.fromstring(archive.read("terminalsAndIcons/terminalsAndIcons.xml"))
        described = ElementTree.fromstring(archive.read("modelDescription.xml"))
    variables = {v.get("name"): v.get("causality") for v in described.find("ModelVariables")}
    terminals = {terminal.get("name"): {member.get("memberName"): member.get("variableName") for member in terminal}
                 for terminal in root.find("Terminals")}
    assert root.get("fmiVersion") == "3.0"
    assert {terminal.get("matchingRule") for terminal in root.find("Terminals")} == {"bus"}
    assert terminals["tyre_fl"]["load"] == "tyre_fl.load"
    assert set(terminals["actuators"].values()) == {name for name, causality in variables.items() if causality == "input"}
    # Each input and output but the hash is in one terminal; parameters and the time are in none.
    members = [name for terminal in terminals.values() for name in terminal.values()]
    assert sorted(members) == sorted(name for name, causality in variables.items()
                                     if causality in ("input", "output") and name != "state_hash")
    tactus("fmu", "export", "sedan", "--fmi", 2, "--out", tmp_path / "b.fmu")
    with zipfile.ZipFile(tmp_path / "b.fmu") as archive:
        assert not any("terminals" in name for name in archive.namelist())


@pytest.mark.parametrize("version", VERSIONS)
def test_two_instances_in_turn_are_two_alone(unit, version):
    made = unit("motor_four_bar", version)
    alone = []
    for amplitude in (1.0, 2.0):
        instance = Instance(made)
        drive(instance, "motor", amplitude, 0, 500)
        alone.append(instance.hash())
        instance.free()
    both = [Instance(made), Instance(made)]
    for tick in range(500):
        for instance, amplitude in zip(both, (1.0, 2.0)):
            drive(instance, "motor", amplitude, tick, tick + 1)
    assert [instance.hash() for instance in both] == alone and alone[0] != alone[1]


def test_units_of_two_versions_and_models_share_a_process(unit):
    instances = [Instance(unit(model, version)) for model in ("motor_four_bar", "double_pendulum") for version in VERSIONS]
    for instance in instances:
        assert instance.step() == OK
    hashes = [instance.hash() for instance in instances]
    assert hashes[0] == hashes[1] and hashes[2] == hashes[3] and hashes[0] != hashes[2]


@pytest.mark.parametrize("version", VERSIONS)
def test_a_state_from_the_middle_of_a_ramp_goes_on_with_the_same_bits(unit, version):
    made = unit("sedan", version, "--step", "1ms")
    first = Instance(made)
    drive(first, "steering", 0.3, 0, 301)
    # An input that no step has used yet belongs to the state.
    assert first.set(steering=0.123) == OK
    saved, when = first.state(), first.time
    written = first.serialize(saved)
    drive(first, "steering", 0.3, 301, 600)
    end = first.hash()

    assert first.restore(saved, when) == OK
    assert first.get("steering") == 0.123
    drive(first, "steering", 0.3, 301, 600)
    assert first.hash() == end
    # The same state, written, read by another instance that has gone elsewhere.
    other = Instance(made)
    drive(other, "steering", -0.2, 0, 50)
    status, read = other.deserialize(written)
    assert status == OK and other.restore(read, when) == OK
    assert other.serialize(read) == written
    drive(other, "steering", 0.3, 301, 600)
    assert other.hash() == end
    damaged = bytearray(written)
    damaged[len(damaged) // 2] ^= 1
    assert other.deserialize(bytes(damaged))[0] == ERROR and "damaged" in other.messages[-1][2]
    assert other.deserialize(b"short")[0] == ERROR
    stranger = Instance(unit("motor_four_bar", version))
    assert stranger.deserialize(written)[0] == ERROR and "another unit" in stranger.messages[-1][2]
    assert first.free_state(saved) == OK and not saved.value
    for instance in (first, other, stranger):
        instance.free()


@pytest.mark.parametrize("version", VERSIONS)
def test_reset_gives_the_first_run_again(unit, version):
    instance = Instance(unit("motor_four_bar", version))
    drive(instance, "motor", 2.0, 0, 100)
    first = instance.hash()
    assert instance.call("Reset") == OK
    instance.begin()
    drive(instance, "motor", 2.0, 0, 100)
    assert instance.hash() == first


@pytest.fixture(scope="module")
def tunable(tmp_path_factory):
    """motor_four_bar with a damper at its crank whose damping, and a body whose mass, are parameters."""
    folder = tmp_path_factory.mktemp("model")
    model = json.loads(tactus("model", "print", "double_pendulum"))
    body = model["bodies"][0]["name"]
    model["parameters"] = [
        {"name": "mass", "targets": [f"bodies.{body}.mass"], "minimum": 0.1, "maximum": 50, "unit": "kg"},
        {"name": "inertia", "targets": [f"bodies.{body}.inertia.xx"], "unit": "kg m^2"},
    ]
    path = folder / "tunable.json"
    path.write_text(json.dumps(model))
    return path


def test_a_model_that_the_settings_of_a_unit_make_invalid_is_refused_with_the_finding_of_tactus_run(tmp_path):
    stiff = {"name": "mount", "gravity": [0, 0, -9.81],
             "bodies": [{"name": "engine", "mass": 1, "inertia": {"xx": 0.1, "yy": 0.1, "zz": 0.1}}],
             "forces": [{"name": "mount", "bushing": {"body_1": "ground", "body_2": "engine", "point_1": [0, 0, 0],
                                                      "point_2": [0, 0, 0], "stiffness": [1.8e5, 0, 0, 0, 0, 0]}}]}
    (tmp_path / "stiff.json").write_text(json.dumps(stiff))
    step = ("--step", "1ms", "--set", "third_order=1")
    refused = tactus("fmu", "export", tmp_path / "stiff.json", "--out", tmp_path / "a.fmu", *step, code=2)
    of_run = tactus("run", tmp_path / "stiff.json", "--until", "10ms", *step, code=2)
    finding = of_run.removeprefix("tactus run: ").strip()
    assert "solver.third_order = true: third-order steps" in finding and "424 rad/s" in finding  # sqrt(1.8e5 N/m / 1 kg)
    assert refused == f"tactus fmu export: the model is not valid\n{finding}\n"
    assert not (tmp_path / "a.fmu").exists()


@pytest.mark.parametrize("version", VERSIONS)
def test_a_parameter_set_before_the_start_is_that_of_tactus_run(unit, tunable, tmp_path, version):
    made = unit(str(tunable), version, "--step", "1ms")
    instance = Instance(made, begin=False)
    mass = float(made.variables["parameters.mass"].get("start") or made.variables["parameters.mass"][0].get("start"))
    assert instance.set(parameters__mass=2 * mass) == OK
    instance.begin()
    drive(instance, None, 0, 0, 200)
    assert instance.get("parameters.mass") == 2 * mass
    assert instance.hash() == hash_of_run(tunable, None, 0, 200, tmp_path, "--set", f"mass={2 * mass!r}")
    assert instance.hash() != hash_of_run(tunable, None, 0, 200, tmp_path)


@pytest.mark.parametrize("options", ((), ("--derivatives",)))
@pytest.mark.parametrize("version", VERSIONS)
def test_in_the_initialization_each_output_may_depend_on_the_parameters(unit, tunable, version, options):
    made = unit(str(tunable), version, "--step", "1ms", "--signals", "joint_1.force.y", *options)
    structure = made.root.find("ModelStructure")
    outputs = structure.findall("Outputs/Unknown" if version == 2 else "Output")
    unknowns = structure.findall("InitialUnknowns/Unknown" if version == 2 else "InitialUnknown")
    key = "index" if version == 2 else "valueReference"
    assert [one.get(key) for one in unknowns] == [one.get(key) for one in outputs] and len(outputs) >= 2
    assert all(one.get("dependencies") is None for one in unknowns)
    # At a communication point an output is one of the state, which a parameter does not move.
    assert outputs[-1].get("dependencies") == ""
    instances = [Instance(made, begin=False) for _ in range(2)]
    assert instances[0].set(parameters__mass=3.0) == OK
    for instance in instances:
        instance.begin()
    assert instances[0].get("joint_1.force.y") != instances[1].get("joint_1.force.y")
    before = instances[1].get("joint_1.force.y"), instances[1].hash()
    assert instances[1].set(parameters__mass=3.0) == OK
    assert (instances[1].get("joint_1.force.y"), instances[1].hash()) == before


@pytest.mark.parametrize("version", VERSIONS)
def test_a_parameter_changes_at_a_step_and_returns_with_a_saved_state(unit, tunable, version):
    made = unit(str(tunable), version, "--step", "1ms")
    instance = Instance(made, logging=True)
    drive(instance, None, 0, 0, 100)
    saved, when = instance.state(), instance.time
    drive(instance, None, 0, 100, 200)
    unchanged = instance.hash()
    assert instance.restore(saved, when) == OK and instance.set(parameters__mass=3.0) == OK
    drive(instance, None, 0, 100, 200)
    assert instance.hash() != unchanged
    assert instance.restore(saved, when) == OK
    drive(instance, None, 0, 100, 200)
    assert instance.hash() == unchanged and instance.get("parameters.mass") != 3.0
    assert instance.set(parameters__mass=100.0) == DISCARD and "out of range" in instance.messages[-1][2]
    # An inertia that no body can have is refused as a whole, before the step.
    before = instance.hash()
    assert instance.set(parameters__inertia=-1.0) == OK
    assert instance.step() == DISCARD and instance.hash() == before
    assert instance.step() == OK


@pytest.mark.parametrize("version", VERSIONS)
def test_steps_that_cannot_be_made_are_discarded_with_advice(unit, version):
    instance = Instance(unit("motor_four_bar", version), logging=True)
    before = instance.hash()
    for size, words in ((0.0015, "use 0.002 s"), (1e-9, "use 0.001 s"), (-0.001, "multiple"), (math.nan, "multiple")):
        assert instance.step(size) == DISCARD
        assert words in instance.messages[-1][2]
    assert instance.step(at=0.5) == DISCARD and "begin where the last step ended" in instance.messages[-1][2]
    assert instance.hash() == before
    assert instance.step(0.01) == OK and instance.get("time") == pytest.approx(0.01, abs=1e-15)  # round-off of a product


@pytest.mark.parametrize("version", VERSIONS)
def test_an_importer_that_adds_up_its_steps_may_drift_away_from_the_time_of_the_unit(unit, version):
    """A drift near the rounding that a step may have, 1e-6 of a period, stands for the round-off of hours."""
    made = unit("motor_four_bar", version, "--step", "1ms")
    instance, size, period = Instance(made, logging=True), 1e-3 * (1 + 9e-7), 1e-3
    for _ in range(12_000):
        assert instance.step(size) == OK, instance.messages[-1]
    # Further than the unit takes for its own time, a hundredth of a period.
    assert instance.time - instance.get("time") > 0.0105 * period
    # The step after a state begins where the importer was.
    saved, when = instance.state(), instance.time
    other = Instance(made)
    for one, state in ((instance, saved), (other, other.deserialize(instance.serialize(saved))[1])):
        assert one.step(size) == OK if one is instance else True
        assert one.restore(state, when) == OK and one.step(size) == OK
    assert instance.hash() == other.hash()
    # No other place but the end of the last step is taken.
    assert instance.step(size, at=instance.time + 1e-4 * period) == DISCARD
    assert "begin where the last step ended" in instance.messages[-1][2]
    assert instance.call("Reset") == OK
    instance.begin()
    assert instance.step(size, at=when + 2 * size) == DISCARD and instance.step(size) == OK


@pytest.mark.parametrize("version", VERSIONS)
def test_a_step_beyond_the_stop_time_is_an_error(unit, version):
    made = unit("motor_four_bar", version, "--step", "1ms")
    instance = Instance(made, begin=False)
    for stop in (math.nan, 0.999):
        assert instance.set_times(1.0, stop) == ERROR and "the stop time" in instance.messages[-1][2]
    instance.begin(1.0, 1.01)
    assert instance.step(0.005) == OK
    saved, when, before = instance.state(), instance.time, instance.hash()
    written = instance.serialize(saved)
    assert instance.step(0.006) == ERROR and "beyond the stop time 1.01 s" in instance.messages[-1][2]
    assert instance.hash() == before and instance.step(0.005) == OK and instance.step(0.001) == ERROR
    # A state has its stop time.
    other = Instance(made)
    status, read = other.deserialize(written)
    assert status == OK and other.restore(read, when) == OK
    assert other.step(0.006) == ERROR and other.step(0.005) == OK and other.hash() == instance.hash()
    assert instance.call("Reset") == OK
    instance.begin(1.0)
    assert instance.step(0.02) == OK


@pytest.mark.parametrize("version", VERSIONS)
def test_a_new_force_acts_for_half_an_internal_step_less(unit, tmp_path, version):
    puck = {"name": "puck", "gravity": [0, 0, 0], "bodies": [{"name": "a", "mass": 1, "inertia": {"xx": 1, "yy": 1, "zz": 1}}],
            "actuators": [{"name": "push", "minimum": -9, "maximum": 9,
                           "body_force": {"body": "a", "direction": [1, 0, 0], "point": [0, 0, 0]}}]}
    (tmp_path / "puck.json").write_text(json.dumps(puck))
    instance = Instance(unit(str(tmp_path / "puck.json"), version, "--step", "1ms", "--signals", "a.v.x"), begin=False)
    assert instance.set(push=1.0) == OK
    instance.begin()
    for count, force in ((10, 0.0), (20, 2.0)):  # the first force of 1 N, then none
        for _ in range(10):
            assert instance.step() == OK
        # Round-off of ten sums.
        assert instance.get("a.v.x") == pytest.approx({10: 9.5e-3, 20: 10e-3}[count], abs=1e-15)
        assert instance.set(push=force) == OK


@pytest.mark.parametrize("version", VERSIONS)
def test_a_start_time_does_not_move_the_drives_of_a_model_and_a_warning_says_so(unit, tmp_path, version):
    driven, made = unit("rotating_shaft", version), unit("double_pendulum", version)
    hashes, told = [], {}
    for model, start in ((driven, 0.0), (driven, 5.0), (made, 5.0)):
        instance = Instance(model, begin=False, logging=True)
        instance.begin(start)
        assert [instance.step() for _ in range(20)] == 20 * [OK] and instance.get("time") == pytest.approx(instance.time, abs=1e-13)  # sums of 20 steps near 5 s
        hashes.append(instance.hash())
        told[model is driven, start] = [text for _, category, text in instance.messages if category == "logStatusWarning"]
    assert hashes[0] == hashes[1]
    assert told[True, 0.0] == told[False, 5.0] == [] and len(told[True, 5.0]) == 1
    assert "the drives of the model begin at their time 0" in told[True, 5.0][0]


@pytest.mark.parametrize("version", VERSIONS)
def test_the_rounding_mode_of_the_importer_changes_no_bit_and_is_the_mode_of_its_functions(unit, tunable, version):
    made, libm = unit(str(tunable), version, "--step", "1ms"), ctypes.CDLL("libm.so.6")
    nearest, upward = 0, 0x800  # FE_TONEAREST and FE_UPWARD of x86-64
    modes = []

    class Listener(Instance):
        def _told(self, *words):
            modes.append(libm.fegetround())
            super()._told(*words)

    def run(mode):
        modes.clear()
        libm.fesetround(mode)
        try:
            update = {"update": lambda *_: modes.append(libm.fegetround())} if version == 3 else {}
            instance = Listener(made, begin=False, logging=True, **update)
            found = [instance.set(parameters__mass=3.1)]
            instance.begin()
            for mass in (3.1, 4.3):
                found.append(instance.set(parameters__mass=mass))
                found += [instance.step(0.001) for _ in range(50)]
                found += [instance.hash(), instance.get("time"), version == 3 and instance.last_time]
            modes.append(libm.fegetround())
        finally:
            libm.fesetround(nearest)
        # The model, two parameters, an update of each step of FMI 3.0, the end.
        assert modes == [mode] * (4 + (100 if version == 3 else 0)), instance.messages
        refused = Listener(made, token="another")
        assert not refused.handle and modes[-1] == nearest
        return found

    assert run(upward) == run(nearest)


def test_ten_small_steps_are_one_large_step(unit):
    small, large = (Instance(unit("motor_four_bar", 3)) for _ in range(2))
    for _ in range(10):
        assert small.step() == OK
    assert large.step(0.01) == OK
    assert small.hash() == large.hash()


def test_an_intermediate_update_hears_each_internal_step_and_changes_no_bit(unit):
    made = unit("motor_four_bar", 3)
    assert made.root.find("CoSimulation").get("providesIntermediateUpdate") == "true"
    heard, angle = [], made.references["crank_angle"]

    def update(time, set_requested, get_allowed, finished, may_return):
        assert (set_requested, get_allowed, finished, may_return) == (False, True, True, False)
        heard.append((time, instance.get("crank_angle")))

    instance, plain = Instance(made, update=update, intermediate=[angle]), Instance(made)
    drive(plain, "motor", 2.0, 0, 20)
    seen = []
    for tick in range(0, 20, 5):  # communication steps of five internal ones
        assert instance.set(motor=value_at(tick, 2.0)) == OK and instance.step(0.005) == OK
        assert not instance.returned_early
        seen.append((instance.time, instance.get("crank_angle")))
    assert instance.hash() == plain.hash()
    assert [time for time, _ in heard] == pytest.approx([1e-3 * (k + 1) for k in range(20)], abs=ROUND_OFF)
    assert [value for _, value in heard[4::5]] == [value for _, value in seen]


def test_the_real_outputs_alone_are_marked_for_intermediate_updates(unit, tunable):
    made = unit(str(tunable), 3, "--step", "1ms", "--signals", "joint_1.force.y")
    marked = [name for name, v in made.variables.items() if v.get("intermediateUpdate") == "true"]
    outputs = [name for name, v in made.variables.items() if v.get("causality") == "output" and name != "state_hash"]
    assert marked == outputs and "joint_1.force.y" in marked
    assert not any(v.get("intermediateUpdate") for v in unit(str(tunable), 2).variables.values())
    instance = Instance(made, update=lambda *_: None, intermediate=[made.references[name] for name in marked])
    assert instance.handle, instance.messages
    refused = Instance(made, update=lambda *_: None, intermediate=[made.references["parameters.mass"]])
    assert not refused.handle


def test_an_update_ends_the_step_at_the_last_internal_step_before_the_time_it_gives(unit):
    made = unit("motor_four_bar", 3)
    assert made.root.find("CoSimulation").get("canReturnEarlyAfterIntermediateUpdate") == "true"
    ends = {0.003: 0.003}  # heard at: asked for

    def update(time, _set, _get, _finished, may_return):
        assert may_return
        return ends.get(round(time, 9))

    instance, plain = Instance(made, update=update, early_return=True), Instance(made)
    assert instance.step(0.02) == OK and instance.returned_early and instance.last_time == pytest.approx(0.003, abs=ROUND_OFF)
    assert instance.get("time") == instance.last_time
    for _ in range(3):
        assert plain.step() == OK
    assert instance.hash() == plain.hash()
    # The next step begins there. What is asked for between two internal steps ends it at the one before.
    ends[0.004] = 0.0065
    assert instance.step(0.017) == OK and instance.returned_early and instance.last_time == pytest.approx(0.006, abs=ROUND_OFF)
    assert instance.step(0.004) == OK and not instance.returned_early and instance.last_time == pytest.approx(0.01, abs=ROUND_OFF)
    assert plain.step(0.007) == OK and instance.hash() == plain.hash()


def test_an_update_can_do_nothing_but_read_what_it_named(unit):
    made = unit("motor_four_bar", 3)
    results = []

    def update(*_):
        if results:
            return
        values = (ctypes.c_double * 1)()
        results.append(instance._reals("Get", [made.references["crank_angle"]], values))
        results.append(instance._reals("Get", [made.references["motor"]], values))
        results.append(instance.set(motor=1.0))
        results.append(instance.call("DoStep", ctypes.c_double(instance.time), ctypes.c_double(1e-3), True, None, None, None, None))
        results.append(instance.call("Reset"))
        instance.call("FreeInstance")

    instance, plain = Instance(made, update=update, intermediate=[made.references["crank_angle"]]), Instance(made)
    assert instance.step(0.002) == OK and plain.step(0.002) == OK
    assert results == [OK, *4 * [ERROR]] and instance.hash() == plain.hash()
    words = [text for _, _, text in instance.messages]
    assert "name it in requiredIntermediateVariables" in words[0]
    assert all("is not allowed here (intermediate update mode)" in text for text in words[1:]) and len(words) == 5

    # Inputs, the time and the hash of the state have no intermediateUpdate="true".
    for reference in (12345, *(made.references[name] for name in ("motor", "time", "state_hash"))):
        unknown = Instance(made, update=update, intermediate=[reference])
        assert not unknown.handle and f"value reference {reference} of requiredIntermediateVariables has no" in unknown.messages[-1][2]


def test_an_early_return_that_was_not_allowed_is_not_made_and_named_once_if_warnings_are_logged(unit):
    made = unit("motor_four_bar", 3)
    categories = [c.get("name") for c in made.root.find("LogCategories")]
    for wanted, logged in ((None, 0), ("logEvents", 0), ("logStatusWarning", 1), ("logAll", 1)):
        instance = Instance(made, update=lambda time, *_: time)
        if wanted:
            assert wanted in categories
            names = (ctypes.c_char_p * 1)(wanted.encode())
            assert instance.call("SetDebugLogging", ctypes.c_bool(True), ctypes.c_size_t(1), names) == OK
        assert instance.step(0.003) == OK and not instance.returned_early
        assert instance.get("time") == pytest.approx(0.003, abs=ROUND_OFF)
        told = [message for message in instance.messages if message[1] != "logEvents"]
        assert len(told) == logged, instance.messages
        assert all(status == WARNING and category == "logStatusWarning" and "did not allow it" in text for status, category, text in told)
        assert len({category for _, category, _ in instance.messages} - set(categories)) == 0


@pytest.mark.parametrize("version", VERSIONS)
def test_calls_out_of_turn_and_values_out_of_range_change_nothing(unit, version):
    made = unit("motor_four_bar", version)
    instance = Instance(made, begin=False)
    assert instance.call("ExitInitializationMode") == ERROR
    assert "not allowed here (instantiated)" in instance.messages[-1][2]
    instance.time = 0.0
    assert instance.step() == ERROR
    instance.begin()
    assert instance.call("SetDebugLogging", *((1,) if version == 2 else (True,)), 0, None) == OK
    assert instance.set(motor=math.inf) == DISCARD and "finite" in instance.messages[-1][2]
    assert instance.set(crank_angle=1.0) == ERROR and "neither an input" in instance.messages[-1][2]
    assert instance.get("motor") == 0
    assert instance.call("Terminate") == OK
    assert instance.step() == ERROR
    assert instance.get("time") == 0
    capability = "GetDirectionalDerivative"
    nothing = (None, 0, None, 0, None, *(() if version == 2 else (0,)), None, *(() if version == 2 else (0,)))
    assert instance.call(capability, *nothing) == ERROR
    assert instance.unit.function("DoStep")(None, 0, 0) == ERROR if version == 2 else True


@pytest.mark.parametrize("version", VERSIONS)
def test_an_instance_needs_its_token_and_its_resources(unit, tmp_path, version):
    made = unit("motor_four_bar", version)
    wrong = Instance(made, token="another")
    assert not wrong.handle and "is not that of the model" in wrong.messages[-1][2]
    lost = Instance(made, resources=tmp_path)
    assert not lost.handle and "cannot read" in lost.messages[-1][2]
    content = (made.folder / "resources/model.bin").read_bytes()
    for bad, words in ((content[:-9], "damaged"), (content[:100] + b"!" + content[101:], "damaged"), (b"x", "version")):
        (tmp_path / "model.bin").write_bytes(bad)
        broken = Instance(made, resources=tmp_path)
        assert not broken.handle and words in broken.messages[-1][2]


def test_outputs_are_sensors_and_chosen_signals_with_the_values_of_a_trajectory(unit, tmp_path):
    instance = Instance(unit("motor_four_bar", 3, "--signals", "energy.*,crank.r.x"))
    drive(instance, None, 0, 0, 50)
    out = tmp_path / "out.csv"
    names = [name for name in instance.unit.variables if name.startswith(("energy.", "crank"))]
    assert {"energy.total", "crank.r.x", "crank_angle"} <= set(names)
    tactus("run", "motor_four_bar", "--until", "50ms", "--step", "1ms", "--out", out, "--signals", ",".join(names))
    header, last = (out.read_text().splitlines()[k].split(",") for k in (0, -1))
    written = dict(zip(header, last))
    for name in names:
        assert float(written[name]) == instance.get(name)


@pytest.mark.parametrize("version", VERSIONS)
def test_the_shared_object_exports_the_standard_alone_and_needs_the_c_library_alone(unit, version):
    binary = unit("motor_four_bar", version).binary
    dynamic = subprocess.run(["readelf", "-Wd", binary], capture_output=True, text=True, check=True).stdout
    needed = [line.split("[")[1].rstrip("]") for line in dynamic.splitlines() if "(NEEDED)" in line]
    allowed = {"libc.so.6", "libm.so.6", "libmvec.so.1", "ld-linux-x86-64.so.2"}
    # The team of one thread stands in for the library of GCC, not for that of Clang.
    if b"clang version" in binary.read_bytes():
        allowed.add("libomp.so.5")
    assert set(needed) <= allowed
    assert "RUNPATH" not in dynamic and "RPATH" not in dynamic
    names = subprocess.run(["nm", "-D", "--defined-only", binary], capture_output=True, text=True, check=True).stdout
    exported = [line.split()[-1] for line in names.splitlines()]
    # The counts of fmi2Functions.h (2.0.4) and fmi3Functions.h (3.0.1).
    assert len(exported) == {2: 44, 3: 75}[version]
    assert all(name.startswith(f"fmi{version}") for name in exported)
    assert str(ROOT).encode() not in binary.read_bytes()
    # The C library is as new as both pages say.
    versions = subprocess.run(["readelf", "-WV", binary], capture_output=True, text=True, check=True).stdout
    newest = max(tuple(map(int, found.split("."))) for found in re.findall(r"GLIBC_(2\.[0-9.]*[0-9])", versions))
    pages = [(ROOT / "clients/fmi/README.md").read_text(), (unit("motor_four_bar", version).folder / "documentation/index.html").read_text()]
    for page in pages:
        (stated,) = re.findall(r"GNU C library of version (2\.\d+) or later", page)
        assert newest <= tuple(map(int, stated.split(".")))


@pytest.mark.parametrize("version", VERSIONS)
def test_the_description_has_units_ranges_and_references_that_fit(unit, version):
    made = unit("sedan", version, "--step", "1ms")
    root = made.root
    assert sorted(made.references.values()) == list(range(len(made.references)))
    units = {u.get("name"): {k: int(v) for k, v in u.find("BaseUnit").attrib.items()} for u in root.find("UnitDefinitions")}
    assert units["m/s^2"] == {"m": 1, "s": -2} and units["rad"] == {"rad": 1}
    numbers = made.variables["steering"][0] if version == 2 else made.variables["steering"]
    assert float(numbers.get("min")) < 0 < float(numbers.get("max")) and float(numbers.get("start")) == 0
    structure = root.find("ModelStructure")
    outputs = [name for name, v in made.variables.items() if v.get("causality") == "output"]
    if version == 2:
        order = list(made.variables)
        listed = [order[int(u.get("index")) - 1] for u in structure.find("Outputs")]
    else:
        by_reference = {reference: name for name, reference in made.references.items()}
        listed = [by_reference[int(u.get("valueReference"))] for u in structure.findall("Output")]
    assert listed == outputs and outputs[-1] == "state_hash"


def test_an_archive_is_the_same_each_time_in_each_time_zone_and_has_the_model_and_a_page(tmp_path, monkeypatch):
    for name, zone in (("a.fmu", "UTC0"), ("b.fmu", "EST5")):
        monkeypatch.setenv("TZ", zone)
        tactus("fmu", "export", "motor_four_bar", "--out", tmp_path / name)
    assert (tmp_path / "a.fmu").read_bytes() == (tmp_path / "b.fmu").read_bytes()
    with zipfile.ZipFile(tmp_path / "a.fmu") as archive:
        model = tmp_path / "model.json"
        model.write_bytes(archive.read("resources/model.json"))
        assert b"crank_angle" in archive.read("documentation/index.html")
    assert tactus("model", "check", model) is not None


def test_an_export_that_cannot_be_is_refused_with_its_reason(tmp_path):
    out = tmp_path / "a.fmu"
    for words, reason in (
        (["motor_four_bra"], "did you mean"),
        (["motor_four_bar", "--signals", "nothing"], "nothing"),
        (["motor_four_bar", "--initial", "nothing"], "nothing"),
        (["motor_four_bar", "--set", "iteration=2"], "iteration"),
        (["motor_four_bar", "--fmi", "1"], "--fmi"),
    ):
        assert reason in tactus("fmu", "export", *words, "--out", out, code=2)
        assert not out.exists()
    assert "cannot write" in tactus("fmu", "export", "motor_four_bar", "--out", tmp_path / "no/a.fmu", code=2)
    assert "let it end in .fmu" in tactus("fmu", "export", "motor_four_bar", "--out", tmp_path / "a.zip", code=2)
    assert not (tmp_path / "a.zip").exists()


@pytest.mark.parametrize("change, reason", (
    ("chassis_mas=1400", "did you mean 'chassis_mass'?"), ("iteration=2", "did you mean 'iterations'?"),
    ("zzzzzzzz=1", "the model has the parameters "), ("chassis_mass=-1", "chassis_mass"), ("chassis_mass", "NAME=VALUE"),
))
def test_a_wrong_name_of_a_parameter_or_a_setting_gets_the_right_one(tmp_path, change, reason):
    assert reason in tactus("fmu", "export", "sedan", "--set", change, "--out", tmp_path / "a.fmu", code=2)


@pytest.mark.parametrize("version", VERSIONS)
def test_directional_derivatives_are_d_of_the_linear_system_at_the_communication_point(unit, version):
    names = ["crank.alpha.z", "crank_rate", "crank_angle", "crank_pin.force.x"]
    made = unit("motor_four_bar", version, "--derivatives", "--step", "100us", "--signals", ",".join(names))
    flag = "providesDirectionalDerivative" + ("" if version == 2 else "s")
    assert made.root.find("CoSimulation").get(flag) == "true"
    outputs = made.root.find("ModelStructure/Outputs") if version == 2 else made.root.findall("ModelStructure/Output")
    # What may answer an input at once depends on it; the hash of the state does not.
    assert [one.get("dependencies") for one in outputs] == [None] * (len(outputs) - 1) + [""]
    instance = Instance(made)
    status, along = instance.derivative(names, ["motor"], [2.0])
    assert status == OK, instance.messages
    report = json.loads(tactus("analyse", "linearize", "motor_four_bar", "--outputs", ",".join(names), "--json"))
    # The same code from the same state: round-off of the assembly alone.
    assert along == pytest.approx([2 * row[0] for row in report["D"]], rel=1e-9, abs=1e-9)
    assert along[0] > 100 and along[1] == along[2] == 0
    # In motion, against the unit itself: an acceleration at the end of a short step by the input that the step holds.
    drive(instance, "motor", 2.0, 0, 500)
    _, there = instance.derivative(names, ["motor"], [1.0])
    saved, when, ends = instance.state(), instance.time, []
    before = instance.hash()
    for torque in (1.5, 0.5):
        assert instance.restore(saved, when) == OK and instance.set(motor=torque) == OK and instance.step() == OK
        ends.append(instance.get("crank.alpha.z"))
    # Over 0.1 ms the coefficient itself moves by some 1e-3; a position moves by 1e-8 of it.
    assert ends[0] - ends[1] == pytest.approx(there[0], rel=5e-3)
    assert there[0] != along[0] / 2
    # Derivatives change nothing.
    assert instance.restore(saved, when) == OK and instance.hash() == before
    if version == 3:
        status, across = instance.derivative(names, ["motor"], [1.0, 0.0, 0.0, 10.0], adjoint=True)
        assert status == OK and across == [pytest.approx(there[0] + 10 * there[3], rel=1e-12)]
    instance.free()


@pytest.mark.parametrize("version", VERSIONS)
def test_derivatives_that_do_not_exist_are_refused(unit, version):
    made = unit("motor_four_bar", version, "--derivatives")
    instance = Instance(made)
    assert instance.derivative(["motor"], ["motor"], [1.0])[0] == ERROR and "is no real output" in instance.messages[-1][2]
    assert instance.derivative(["crank_angle"], ["crank_angle"], [1.0])[0] == ERROR
    assert "is no input" in instance.messages[-1][2]
    assert instance.derivative(["state_hash"], ["motor"], [1.0])[0] == ERROR
    assert instance.derivative([], [], []) == (OK, [])
    instance.free()
    # Without the option the description promises nothing, and no output depends on an input.
    plain = unit("motor_four_bar", version)
    assert not any("Derivative" in name for name in plain.root.find("CoSimulation").attrib)


@pytest.mark.parametrize("version", VERSIONS)
def test_in_the_initialization_there_are_derivatives_by_parameters(unit, tunable, version):
    name = "joint_1.force.y"
    made = unit(str(tunable), version, "--step", "1ms", "--signals", name, "--derivatives")

    def force(mass):
        instance = Instance(made, begin=False)
        assert instance.set(parameters__mass=mass) == OK
        instance.begin()
        return instance.get(name)

    instance = Instance(made, begin=False)
    assert instance.set(parameters__mass=3.0) == OK and instance.set_times() == OK
    assert version == 3 or instance.call("EnterInitializationMode") == OK
    status, found = instance.derivative([name], ["parameters.mass"], [2.0])
    # The force is a smooth function of the mass: the difference over 2 % of the mass is off by its square.
    expected = (force(3.03) - force(2.97)) / 0.06
    assert status == OK and found == [pytest.approx(2 * expected, rel=1e-3)] and abs(expected) > 1, instance.messages
    if version == 3:
        assert instance.derivative([name], ["parameters.mass"], [2.0], adjoint=True) == (OK, [pytest.approx(found[0], rel=1e-12)])
    before = instance.get(name)
    assert instance.call("ExitInitializationMode") == OK and instance.get(name) == before == force(3.0)
    # At a communication point the output does not depend on it.
    assert instance.derivative([name], ["parameters.mass"], [1.0])[0] == ERROR
    assert "in initialization mode by parameters" in instance.messages[-1][2]


@pytest.mark.parametrize("limits", ({}, {"minimum": 0, "maximum": 10}))
def test_a_parameter_at_a_limit_has_a_derivative_by_the_values_that_it_may_have(unit, tmp_path, limits):
    # A drag below zero is refused by the model, with limits of the parameter or without.
    model = json.loads(tactus("model", "print", "double_pendulum"))
    model["bodies"][0]["angular_velocity"] = [10, 0, 0]  # about its own length, on which both joints are
    model["forces"] = [{"name": "drag", "body_drag": {"body": "a", "angular": 0}}]
    model["parameters"] = [{"name": "drag", "targets": ["forces.drag.body_drag.angular"], **limits}]
    (tmp_path / "drag.json").write_text(json.dumps(model))
    made = unit(str(tmp_path / "drag.json"), 3, "--step", "1ms", "--signals", "a.alpha.x", "--derivatives")
    instance = Instance(made, begin=False)
    assert instance.set_times() == OK
    # The torque is -drag omega, on an inertia of 1 kg m^2.
    status, found = instance.derivative(["a.alpha.x"], ["parameters.drag"], [1.0])
    assert status == OK and found == [pytest.approx(-10, rel=1e-6)], instance.messages


def test_derivatives_of_a_car_are_those_of_its_linear_system(unit):
    names = ["chassis.a.x", "chassis.alpha.z"]
    made = unit("sedan", 3, "--derivatives", "--step", "1ms", "--signals", ",".join(names))
    instance = Instance(made)
    inputs = [name for name, v in made.variables.items() if v.get("causality") == "input"]
    report = json.loads(tactus("analyse", "linearize", "sedan", "--outputs", ",".join(names), "--json"))
    assert report["inputs"] == inputs
    for k, name in enumerate(inputs):
        status, column = instance.derivative(names, [name], [1.0])
        assert status == OK, instance.messages
        # The same code from the same state: round-off of the assembly alone.
        assert column == pytest.approx([row[k] for row in report["D"]], rel=1e-6, abs=1e-9)
    instance.free()
