"""The engine in this process: the bits of the server and of `tactus run`, the same errors, and no gRPC."""
# Covers: clients/python/tactus/simulation.py, clients/python/tactus/simulation_parts.py, clients/python/tactus/simulation_signals.py
# Covers: clients/engine/engine.cpp, clients/engine/engine_setup.cpp, clients/engine/model_source.h
# Covers: clients/python/native/module.cpp, clients/python/native/message_source.cpp, clients/engine/refusal.h

import json
import os
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest

import tactus
from conftest import BUILD, SOURCE, needs_native

pytestmark = needs_native
TICKS = 300
TORQUE = 1.5 * np.sin(0.02 * np.arange(1, TICKS + 1))


@pytest.fixture
def simulation():
    return tactus.Simulation("motor_four_bar", period="1ms")


def test_the_same_inputs_give_the_bits_of_a_session(client, simulation):
    outputs = ["crank_angle", "energy.*", "*.force.*"]
    with client.create_session("motor_four_bar", clock="lockstep", period="1ms") as session:
        remote = session.run(TICKS, inputs=TORQUE, outputs=outputs)
        expected = session.state_hash
    local = simulation.run(TICKS, inputs=TORQUE, outputs=outputs)
    assert simulation.state_hash == expected
    assert local.names == remote.names
    np.testing.assert_array_equal(local.values, remote.values)
    np.testing.assert_array_equal(local.sim_time, remote.sim_time)
    assert local.units == remote.units
    stepped = tactus.Simulation("motor_four_bar", period="1ms")
    for torque in TORQUE:
        stepped.step(inputs={"motor": torque})
    assert (stepped.tick, stepped.state_hash) == (TICKS, expected)


@pytest.mark.parametrize("model, settings", [("sedan", {}), ("chain:n=8", {"iterations": 3}), ("flexible_arm", {}),
                                             ("spin_top", {"full_newton": True})])
def test_a_run_without_inputs_gives_the_bits_of_tactus_run(model, settings):
    simulation = tactus.Simulation(model, **settings)
    sets = [word for name, value in settings.items() for word in ("--set", f"{name}={str(value).lower()}")]
    ticks = 100
    until = f"{ticks * simulation.period_ns}ns"
    command = [BUILD / "tactus", "run", model, "--until", until, "--json", *sets]
    report = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    simulation.run(until)
    assert simulation.state_hash == report["state_hash"]
    for name, value in settings.items():
        assert simulation.settings[name] == value


def test_a_function_gives_inputs_every_few_ticks_from_the_state(simulation):
    calls = []

    def control(now):
        calls.append(now.tick)
        return {"motor": -0.1 * now["crank_rate"]}

    block = simulation.run(100, inputs=control, outputs=["motor", "crank_rate"], every=4, hold=10)
    assert calls == list(range(0, 100, 10))
    assert block.ticks.tolist() == list(range(4, 101, 4))
    assert block["motor"][3] == block["motor"][4]  # ticks 16 and 20
    other = tactus.Simulation("motor_four_bar", period="1ms")
    for _ in range(10):
        other.step(10, {"motor": -0.1 * other["crank_rate"]})
    assert other.state_hash == simulation.state_hash


def test_a_saved_state_continues_with_the_same_bits_also_elsewhere(simulation):
    simulation.run(100, inputs={"motor": 0.5})
    simulation.set_parameters(rocker_mass=2.0)
    simulation.step(3)
    saved, tick = simulation.save(), simulation.tick
    expected = [simulation.run(50, outputs="*").values, simulation.state_hash]
    assert saved.tick == tick
    for other in (simulation, tactus.Simulation("motor_four_bar", period="1ms")):
        other.restore(saved)
        assert other.parameters["rocker_mass"] == 2.0
        np.testing.assert_array_equal(other.run(50, outputs="*").values, expected[0])
        assert other.state_hash == expected[1]
    for stranger in (tactus.Simulation("sedan"), tactus.Simulation("motor_four_bar", period="2ms")):
        before = stranger.state_hash
        with pytest.raises(tactus.SnapshotIncompatible):
            stranger.restore(saved)
        assert stranger.state_hash == before


