"""Equilibrium and trim of a session, from Python: the numbers of a simulation in this process in the same state."""
# Covers: clients/python/tactus/session_search.py, clients/python/tactus/session_analyses.py

import asyncio
import math

import numpy as np
import pytest

import tactus
import tactus.aio
from conftest import needs_native


@needs_native
def test_a_session_has_the_equilibrium_of_a_simulation_in_its_state_and_stays_there(client):
    simulation = tactus.Simulation("motor_four_bar", period="1ms")
    simulation.step(40, {"motor": 0.3})
    local = simulation.equilibrium()
    with client.create_session("motor_four_bar", clock="lockstep", period="1ms") as session:
        session.run(40, inputs={"motor": np.full(40, 0.3)})
        found = session.equilibrium(outputs=["crank_angle", "energy.potential"], modes=True)
        assert (found.tick, found.state_hash) == (40, simulation.state_hash) == (session.status().tick, session.state_hash)
        for name in ("residual", "violation", "freedoms", "redundant_rows", "indifferent", "unstable", "singular"):
            assert getattr(found, name) == getattr(local, name), name
        assert found.inputs == {"motor": 0.3}
        simulation.restore(local.saved)
        for body, motion in found.bodies.items():
            np.testing.assert_array_equal(motion.position, simulation.body(body).r)
            np.testing.assert_array_equal(motion.orientation, simulation.body(body).p)
            assert not motion.velocity.any() and not motion.angular_velocity.any()
        assert found.signals == simulation.read("crank_angle", "energy.potential")
        assert found.units["crank_angle"] == "rad" and found.units["motor"] == "N m"
        np.testing.assert_array_equal(found.reactions["output"].force,
                                      [simulation[f"output.force.{axis}"] for axis in "xyz"])
        system = simulation.linearize(outputs=["crank_angle", "energy.potential"])
        np.testing.assert_array_equal(found.system.A, system.A)
        np.testing.assert_array_equal(found.system.C, system.C)
        assert [mode[:4] for mode in found.system.modes()] == [mode[:4] for mode in system.modes()]
        assert found.system.is_equilibrium


@needs_native
def test_a_session_begins_at_what_was_found_and_has_the_bits_of_a_simulation_from_there(client):
    simulation = tactus.Simulation("motor_four_bar", period="1ms")
    simulation.step(25)
    simulation.restore(simulation.equilibrium().saved)
    simulation.step(300)
    with client.create_session("motor_four_bar", clock="lockstep", period="1ms") as session:
        session.step(25)
        found = session.equilibrium()
        session.restore_snapshot(found.saved)
        session.step(300)
        assert session.state_hash == simulation.state_hash
    with client.create_session("motor_four_bar", clock="lockstep", period="1ms", initial=found.saved) as session:
        session.step(300)
        assert session.state_hash == simulation.state_hash


@needs_native
def test_a_car_that_drives_has_the_trim_of_a_simulation_in_its_state(client):
    gear = {"gear_ratio": 1.4}
    wanted = {"speed": 10.0, "yaw_rate": 0.2}
    simulation = tactus.Simulation("sedan", initial_condition="driving_10")
    simulation.step(20, gear)
    local = simulation.trim(wanted, free=["throttle", "steering"], moving=True)
    with client.create_session("sedan", clock="lockstep", period=simulation.period, initial="driving_10") as session:
        session.run(20, inputs={"gear_ratio": np.full(20, 1.4)})
        assert session.state_hash == simulation.state_hash
        found = session.trim(wanted, free=["throttle", "steering"], moving=True, linearize=True)
        assert (found.inputs, found.turning, found.residual, found.iterations) == (
            local.inputs, local.turning, local.residual, local.iterations)
        assert sorted(found.free) == ["steering", "throttle"] and found.out_of_range == ()
        assert list(found.signals)[:2] == ["speed", "yaw_rate"]
        simulation.restore(local.saved)
        # Axes that turn with the car, without being asked.
        np.testing.assert_array_equal(found.system.A, simulation.linearize(turning=local.turning).A)
        assert session.state_hash != simulation.state_hash
        session.restore_snapshot(found.saved)
        assert session.state_hash == simulation.state_hash
        session.step(200)
        simulation.step(200)
        assert session.state_hash == simulation.state_hash
        # The turn goes on: half a second leaves the speed where it was, within 1e-4 of it for the tick's own error.
        assert session.read("speed")["speed"] == pytest.approx(10.0, rel=1e-4)


