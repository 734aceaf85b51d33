"""Results go to another process and come back: with the same bits, and as fit for use as the original."""
# Covers: clients/python/native/pickled.cpp, clients/python/tactus/analysis.py, clients/python/tactus/recording.py
# Covers: clients/python/tactus/block.py, clients/python/tactus/rollouts.py

import concurrent.futures
import copy
import dataclasses
import multiprocessing
import pickle
import subprocess

import numpy as np
import pytest

import tactus
from conftest import BUILD, needs_native

MODEL = "motor_four_bar"
TWINS = [lambda one: pickle.loads(pickle.dumps(one)), lambda one: pickle.loads(pickle.dumps(one, 2)), copy.copy, copy.deepcopy]


def bits(one):
    """Everything that is seen of a result, with the bits of its numbers."""
    if isinstance(one, np.ndarray):
        return one.dtype.str, one.shape, one.tobytes()
    if isinstance(one, float):
        return np.float64(one).tobytes()
    if isinstance(one, dict):
        return [(name, bits(value)) for name, value in one.items()]
    if isinstance(one, (list, tuple)):
        return type(one).__name__, [bits(value) for value in one]
    if dataclasses.is_dataclass(one):
        return [bits(getattr(one, field.name)) for field in dataclasses.fields(one)]
    if isinstance(one, tactus.Block):
        return bits([one.names, one.ticks, one.sim_time, one.values, one.units])
    if isinstance(one, tactus.LinearSystem):
        words = ("A", "B", "C", "D", "states", "inputs", "outputs", "units", "state", "rate", "output", "coordinates", "tick",
                 "state_hash", "is_equilibrium")
        return bits([[getattr(one, word) for word in words], one.modes(), one.response([0.1, 1.0, 10.0])])
    if isinstance(one, tactus.Recording):
        return bits([one.inputs, one.signals, one.ticks, one.gaps, one.parameters, one.damage, one.model, one.period,
                     one.setup.SerializeToString(deterministic=True), repr(one)])
    if hasattr(one, "SerializeToString"):
        return one.SerializeToString(deterministic=True)
    if type(one).__name__ == "SavedState":
        simulation = tactus.Simulation(MODEL)
        simulation.restore(one)
        return one.tick, simulation.state_hash, bits(simulation.parameters), bits(simulation.run(20, outputs="*"))
    return one


def heavy():
    """A simulation at a tick, with a parameter and an input that are not the declared ones."""
    simulation = tactus.Simulation(MODEL)
    simulation.set_parameters(rocker_mass=2.0)
    simulation.step(30, {"motor": 0.7})
    return simulation


RESULTS = {
    "SavedState": lambda: heavy().save(),
    "LinearSystem": lambda: heavy().linearize(outputs="*"),
    "LinearSystem without outputs": lambda: tactus.Simulation("cantilever:n=4").linearize(),
    "modes": lambda: heavy().linearize().modes(),
    "response": lambda: heavy().linearize(outputs="crank_angle").response([1.0]),
    "Equilibrium": lambda: tactus.Simulation(MODEL).equilibrium(),
    "Trim": lambda: tactus.Simulation(MODEL).trim({"crank_angle": 0.0}, free=["motor"]),
    "Pose": lambda: heavy().pose(),
    "Block": lambda: heavy().run(10, outputs="*"),
    "Block without outputs": lambda: heavy().run(10),
    "Rollout": lambda: tactus.rollout(MODEL, 5, parameters={"rocker_mass": [1.0, 2.0]}, outputs="*"),
    "Sensitivity": lambda: tactus.sensitivity(MODEL, 5, ["rocker_mass"], outputs="crank_angle"),
    "Trajectory": lambda: tactus.offline(MODEL, integrator="ali3p", until="5ms"),
    "PrescribedMotion": lambda: tactus.prescribe(
        MODEL, {"input": np.full(6, tactus.Simulation(MODEL)["crank_angle"])}, outputs="rocker_angle"),
    "signals": lambda: heavy().signals("*"),
    "BuildInfo": tactus.build_info,
}


@needs_native
@pytest.mark.parametrize("name", RESULTS)
def test_a_result_has_the_same_bits_after_pickling_and_copying(name):
    one = RESULTS[name]()
    expected = bits(one)
    for twin in TWINS:
        assert bits(twin(one)) == expected