def test_a_reset_returns_to_the_first_state_and_the_first_parameters(simulation):
    fresh = simulation.state_hash
    simulation.set_parameters({"rocker_mass": 2.0}, gravity_y=0.0)
    simulation.step(10, [0.5])
    simulation.reset()
    assert (simulation.tick, simulation.state_hash) == (0, fresh)
    assert simulation.parameters == {"rocker_mass": 0.6, "gravity_y": -9.81}
    assert simulation.run(1, outputs=["motor"])["motor"][0] == 0.0


def test_parameters_of_the_construction_are_those_of_a_session(client):
    with client.create_session("motor_four_bar", clock="lockstep", parameters={"rocker_mass": 2.0}) as session:
        session.step(50)
        session.set_parameters(gravity_y=0.0)
        expected = session.step(50).state_hash
    simulation = tactus.Simulation("motor_four_bar", parameters={"rocker_mass": 2.0})
    simulation.step(50)
    simulation.set_parameters(gravity_y=0.0)
    simulation.step(50)
    assert simulation.state_hash == expected


def test_views_of_the_state_show_every_later_tick_and_cannot_be_written(simulation):
    state, crank = simulation.state, simulation.body("crank")
    before = crank.r.copy()
    saved = simulation.save()
    for change in (
        lambda: simulation.run(50, inputs={"motor": 1.0}),
        lambda: simulation.step(),  # a step exchanges two places of the state
        lambda: simulation.step(2),
        lambda: simulation.run(3),
        lambda: simulation.run(3, inputs=lambda _: None),
        lambda: simulation.set_parameters(rocker_mass=1.0),
        lambda: simulation.step(),
        lambda: simulation.set_parameters(rocker_mass=2.0),  # both places are gone with the model before
        lambda: simulation.step(),
        lambda: simulation.restore(saved),
        lambda: simulation.step(),
        simulation.reset,
        lambda: simulation.step(5, {"motor": 1.0}),
    ):
        change()
        assert crank.r.tolist() == [simulation[f"crank.r.{axis}"] for axis in "xyz"]
        np.testing.assert_array_equal(state, simulation.state)
    assert crank.r.tolist() != before.tolist()
    assert abs(np.linalg.norm(crank.p) - 1) < 1e-12  # Euler parameters; round-off
    with pytest.raises(ValueError):
        crank.r[0] = 1.0
    with pytest.raises(KeyError, match="crank"):
        simulation.body("crnk")
    del simulation  # a view keeps what it shows
    assert np.isfinite(crank.r).all()


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda s: s.step(1.0), "ticks=1.0 is of type float"),
        (lambda s: s.step(1, {"motor": [1.0, 2.0]}), r"inputs\['motor'\]"),
        (lambda s: s.step(1, {"motor": []}), r"inputs\['motor'\]"),
        (lambda s: s.run(3, inputs=lambda _: {"motor": np.ones(3)}), r"inputs\['motor'\]"),
        (lambda s: s.run(3, inputs={"motor": "1"}), r"inputs\['motor'\]='1' is of type str; give numbers"),
        (lambda s: s.run(3, inputs={"motor": None}), r"inputs\['motor'\]=None"),
        (lambda s: s.run(3, inputs={"motor": b"1"}), r"inputs\['motor'\]=b'1'"),
        (lambda s: s.run(3, inputs={"motor": ["1", "2", "3"]}), r"inputs\['motor'\] has values of type str; give numbers"),
        (lambda s: s.run(3, inputs={"motor": [1, None, 3]}), r"a value of inputs\['motor'\]=None"),
        (lambda s: s.run(3, inputs={"motor": [1j, 0, 0]}), "of type complex"),
        (lambda s: s.run(3, inputs={5: 1.0}), "a name of inputs=5"),
        (lambda s: s.run(3, inputs="x"), "inputs='x' is of type str"),
        (lambda s: s.run(3, inputs=["1", "2", "3"]), "inputs has values of type str"),
        (lambda s: s.step(3, inputs=["1"]), "inputs has values of type str"),
        (lambda s: s.run(True), "ticks=True is of type bool"),
        (lambda s: s.run(0.01), "ticks=0.01 is of type float; give a whole number of ticks, or a duration"),
        (lambda s: tactus.prescribe("motor_four_bar", [1, 2]), r"motion=\[1, 2\] is of type list"),
        (lambda s: tactus.rollout("motor_four_bar", 3, parameters={"rocker_mass": ["1"]}), r"parameters\['rocker_mass'\] has"),
        (lambda s: tactus.rollout("motor_four_bar", 3, parameters={1: [1.0]}), "a name of parameters=1"),
        (lambda s: tactus.rollout("motor_four_bar", 3, inputs="x"), "inputs='x'"),
        (lambda s: s.run(3, every=1.5), "every=1.5"),
        (lambda s: s.run(3, every="1ms"), "every='1ms'"),
        (lambda s: s.run(3, inputs=lambda _: None, hold=1.5), "hold=1.5"),
        (lambda s: s.run(3, outputs=[1]), "an entry of outputs=1"),
        (lambda s: s.restore(1), "saved=1"),
        (lambda s: s[3], "a signal=3"),
        (lambda s: s.equilibrium(1.5), "load_steps=1.5"),
        (lambda s: tactus.Simulation("motor_four_bar", threads=1.5), "threads=1.5"),
    ],
)
def test_a_value_of_the_wrong_type_is_named_and_no_tick_runs(simulation, call, words):
    with pytest.raises(TypeError, match=words):
        call(simulation)
    assert simulation.tick == 0


