"""Arguments in the process: an error names each wrong one before the native module sees it; copies that would share ticks."""
# Covers: clients/python/tactus/check.py, clients/python/tactus/simulation_analyses.py
# Covers: clients/python/tactus/vector_environment.py

import copy
import pickle

import numpy as np
import pytest

import tactus
from conftest import needs_native

pytestmark = needs_native
MODEL = "motor_four_bar"
NAN = float("nan")


def environment(**arguments):
    return tactus.VectorEnvironment(MODEL, **{"count": 2, "actions": "motor", "observations": "crank_angle",
                                              "reward": lambda seen, done: seen[:, 0]} | arguments)


def rollout(**arguments):
    return tactus.rollout(MODEL, 4, **{"parameters": [{}]} | arguments)


@pytest.mark.parametrize("call, kind, text", [
    (lambda s: tactus.Simulation(MODEL, threads=10**12), ValueError, "threads=1000000000000 is too large"),
    (lambda s: tactus.Simulation(MODEL, initial="x"), tactus.RequestInvalid, "'initial' .*did you mean 'initial_condition'"),
    (lambda s: tactus.Simulation(MODEL, third_ordr=None), tactus.RequestInvalid, "'third_ordr' .*did you mean 'third_order'"),
    (lambda s: tactus.Simulation(MODEL, colour=1), tactus.RequestInvalid, "no solver setting 'colour' .*tactus integrators"),
    (lambda s: tactus.Simulation(MODEL, full_newton="yes"), TypeError, r"settings\['full_newton'\]='yes' is of type str"),
    (lambda s: tactus.Simulation("a\udcff"), ValueError, "unpaired surrogate"),
    (lambda s: tactus.Simulation("a\0b"), ValueError, "a NUL"),
    (lambda s: s.step(2**70), ValueError, "ticks=.* is too large"), (lambda s: s.run(2, every=2**70), ValueError, "every=.*large"),
    (lambda s: s.step(1, {"motor": 10**400}), ValueError, r"inputs\['motor'\] is too large for a number"),
    (lambda s: s.read("\ud800"), ValueError, "unpaired surrogate"), (lambda s: s.equilibrium(10**12), ValueError, "load_steps="),
    (lambda s: s.set_parameters([1]), TypeError, r"values=\[1\] is of type list"),
    (lambda s: s.linearize(turning=[1, 2]), ValueError, r"turning=\[1, 2\] has the shape \(2,\)"),
    (lambda s: s.linearize(turning="abc"), TypeError, "turning='abc'"),
    (lambda s: s.trim({"nope": 0}), tactus.SignalUnknown, "field require"),
    (lambda s: s.trim({"crank_angle": 0}, free=["nope"]), tactus.SignalUnknown, "field free"),
    (lambda s: tactus.prescribe(MODEL, {}, ticks=2, inputs=5), TypeError, "inputs=5"),
    (lambda s: tactus.sensitivity(MODEL, 2, ["rocker_mass"], outputs="*", nominal=5), TypeError, "nominal=5"),
    (lambda s: rollout(parameters=5), TypeError, "parameters=5"), (lambda s: rollout(parameters=[5]), TypeError, r"parameters\[0\]=5"),
    (lambda s: rollout(parameters=None), ValueError, "number of runs"), (lambda s: rollout(every=1.5), TypeError, "every=1.5"),
    (lambda s: rollout(every="2"), TypeError, "every='2'"), (lambda s: rollout(outputs=5), TypeError, "outputs=5"),
    (lambda s: rollout(outputs=[5]), TypeError, "an entry of outputs=5"), (lambda s: rollout(progress=5), TypeError, "progress=5"),
    (lambda s: rollout(initial_states=5), TypeError, "initial_states=5"),
    (lambda s: environment(reward=None), TypeError, "reward=None"), (lambda s: environment(start=5), TypeError, "start=5"),
    (lambda s: environment(observations=[5]), TypeError, "observations=5"),
    (lambda s: environment().step("abc"), TypeError, "actions='abc'"),
    (lambda s: environment().step([[0.0], [NAN]]), ValueError, r"actions\[1\]=\[nan\] has a value that is not a number"),
    (lambda s: environment().step([0.0, 0.0]), ValueError, r"shape \(2,\): give numbers of shape \(2, 1\)"),
    (lambda s: tactus.offline(MODEL, integrator=5, until="1ms"), TypeError, "integrator=5"),
    (lambda s: tactus.offline(MODEL, integrator="bdf", until="1ms", outputs=5), TypeError, "outputs=5"),
    (lambda s: tactus.offline(MODEL, integrator="bdf", until="1ms", every="2"), TypeError, "every='2'"),
    (lambda s: tactus.offline(MODEL, integrator="bdf", until="1ms", parameters=5), TypeError, "parameters=5"),
])
def test_a_wrong_argument_is_told_by_its_name(call, kind, text):
    with pytest.raises(kind, match=text):
        call(tactus.Simulation(MODEL))