@needs_native
def test_a_state_keeps_its_model_and_settings():
    simulation = tactus.Simulation(MODEL, period="0.5ms", iterations=3, full_newton=True)
    simulation.step(7)
    saved = pickle.loads(pickle.dumps(simulation.save()))
    tactus.Simulation(MODEL, period="0.5ms", iterations=3, full_newton=True).restore(saved)
    for settings in ({"period": "1ms"}, {"period": "0.5ms"}, {"period": "0.5ms", "iterations": 3}):
        with pytest.raises(tactus.SnapshotIncompatible, match="of another period or of other settings"):
            tactus.Simulation(MODEL, **settings).restore(saved)
    with pytest.raises(tactus.SnapshotIncompatible, match="of another model"):
        tactus.Simulation("four_bar", period="0.5ms", iterations=3, full_newton=True).restore(saved)
    assert pickle.dumps(saved) == pickle.dumps(simulation.save())


@needs_native
def test_a_state_of_another_build_and_damaged_bytes_are_refused():
    saved = heavy().save()
    again, (kind,), (build, content) = saved.__reduce_ex__(4)[:3]

    def load(*state):
        again(kind).__setstate__(state)

    load(build, content)
    with pytest.raises(tactus.SnapshotIncompatible, match="comes from another build of Tactus.*use one build in all processes"):
        load(build.replace("\n", "+\n", 1), content)
    for damaged in (b"", content[:-1], content + b"\0", content[:40]):
        with pytest.raises(tactus.SnapshotIncompatible, match="the bytes of the saved state are damaged"):
            load(build, damaged)


def roll_on(states):
    """In another process: the runs from some states."""
    return tactus.rollout(MODEL, 25, initial_states=states, inputs={"motor": 0.3}, outputs="*", workers=1)


def save_after(ticks):
    """In another process: a state."""
    simulation = heavy()
    simulation.step(ticks)
    return simulation.save(), simulation.linearize(outputs="crank_angle"), simulation.equilibrium().saved


@needs_native
def test_states_go_to_processes_and_come_back_with_their_bits():
    simulation = tactus.Simulation(MODEL)
    states = []
    for _ in range(3):
        simulation.step(10, {"motor": 0.4})
        states.append(simulation.save())
    with concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        found = list(pool.map(roll_on, ([state] for state in states)))
        made = pool.submit(save_after, 5)
        assert bits(made.result()) == bits(save_after(5))
    expected = roll_on(states)
    assert np.concatenate([part.values for part in found]).tobytes() == expected.values.tobytes()
    assert sum((part.state_hashes for part in found), ()) == expected.state_hashes


@needs_native
def test_results_of_a_session_have_the_same_bits_after_pickling_and_copying(client):
    with client.create_session(MODEL, clock="lockstep", period="1ms") as session:
        results = [session.equilibrium(outputs="*", modes=True), session.trim({"crank_angle": 0.0}, free=["motor"]),
                   session.linearize(outputs="*", modes=True), session.run(20, inputs={"motor": 0.5}, outputs="*"),
                   session.status(), session.timing(), session.parameters(), session.signals("*")]
        for one in results:
            for twin in TWINS:
                assert bits(twin(one)) == bits(one)
        saved = pickle.loads(pickle.dumps(session.save_snapshot()))
        state_hash = session.state_hash
        session.reset()
        session.restore_snapshot(saved)
        assert session.state_hash == state_hash


def in_another_process(recording):
    """What a worker finds in a recording."""
    return bits(recording), recording.setup.settings.period_ns


def test_a_recording_goes_to_another_process_with_its_bits(tmp_path):
    path = tmp_path / "run.mcap"
    subprocess.run([BUILD / "tactus", "run", MODEL, "--until", "30ms", "--out", path], check=True, stdout=subprocess.DEVNULL)
    recording = tactus.read_recording(path)
    expected = bits(recording)
    for twin in TWINS:
        found = twin(recording)
        assert bits(found) == expected
        assert found.setup is not recording.setup and found.to_dataframe().equals(recording.to_dataframe())
    with concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        assert pool.submit(in_another_process, recording).result() == (expected, 1_000_000)