def test_a_simulation_contains_its_signals(simulation):
    assert "crank_rate" in simulation and "motor" in simulation
    assert not any(name in simulation for name in ("crank_ratio", "crank_*", 0, None))


def test_rows_that_are_numbers_in_another_form_are_taken_and_numbers_that_cannot_be_are_named(simulation):
    from fractions import Fraction

    for rows in ([1, 0, 1], [True, False, True], np.array([1, 0, 1], dtype=np.float32), [Fraction(1), 0, 1]):
        simulation.reset()
        assert simulation.run(3, {"motor": rows}, ["motor"])["motor"].tolist() == [1.0, 0.0, 1.0]
    simulation.reset()
    for call, words in ((lambda: simulation.run(10**30), "ticks=1000.* must be at most"),
                        (lambda: simulation.run(2, [[1.0], [1.0, 2.0]]), "inputs has rows of different lengths"),
                        (lambda: tactus.prescribe("motor_four_bar", {"input": [0.0, np.nan]}), "not finite")):
        with pytest.raises(ValueError, match=words):
            call()
    assert simulation.tick == 0


def test_an_input_of_a_step_that_is_refused_is_not_set(simulation):
    with pytest.raises(ValueError, match="ticks=0"):
        simulation.step(0, {"motor": 1.0})
    simulation.step()
    assert simulation["motor"] == 0.0


def test_a_glob_is_no_single_signal(simulation):
    with pytest.raises(ValueError, match="3 signals"):
        simulation["crank.r.*"]


def test_signals_are_read_by_name_with_units(simulation):
    assert simulation.units["energy.total"] == "J"
    assert [signal.name for signal in simulation.signals("motor")] == ["motor"]
    assert simulation.signals("motor")[0].is_input
    energies = simulation.read("energy.*")
    # Round-off: energies of some 10 J, three terms.
    assert abs(energies["energy.total"] - energies["energy.kinetic"] - energies["energy.potential"]) < 1e-9