def test_a_search_has_the_inputs_that_the_call_gives_and_a_trim_may_begin_at_the_equilibrium(client):
    with client.create_session("motor_four_bar", clock="lockstep") as session:
        rest, pushed = session.equilibrium(), session.equilibrium(inputs={"motor": 0.1}, load_steps=3)
        assert (rest.inputs, pushed.inputs) == ({"motor": 0.0}, {"motor": 0.1})
        angle = pushed.signals["crank_angle"]
        assert angle != pytest.approx(rest.signals["crank_angle"], abs=1e-3)  # 0.1 N m turns the crank by 0.1 rad
        # The torque that holds the crank where a torque has brought it is that torque; 1e-6: the residual of both searches.
        trim = session.trim({"crank_angle": angle}, free="motor", equilibrium=True)
        assert trim.inputs["motor"] == pytest.approx(0.1, rel=1e-6)
        assert trim.system is None and session.status().tick == 0


@needs_native
def test_an_input_beyond_its_range_is_marked_and_no_session_goes_there(client):
    model = tactus.build.read("motor_four_bar").to_dict() | {"name": "weak_motor"}
    model["actuators"][0] |= {"minimum": -0.01, "maximum": 0.01}
    client.load_model(model)
    with client.create_session("weak_motor", clock="lockstep") as session:
        rest = session.equilibrium().signals["crank_angle"]
        # 0.1 N m turn the crank by about 0.1 rad.
        found = session.trim({"crank_angle": rest + 0.1}, free=["motor"], equilibrium=True)
        assert found.out_of_range == ("motor",) and abs(found.inputs["motor"]) > 0.01
        before = session.state_hash
        with pytest.raises(tactus.ValueOutOfRange, match="outside the range"):
            session.restore_snapshot(found.saved)
        assert session.state_hash == before


def test_what_has_no_result_says_why(client, lockstep):
    for call, error, text in (
        (lambda: lockstep.trim({"crank_angle": 0.5}), tactus.AnalysisFailed, "allow motion .*moving=True"),
        (lambda: lockstep.trim({}), tactus.RequestInvalid, "no signal is required"),
        (lambda: lockstep.trim({"crank_angel": 0.5}), tactus.SignalUnknown, "crank_angle"),
        (lambda: lockstep.trim({"crank_*": 0.5}), tactus.RequestInvalid, "name one signal"),
        (lambda: lockstep.trim({"crank_angle": math.nan}), tactus.NotFinite, "finite"),
        (lambda: lockstep.trim({"crank_angle": 0.0}, free=["moter"]), tactus.SignalUnknown, "motor"),
        (lambda: lockstep.equilibrium(inputs={"motor": 9e9}), tactus.ValueOutOfRange, "must be from"),
        (lambda: lockstep.equilibrium(inputs={"moter": 0.0}), tactus.SignalUnknown, "motor"),
        (lambda: lockstep.equilibrium(outputs=["crank_angel"]), tactus.SignalUnknown, "crank_angle"),
        (lambda: lockstep.equilibrium(load_steps=0), ValueError, "above zero"),
        (lambda: lockstep.equilibrium(load_steps=20_000), tactus.LimitExceeded, "at most 10000"),
        (lambda: lockstep.equilibrium(load_steps=1.5), TypeError, "load_steps"),
        (lambda: lockstep.equilibrium(linearize=True).system.modes(), tactus.RequestInvalid, "modes=True"),
        (lambda: client.session("gone").equilibrium(), tactus.SessionUnknown, "gone"),
    ):
        with pytest.raises(error, match=text):
            call()
    stone = {"name": "stone", "gravity": [0, 0, -9.81],
             "bodies": [{"name": "stone", "mass": 1, "inertia": {"xx": 1, "yy": 1, "zz": 1}}]}
    client.load_model(stone)
    with client.create_session("stone", clock="lockstep") as session:
        with pytest.raises(tactus.AnalysisFailed, match="'stone' would move with 9.81"):
            session.equilibrium()


def test_the_asyncio_client_finds_the_same(address, lockstep):
    lockstep.step(10)
    expected = lockstep.equilibrium(), lockstep.trim({"crank_angle": -1.7}, free=["motor"])

    async def main():
        async with tactus.aio.connect(address) as connected:
            session = await connected.session(lockstep.name)
            return await session.equilibrium(), await session.trim({"crank_angle": -1.7}, free=["motor"])

    for found, wanted in zip(asyncio.run(main()), expected, strict=True):
        assert type(found) is type(wanted)
        assert found.saved.state == wanted.saved.state and len(found.saved.state) > 0
        assert (found.inputs, found.signals, found.residual) == (wanted.inputs, wanted.signals, wanted.residual)
