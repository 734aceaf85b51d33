"""Many runs at once: each has the bits of the same run alone, and a fault ends its own run only."""
# Covers: clients/python/tactus/rollouts.py

import contextlib
import os
import signal
import threading
import time

import numpy as np
import pytest

import tactus
from conftest import needs_native

pytestmark = needs_native
TICKS = 120
OUTPUTS = ["crank_angle", "energy.*"]


def torques(runs):
    return np.random.default_rng(7).uniform(-1, 1, (runs, TICKS, 1))


@pytest.mark.parametrize("workers", [1, 3])
def test_each_run_has_the_bits_of_the_run_alone(workers):
    inputs, masses = torques(9), np.linspace(0.1, 5, 9)
    parameters = {"rocker_mass": masses, "gravity_y": 0.0}
    result = tactus.rollout("motor_four_bar", TICKS, inputs=inputs, parameters=parameters, outputs=OUTPUTS, every=5,
                            workers=workers, period="1ms", iterations=3)
    assert result.values.shape == (9, TICKS // 5, len(result.names))
    for i in range(9):
        alone = tactus.Simulation("motor_four_bar", period="1ms", iterations=3,
                                  parameters={"rocker_mass": masses[i], "gravity_y": 0.0})
        block = alone.run(TICKS, inputs[i], OUTPUTS, 5)
        np.testing.assert_array_equal(result.values[i], block.values)
        assert result.state_hashes[i] == alone.state_hash
    assert result.faults == ("",) * 9
    assert result.names == block.names
    assert result.ticks.tolist() == block.ticks.tolist()
    assert result.units == block.units


def test_runs_begin_at_their_states_and_share_inputs():
    simulation = tactus.Simulation("motor_four_bar")
    states = []
    for _ in range(4):
        states.append(simulation.save())
        simulation.run(50, {"motor": 0.3})
    shared = torques(1)[0]
    result = tactus.rollout("motor_four_bar", TICKS, inputs=shared, initial_states=states)
    for saved, state_hash in zip(states, result.state_hashes):
        simulation.restore(saved)
        simulation.run(TICKS, shared)
        assert simulation.state_hash == state_hash


def test_the_parameters_of_a_run_hold_after_its_state_is_restored():
    simulation = tactus.Simulation("motor_four_bar")
    simulation.step(50)
    saved, masses = simulation.save(), [0.2, 0.6, 5.0]
    result = tactus.rollout("motor_four_bar", TICKS, parameters={"rocker_mass": masses}, initial_states=[saved] * 3,
                            outputs="crank_angle")
    assert len({row.tobytes() for row in result.values}) == 3
    for mass, values, state_hash in zip(masses, result.values, result.state_hashes):
        simulation.restore(saved)
        simulation.set_parameters(rocker_mass=mass)
        np.testing.assert_array_equal(values, simulation.run(TICKS, outputs="crank_angle").values)
        assert simulation.state_hash == state_hash


def test_one_value_of_a_parameter_counts_for_all_runs_and_states_may_be_an_array():
    inputs, simulation = torques(2), tactus.Simulation("motor_four_bar")
    single = tactus.rollout("motor_four_bar", TICKS, inputs=inputs, parameters={"rocker_mass": 3.0})
    listed = tactus.rollout("motor_four_bar", TICKS, inputs=inputs, parameters=[{"rocker_mass": 3.0}] * 2)
    assert single.state_hashes == listed.state_hashes
    states = [simulation.save()] * 2
    hashes = [tactus.rollout("motor_four_bar", TICKS, inputs=inputs, parameters={"rocker_mass": 3.0},
                             initial_states=given).state_hashes for given in (states, np.array(states, dtype=object))]
    assert hashes[0] == hashes[1]


def test_progress_is_called_after_each_run_in_the_thread_of_the_caller():
    seen = []
    tactus.rollout("motor_four_bar", TICKS, parameters=[{}] * 5, workers=2,
                   progress=lambda *counts: seen.append((*counts, threading.current_thread())))
    assert seen == [(k, 5, threading.main_thread()) for k in range(1, 6)]


def test_what_progress_raises_ends_all_runs():
    def stop(finished, runs):
        raise RuntimeError(f"{finished} of {runs}")

    inputs = np.zeros((3, 10, 1))
    with pytest.raises(RuntimeError, match="1 of 3"):
        tactus.rollout("motor_four_bar", 10, inputs=inputs, progress=stop)


def test_a_run_longer_than_a_part_has_the_bits_and_the_rows_of_one_run():
    result = tactus.rollout("motor_four_bar", 10_000, parameters=[{}, {}], outputs="crank_angle", every=7)
    alone = tactus.Simulation("motor_four_bar")
    block = alone.run(10_000, outputs="crank_angle", every=7)
    assert result.state_hashes == (alone.state_hash,) * 2
    np.testing.assert_array_equal(result.values[1], block.values)


def test_a_fault_ends_its_own_run_and_keeps_its_rows():
    model = {"name": "thrown", "gravity": [0, 0, 0],
             "bodies": [{"name": "body", "mass": 1e-9, "inertia": {"xx": 1, "yy": 1, "zz": 1}}],
             "actuators": [{"name": "push", "body_force": {"body": "body", "direction": [1, 0, 0]}}]}
    inputs = np.zeros((3, 20, 1))
    inputs[1, 10:] = 1e305
    result = tactus.rollout(model, 20, inputs=inputs, outputs="body.r.x", period="1ms")
    assert [bool(fault) for fault in result.faults] == [False, True, False]
    good = np.isfinite(result.values[1, :, 0])
    assert good[:10].all() and not good[-1]
    assert np.isfinite(result.values[[0, 2]]).all()


@pytest.mark.parametrize("arguments", [
    {}, {"inputs": torques(2), "parameters": [{}] * 3}, {"parameters": {"rocker_mass": [1, 2], "gravity_y": [0.0]}},
    {"parameters": {"rocker_mass": 1.0}}, {"parameters": {"rocker_mass": [[1.0, 2.0]]}}, {"inputs": torques(2)[:, :-1]}, {"inputs": torques(2), "every": 0},
    {"inputs": np.zeros((2, TICKS, 2))}, {"parameters": {"rocker_mass": []}},
    {"parameters": [{}], "outputs": "crank_angle", "every": TICKS + 1},
])
def test_arguments_that_do_not_fit_together_are_refused(arguments):
    with pytest.raises(ValueError):
        tactus.rollout("motor_four_bar", TICKS, **arguments)


def test_a_refused_argument_of_one_run_is_an_error():
    for parameters, error in (([{}, {"rocker_mas": 1.0}], tactus.ParameterUnknown),
                              ([{}, {"rocker_mass": 99.0}], tactus.ValueOutOfRange)):
        with pytest.raises(error, match="rocker_mass"):
            tactus.rollout("motor_four_bar", TICKS, parameters=parameters)


@pytest.mark.parametrize("value, error", [(np.nan, tactus.NotFinite), (99.0, tactus.ValueOutOfRange)])
def test_a_refused_row_has_its_number_in_the_run_and_no_tick_runs(value, error, monkeypatch):
    inputs = torques(2)
    inputs[:, 100] = value
    monkeypatch.setattr(tactus.Simulation, "run", None)
    for given in (inputs, {"motor": inputs[:, :, 0]}):
        with pytest.raises(error, match='row 100: "motor" = '):
            tactus.rollout("motor_four_bar", TICKS, inputs=given)


def test_ctrl_c_ends_all_runs():
    def ctrl_c():
        while not any(thread.name.startswith("ThreadPoolExecutor") for thread in threading.enumerate()):
            pass
        os.kill(os.getpid(), signal.SIGINT)

    interrupt = threading.Thread(target=ctrl_c)
    with pytest.raises(KeyboardInterrupt):
        interrupt.start()
        tactus.rollout("motor_four_bar", 10_000_000_000, parameters=[{}] * 8)
    interrupt.join()


def test_ctrl_c_ends_runs_of_a_model_with_long_ticks(monkeypatch):
    lengths = []
    run = tactus.Simulation.run

    def slow(self, ticks, *arguments):
        lengths.append(ticks)
        time.sleep(0.01 * ticks)  # as a tick of a large model takes
        return run(self, ticks, *arguments)

    monkeypatch.setattr(tactus.Simulation, "run", slow)
    tactus.rollout("motor_four_bar", 40, parameters=[{}], outputs=["crank_angle"], every=30)
    assert max(lengths) <= 16  # the first length of tick_parts.py: an interrupt has an effect between two parts


def test_ctrl_c_while_a_thread_starts_ends_that_thread(monkeypatch):
    start = threading.Thread.start
    started = []

    def interrupted_start(thread):
        start(thread)
        if threading.current_thread() is threading.main_thread():
            started.append(thread)
            raise KeyboardInterrupt

    monkeypatch.setattr(threading.Thread, "start", interrupted_start)
    with contextlib.suppress(KeyboardInterrupt):
        tactus.rollout("motor_four_bar", 10_000_000_000, parameters=[{}] * 2)
    assert len(started) == 1
    started[0].join(timeout=60)
    assert not started[0].is_alive()


def test_inputs_may_have_names_and_be_the_same_or_others_for_each_run():
    ramp = np.linspace(-1, 1, 50)
    each = np.array([ramp, 2 * ramp, 0 * ramp])
    expected = tactus.rollout("motor_four_bar", 50, inputs=each[:, :, np.newaxis], outputs=["crank_angle"])
    found = tactus.rollout("motor_four_bar", 50, inputs={"motor": each}, outputs=["crank_angle"])
    np.testing.assert_array_equal(found.values, expected.values)
    same = tactus.rollout("motor_four_bar", 50, inputs={"motor": ramp}, parameters={"rocker_mass": [0.6, 2.0]},
                          outputs=["crank_angle"])
    np.testing.assert_array_equal(same.values[0], expected.values[0])
    assert np.any(same.values[1] != same.values[0])
    held = tactus.rollout("motor_four_bar", "5s", inputs={"motor": 0.5}, parameters={"rocker_mass": [0.6]}, outputs=["crank_angle"])
    alone = tactus.Simulation("motor_four_bar").run("5s", inputs={"motor": 0.5}, outputs=["crank_angle"])
    np.testing.assert_array_equal(held.values[0], alone.values)
    for inputs, error, text in (({"moto": 1.0}, tactus.SignalUnknown, "motor"), ({"motor": np.zeros((2, 2, 2))}, ValueError, "shape"),
                                ({"motor": each[:, :-1]}, ValueError, r"inputs\['motor'\] has 49 rows for 50 ticks"), (lambda now: 1.0, TypeError, "function"), ({"motor": 1.0}, ValueError, "number of runs")):
        sets = {} if text == "number of runs" else {"rocker_mass": [0.6, 1.0, 2.0]}
        with pytest.raises(error, match=text):
            tactus.rollout("motor_four_bar", 50, inputs=inputs, parameters=sets)