def test_a_model_that_breaks_rules_has_the_findings_of_the_server(client, tmp_path):
    description = client.model("motor_four_bar")
    description["bodies"][0]["mass"] = -1.0
    description["bodiez"] = []
    with pytest.raises(tactus.ModelInvalid) as remote:
        client.load_model(description)
    with pytest.raises(tactus.ModelInvalid) as local:
        tactus.Simulation(description)
    assert local.value.findings == remote.value.findings
    assert str(local.value) == str(remote.value)
    file = tmp_path / "broken.json"
    file.write_text(json.dumps(description, indent=2))
    with pytest.raises(tactus.ModelInvalid) as remote:
        client.load_model(file)
    with pytest.raises(tactus.ModelInvalid) as local:
        tactus.Simulation(file)
    assert local.value.findings == remote.value.findings
    assert min(finding.line for finding in local.value.findings) > 0


def test_a_model_may_be_a_name_a_file_or_a_dict_with_arrays(client):
    description = client.model("motor_four_bar")
    description["bodies"][0]["position"] = np.array(description["bodies"][0]["position"])
    hashes = set()
    for model in ("motor_four_bar", SOURCE / "server/models/motor_four_bar.json", description):
        simulation = tactus.Simulation(model)
        simulation.step(20)
        hashes.add(simulation.state_hash)
    assert len(hashes) == 1
    assert simulation.model == "motor_four_bar"


@pytest.mark.parametrize("arguments, error, text", [
    ({"model": "motor_for_bar"}, tactus.ModelUnknown, "motor_four_bar"),
    ({"model": "nothing.json"}, tactus.ModelInvalid, "nothing.json"),
    ({"iterations": 99}, tactus.RequestInvalid, "iterations"),
    ({"iteration": 3}, tactus.RequestInvalid, "iterations"),
    ({"initial_condition": "nowhere"}, tactus.RequestInvalid, "nowhere"),
    ({"parameters": {"rocker_mas": 1.0}}, tactus.ParameterUnknown, "rocker_mass"),
    ({"parameters": {"rocker_mass": 99.0}}, tactus.ValueOutOfRange, "rocker_mass"),
    ({"threads": 0}, tactus.RequestInvalid, "threads"),
    ({"period": 1}, TypeError, "unit"),
])
def test_a_refused_construction_names_the_argument(arguments, error, text):
    with pytest.raises(error, match=text):
        tactus.Simulation(**{"model": "motor_four_bar"} | arguments)


def test_a_refused_input_output_or_shape_makes_no_tick(simulation):
    for inputs, error in (({"motor": np.nan}, tactus.NotFinite), ({"motor": 1e9}, tactus.ValueOutOfRange),
                          ({"motr": 1.0}, tactus.SignalUnknown), ([1.0, 2.0], ValueError)):
        with pytest.raises(error):
            simulation.step(inputs=inputs)
    with pytest.raises(tactus.NotFinite) as first:  # of a function, before the first tick
        simulation.run(10, inputs=lambda _: {"motor": np.nan}, outputs=["crank_angle"])
    assert len(first.value.block) == 0 and first.value.hint == "the inputs stay what they are"
    rows = np.zeros(10)
    rows[7] = np.inf
    with pytest.raises(tactus.NotFinite, match="row 7"):
        simulation.run(10, inputs=rows)
    with pytest.raises(ValueError, match="shape"):
        simulation.run(10, inputs=rows[1:])
    with pytest.raises(tactus.SignalUnknown, match="energy.total"):
        simulation.run(10, outputs=["energy.totl"])
    for call in (lambda: simulation.step(0), lambda: simulation.run(10, every=0), lambda: simulation.run(10, hold=0)):
        with pytest.raises(ValueError, match="above zero"):
            call()
    assert simulation.tick == 0
    assert simulation.run(1, outputs=["motor"])["motor"][0] == 0.0


