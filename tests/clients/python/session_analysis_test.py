"""The linear system of a session, from Python: the numbers of a simulation in this process in the same state."""
# Covers: clients/python/tactus/session_analysis.py

import asyncio
import math

import numpy as np
import pytest

import tactus
import tactus.aio
from conftest import needs_native

OUTPUTS = ["crank_angle", "output.force.*", "energy.total"]
TORQUE = np.sin(0.03 * np.arange(250))


def assert_same(remote, local):
    """Bit for bit, but for the response, which the client computes with NumPy."""
    assert (remote.tick, remote.state_hash) == (local.tick, local.state_hash)
    assert (remote.states, remote.inputs, remote.outputs) == (local.states, local.inputs, local.outputs)
    assert (remote.units, remote.coordinates) == (local.units, local.coordinates)
    assert remote.is_equilibrium == local.is_equilibrium
    for name in ("A", "B", "C", "D", "state", "rate", "output"):
        np.testing.assert_array_equal(getattr(remote, name), getattr(local, name))
    assert np.abs(local.A).max() > 0 and local.C.size > 0
    pairs = list(zip(remote.modes(), local.modes(), strict=True))
    assert pairs
    for theirs, ours in pairs:
        assert theirs[:4] == ours[:4]
        np.testing.assert_array_equal(theirs.shape, ours.shape)
        np.testing.assert_array_equal(theirs.state, ours.state)
    frequencies = [0.1, 1.0, 20.0]
    expected = local.response(frequencies)
    # Two solvers of the same well-conditioned system: round-off of 1e-12 of the largest value.
    np.testing.assert_allclose(remote.response(frequencies), expected, rtol=0, atol=1e-12 * abs(expected).max())


@needs_native
def test_a_session_in_lockstep_and_a_paused_one_have_the_linear_system_of_a_simulation_in_their_state(client):
    simulation = tactus.Simulation("motor_four_bar", period="1ms")
    simulation.run(len(TORQUE), inputs={"motor": TORQUE})
    local = simulation.linearize(outputs=OUTPUTS)
    with client.create_session("motor_four_bar", clock="lockstep", period="1ms") as session:
        session.run(len(TORQUE), inputs={"motor": TORQUE})
        assert_same(session.linearize(outputs=OUTPUTS, modes=True), local)
        session.pause()
        before = session.state_hash
        assert_same(session.linearize(outputs=OUTPUTS, modes=True), local)
        assert session.state_hash == before == local.state_hash


@needs_native
def test_a_running_session_has_the_linear_system_of_a_simulation_at_the_tick_that_the_system_names(client):
    simulation = tactus.Simulation("sedan")
    with client.create_session("sedan", clock="real-time", period=simulation.period) as session:
        session.start()
        for _ in range(3):
            remote = session.linearize(outputs=["speed", "tyre_*.load"], inputs=["*"], modes=True)
            while remote.tick == simulation.tick:
                remote = session.linearize(outputs=["speed", "tyre_*.load"], inputs=["*"], modes=True)
            simulation.step(remote.tick - simulation.tick)
            assert_same(remote, simulation.linearize(outputs=["speed", "tyre_*.load"]))
        assert session.state == "RUNNING"


@needs_native
def test_a_car_in_a_steady_turn_has_its_modes_in_axes_that_turn_along(client):
    simulation = tactus.Simulation("sedan")
    simulation.step(20)
    with client.create_session("sedan", clock="lockstep", period=simulation.period) as session:
        session.step(20)
        assert_same(session.linearize(turning=(0.0, 0.0, 0.2), modes=True), simulation.linearize(turning=(0.0, 0.0, 0.2)))
        assert not np.array_equal(session.linearize().A, session.linearize(turning=(0.0, 0.0, 0.2)).A)


def test_an_analysis_has_the_parameters_in_force_and_the_chosen_inputs(client):
    with client.create_session("motor_four_bar", clock="lockstep") as session:
        before = session.linearize().A
        session.set_parameters(gravity_y=-1.0)
        assert not np.array_equal(session.linearize().A, before)
        session.reset()
        np.testing.assert_array_equal(session.linearize().A, before)
    with client.create_session("sedan", clock="lockstep") as session:
        every, few = session.linearize(outputs="speed"), session.linearize(outputs="speed", inputs=["throttle", "br*"])
        columns = [every.inputs.index(name) for name in few.inputs]
        assert 2 <= len(columns) < len(every.inputs) and columns == sorted(columns)
        np.testing.assert_array_equal(few.B, every.B[:, columns])
        np.testing.assert_array_equal(few.D, every.D[:, columns])


@needs_native
def test_a_simulation_chooses_inputs_as_a_session_does(client):
    simulation = tactus.Simulation("sedan")
    with client.create_session("sedan", clock="lockstep", period=simulation.period) as session:
        for inputs in (["throttle"], "br*", ["steering", "*"]):
            theirs = session.linearize("speed", inputs=inputs, modes=True)
            assert_same(theirs, simulation.linearize("speed", inputs=inputs))
            assert theirs.B.shape == (len(theirs.states), len(theirs.inputs)) and theirs.inputs
    for inputs, error in (("speed", tactus.RequestInvalid), ("energy.*", tactus.RequestInvalid),
                          ("thro", tactus.SignalUnknown)):
        with pytest.raises(error):
            simulation.linearize(inputs=inputs)


def test_what_has_no_result_says_why(client, lockstep):
    for call, error, text in (
        (lambda: lockstep.linearize(outputs=["crank_angel"]), tactus.SignalUnknown, "crank_angle"),
        (lambda: lockstep.linearize(inputs=["moto"]), tactus.SignalUnknown, "motor"),
        (lambda: lockstep.linearize(inputs=["crank_angle"]), tactus.RequestInvalid, "no actuator"),
        (lambda: lockstep.linearize(turning=(0.0, math.nan, 0.0)), tactus.NotFinite, "turning"),
        (lambda: lockstep.linearize(turning=(0.0, 1.0)), ValueError, "x, y and z"),
        (lambda: lockstep.linearize().modes(), tactus.RequestInvalid, "modes=True"),
        (lambda: lockstep.linearize(outputs=[1]), TypeError, "outputs"),
        (lambda: lockstep.linearize().response([math.nan]), ValueError, "finite"),
        (lambda: client.session("gone").linearize(), tactus.SessionUnknown, "gone"),
    ):
        with pytest.raises(error, match=text):
            call()
    with client.create_session("chain:n=300", clock="lockstep") as session:
        with pytest.raises(tactus.LimitExceeded, match="300 bodies.*tactus.Simulation"):
            session.linearize()


def test_the_asyncio_client_has_the_same_linear_system(address, lockstep):
    lockstep.step(10)
    expected = lockstep.linearize(outputs=OUTPUTS, modes=True)

    async def main():
        async with tactus.aio.connect(address) as connected:
            session = await connected.session(lockstep.name)
            return await session.linearize(outputs=OUTPUTS, modes=True)

    assert_same(asyncio.run(main()), expected)