def test_parameters_of_runs_may_come_from_a_generator():
    sets = [{"rocker_mass": mass} for mass in (1.0, 2.0)]
    assert rollout(parameters=iter(sets)).state_hashes == rollout(parameters=sets).state_hashes


def test_a_simulation_is_not_copied():
    simulation = tactus.Simulation(MODEL)
    for call in (copy.copy, copy.deepcopy, pickle.dumps):  # a shallow copy would share the ticks
        with pytest.raises(TypeError, match="cannot be copied or pickled: .*restore"):
            call(simulation)


def test_an_environment_is_not_copied():
    one = environment()
    for call in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="VectorEnvironment cannot be copied or pickled: send the arguments"):
            call(one)
    one.close()


@pytest.mark.parametrize("saved", ["", b"", None])
def test_a_wrong_type_in_place_of_a_saved_state_is_refused(saved):
    for call in (tactus.Simulation(MODEL).restore, lambda saved: rollout(initial_states=[saved])):
        with pytest.raises(TypeError, match=f"saved={saved!r} is of type .*; give a state that save"):
            call(saved)


def test_an_environment_that_is_closed_says_so():
    closed = environment()
    closed.close()
    closed.close()
    for call in (closed.reset, lambda: closed.step(np.zeros((2, 1)))):
        with pytest.raises(ValueError, match="the environment is closed"):
            call()


def test_a_row_of_a_table_goes_by_its_names():
    pandas = pytest.importorskip("pandas")
    names = tactus.Simulation("sedan").inputs
    assert names.index("steering") < names.index("throttle")
    table = pandas.DataFrame({"throttle": [0.1, 0.4], "steering": [0.02, 0.01], **{name: 0.0 for name in names[2:]}})
    table = table[sorted(names, reverse=True)]
    columns = {name: table[name].to_numpy() for name in names}
    expected = tactus.Simulation("sedan")
    expected.run(2, columns)
    called, stepped = tactus.Simulation("sedan"), tactus.Simulation("sedan")
    called.run(2, inputs=lambda now: table.iloc[now.tick])
    for k in range(2):
        stepped.step(1, table.iloc[k])
    assert called.state_hash == stepped.state_hash == expected.state_hash
    # Some actuators; the others keep their values.
    stepped.set_inputs(pandas.Series({"throttle": 0.7}))
    stepped.step()
    assert (stepped["throttle"], stepped["steering"]) == (0.7, 0.01)
    with pytest.raises(tactus.SignalUnknown, match="columns"):
        stepped.set_inputs(pandas.Series({"columns": 0.7}))
    # Labels that are numbers name nothing.
    stepped.step(1, pandas.Series([0.03] + [0.0] * (len(names) - 1)))
    assert stepped[names[0]] == 0.03


def test_a_row_with_a_wrong_name_and_a_whole_table_are_refused_and_set_nothing():
    pandas = pytest.importorskip("pandas")
    simulation = tactus.Simulation(MODEL)
    for row, error, text in (
        (pandas.Series({"moter": 1.0}), tactus.SignalUnknown, "motor"),
        (pandas.Series([1.0, 2.0], index=["motor", "motor"]), ValueError, "two values of one name: motor, motor"),
        (pandas.DataFrame({"motor": [1.0]}), TypeError, r"inputs is a whole table of type DataFrame; give a row of it for one tick: table.iloc\[0\]"),
    ):
        for call in (simulation.set_inputs, lambda inputs: simulation.step(1, inputs), lambda inputs: simulation.run(1, lambda _: inputs)):
            with pytest.raises(error, match=text):
                call(row)
    simulation.step()
    assert simulation["motor"] == 0.0