def test_ticks_run_without_the_lock_of_the_interpreter(simulation):
    # Each waits for the other in the middle of its run: with the lock held neither would come to an end.
    reached = [threading.Event(), threading.Event()]
    hashes = []

    def drive(me):
        own = tactus.Simulation("motor_four_bar", period="1ms")
        own.run(100)
        reached[me].set()
        assert reached[1 - me].wait(60)
        own.run(100)
        hashes.append(own.state_hash)

    threads = [threading.Thread(target=drive, args=(me,)) for me in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    simulation.run(200)
    assert hashes == [simulation.state_hash] * 2


def test_ctrl_c_ends_a_run_between_two_ticks(simulation):
    def interrupt():
        # A refused call says that ticks run.
        while True:
            try:
                simulation.read("motor")
            except tactus.SessionStateError:
                return os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    with pytest.raises(KeyboardInterrupt):
        thread.start()
        simulation.run(1_000_000_000)
    thread.join()
    assert simulation.tick > 0
    other = tactus.Simulation("motor_four_bar", period="1ms")
    other.run(simulation.tick)
    assert simulation.state_hash == other.state_hash


def test_a_call_from_another_thread_while_ticks_run_is_refused(simulation):
    refused = threading.Event()

    def disturb(stop):
        while not stop.is_set():
            try:
                simulation.read("motor")
            except tactus.SessionStateError:
                refused.set()

    stop = threading.Event()
    thread = threading.Thread(target=disturb, args=(stop,))
    thread.start()
    while not refused.is_set():
        try:
            simulation.run(2000)
        except tactus.SessionStateError:
            pass
    stop.set()
    thread.join()


def test_a_value_that_a_function_gives_and_that_is_refused_keeps_the_rows_before_it():
    simulation = tactus.Simulation("sedan", period="1ms")
    with pytest.raises(tactus.ValueOutOfRange) as caught:
        simulation.run(100, inputs=lambda now: {"throttle": 5.0 if now.tick >= 50 else 0.1}, outputs=["throttle"])
    assert caught.value.block.ticks.tolist() == list(range(1, 51))
    assert simulation.tick == 50


def test_a_signal_that_a_function_reads_and_that_does_not_exist_keeps_the_rows_before_it():
    simulation = tactus.Simulation("sedan", period="1ms")
    with pytest.raises(tactus.SignalUnknown) as caught:
        simulation.run(30, inputs=lambda now: now["no_signal"] if now.tick >= 20 else None, outputs=["throttle"])
    assert caught.value.block.ticks.tolist() == list(range(1, 21))
    assert simulation.tick == 20


def test_a_fault_keeps_the_last_good_state_and_the_rows_before_it():
    # A mass that a force throws beyond the numbers of a double.
    model = {"name": "thrown", "gravity": [0, 0, 0],
             "bodies": [{"name": "body", "mass": 1e-9, "inertia": {"xx": 1, "yy": 1, "zz": 1}}],
             "actuators": [{"name": "push", "body_force": {"body": "body", "direction": [1, 0, 0]}}]}
    simulation = tactus.Simulation(model, period="1ms")
    rows = np.zeros(20)
    rows[10:] = 1e305
    with pytest.raises(tactus.SessionFaulted, match="failed") as caught:
        simulation.run(20, inputs=rows, outputs=["body.r.x"])
    assert len(caught.value.block) == simulation.tick
    assert np.isfinite(simulation.state).all()
    with pytest.raises(tactus.SessionFaulted):
        simulation.step()
    simulation.reset()
    simulation.step()


def test_a_simulation_needs_no_grpc(tmp_path):
    blocked = tmp_path / "blocked"
    for name in ("grpc", "google"):
        (blocked / name).mkdir(parents=True)
        (blocked / name / "__init__.py").write_text("raise ImportError('blocked')\n")
    program = ("import sys, tactus\n"
               "simulation = tactus.Simulation('motor_four_bar')\n"
               "print(simulation.run(10, outputs=['energy.total']).values.shape)\n"
               "assert not any(name.startswith(('grpc', 'google')) for name in sys.modules)\n")
    environment = os.environ | {"PYTHONPATH": f"{blocked}:{os.environ['PYTHONPATH']}"}
    result = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert result.stdout == "(10, 1)\n"
