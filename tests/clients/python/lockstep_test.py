"""Lockstep: each input is one tick, and the result depends on the inputs only."""
# Covers: clients/python/tactus/session.py, clients/python/tactus/session_records.py, clients/python/tactus/session_signals.py
# Covers: clients/python/tactus/session_request.py
# Covers: clients/python/tactus/tick_stream.py, clients/python/examples/lockstep.py, clients/cpp/examples/lockstep.cpp

import math
import os
import subprocess
import sys

import pytest

import tactus
from conftest import BUILD, SOURCE

TICKS = 300


def torque(n):
    return 1.5 * math.sin(0.02 * n)


def run(client, ticks=TICKS, scale=1.0):
    """State hash after a sine torque in lockstep."""
    with client.create_session("motor_four_bar", clock="lockstep", period="1ms") as session:
        session.start()
        with session.tick(outputs=["energy.total"]) as stream:
            for n in range(1, ticks + 1):
                frame = stream.step({"motor": scale * torque(n)})
        assert frame.tick == ticks
        return session.state_hash


def test_one_input_is_one_tick(lockstep):
    with lockstep.tick(inputs=["motor"], outputs=["*"]) as stream:
        for n in range(1, 51):
            frame = stream.step({"motor": torque(n)})
            assert (frame.tick, frame.input_sequence, frame.input_age, frame.missed) == (n, n, 0, 0)
            assert frame["motor"] == torque(n)
            assert frame.values.shape == (len(stream.outputs),)
    assert lockstep.status().tick == 50


def test_convergence_and_energy_balance_are_signals_of_each_tick(client):
    def run_with(**solver):
        with client.create_session("motor_four_bar", clock="lockstep", period="1ms", solver=solver) as session:
            with session.tick(outputs=["solver.*", "energy.total"]) as stream:
                return [stream.step({"motor": torque(n)}).to_dict() for n in range(1, 51)]

    frames, full = run_with(), run_with(full_newton=True, iterations=4)
    for frame in frames:
        assert 0 <= frame["solver.contraction"] < 1
        assert frame["solver.factorizations"] >= 1
    assert {frame["solver.factorizations"] for frame in full} == {4}  # one for each iteration
    energies = [frame["energy.total"] for frame in frames]
    # The balance counts the work of the motor: it stays constant to the error of the step.
    assert max(energies) - min(energies) < 1e-3


def test_inputs_that_are_left_out_keep_their_value(lockstep):
    with lockstep.tick(outputs=["motor"]) as stream:
        assert stream.step({"motor": 0.75})["motor"] == 0.75
        assert stream.step({})["motor"] == 0.75
        assert stream.step()["motor"] == 0.75
        assert stream.step([0.25])["motor"] == 0.25
    with lockstep.tick(outputs=["motor"]) as stream:
        assert stream.step({})["motor"] == 0.25


def test_the_same_inputs_give_the_same_hash(client):
    first = run(client)
    assert len(first) == 16
    assert run(client) == first
    assert run(client, scale=1.0 + 1e-12) != first


def test_inputs_that_name_their_ticks_give_the_hash_of_a_script(client):
    script = [(5, [0.3]), (17, [-0.2]), (18, [0.4]), (90, [0.1])]
    choices = {"clock": "free-run", "period": "1ms", "stop_tick": 200}
    with client.create_session("motor_four_bar", scripted_inputs=script, **choices) as session:
        session.start()
        while session.state != "FINISHED":
            pass
        expected = session.state_hash
    with client.create_session("motor_four_bar", **choices) as session:
        with session.tick(inputs="motor", outputs="motor") as stream:
            for tick, values in script:
                stream.send(values, for_tick=tick)
            # One that is refused says that all before it have arrived.
            stream.send([0], for_tick=1)
            with pytest.raises(tactus.RequestInvalid):
                stream.receive()
            session.start()
            for _ in stream:
                pass
        assert session.state_hash == expected
        assert session.timing().inputs_late == 0


def test_an_input_that_names_another_tick_than_the_next_is_refused(lockstep):
    with lockstep.tick(inputs="motor", outputs="motor") as stream:
        tick = stream.step([0.1]).tick
        with pytest.raises(tactus.TickInPast):
            stream.step([0.2], for_tick=tick)
        with pytest.raises(tactus.TickTooFar):
            stream.step([0.2], for_tick=tick + 2)
        assert stream.step([0.3], for_tick=tick + 1)["motor"] == 0.3


def test_scripted_inputs_in_free_run_give_the_hash_of_lockstep(client):
    script = [(n, [torque(n)]) for n in range(1, TICKS + 1)]
    with client.create_session(
        "motor_four_bar", clock="free-run", period="1ms", scripted_inputs=script, stop_tick=TICKS
    ) as session:
        # The end of the session ends the iteration.
        with session.observe(["energy.total"], delivery="queue", queue_depth=TICKS + 1) as observation:
            session.start()
            ticks = [frame.tick for frame in observation]
        assert ticks == list(range(TICKS + 1))
        assert session.state == "FINISHED"
        assert session.state_hash == run(client)


def test_steps_by_call_give_the_hash_of_steps_by_stream(client, lockstep):
    lockstep.step(TICKS)
    assert lockstep.state_hash == run(client, scale=0.0)
    # The same request id steps once.
    lockstep.step(5, request_id="five")
    lockstep.step(5, request_id="five")
    assert lockstep.status().tick == TICKS + 5


def test_a_reset_returns_to_the_first_state(client, lockstep):
    with lockstep.tick(outputs=["motor"]) as stream:
        fresh = lockstep.state_hash
        stream.step({"motor": 1.0})
        assert lockstep.state_hash != fresh
    lockstep.reset()
    assert lockstep.status().tick == 0
    assert lockstep.state_hash == fresh


def test_the_examples_of_both_languages_end_in_the_same_hash(address):
    arguments = ["--server", address, "--ticks", "500", "--amplitude", "0.7"]
    outputs = [
        subprocess.run(command, check=True, capture_output=True, text=True, env=os.environ).stdout
        for command in (
            [BUILD / "tactus_lockstep", *arguments],
            [sys.executable, SOURCE / "clients/python/examples/lockstep.py", *arguments],
        )
    ]
    assert "state hash: " in outputs[0]
    assert outputs[0] == outputs[1]


def test_a_session_is_deleted_at_the_end_of_its_block(client):
    with client.create_session("motor_four_bar", clock="lockstep", name="short-lived") as session:
        assert "short-lived" in [running.name for running in client.sessions()]
        with client.session("short-lived"):
            pass
        assert session.status().tick == 0
    assert "short-lived" not in [running.name for running in client.sessions()]
    # A second end of the same session is no error.
    session.__exit__(None, None, None)
    with client.create_session("motor_four_bar", clock="lockstep", name="short-lived") as session:
        session.delete()


def test_read_and_signals_agree_on_names_and_units(lockstep):
    names = [signal.name for signal in lockstep.signals("energy.*")]
    assert "energy.total" in names
    reading = lockstep.read("energy.*")
    assert list(reading.layout.names) == names
    # Round-off: energies of some 10 J, three terms.
    assert abs(reading["energy.total"] - reading["energy.kinetic"] - reading["energy.potential"]) < 1e-9
    units = {signal.name: signal.unit for signal in lockstep.signals()}
    assert units["energy.total"] == "J"
    assert units["motor"] == "N m"
    assert set(lockstep.inputs) <= set(units)


def test_the_timing_report_counts_the_ticks(lockstep):
    with lockstep.tick(outputs=[]) as stream:
        for _ in range(20):
            stream.step()
    report = lockstep.timing()
    assert report.ticks == 20
    assert report.inputs_used == 20


SLED = {
    "name": "py_sled",
    "gravity": [0, 0, 0],
    "bodies": [{"name": "body", "mass": 1, "inertia": {"xx": 1, "yy": 1, "zz": 1}}],
    "actuators": [
        {
            "name": "push",
            "safe": 1,
            "on_loss": {"ramp_time": 0.004},
            "body_force": {"body": "body", "direction": [1, 0, 0]},
        }
    ],
}


def test_each_frame_tells_a_lost_controller_and_the_safe_state(client):
    with client.create_session(SLED, clock="lockstep", miss_limit=2) as session:
        with session.tick(outputs=["push"]) as stream:
            assert stream.step({"push": 5}).input_mode == tactus.InputMode.DRIVEN
            session.step(1)
            assert session.read("push").input_mode == tactus.InputMode.DRIVEN
            session.step(1)
            lost = session.read("push")
            assert (lost.input_mode, lost["push"]) == (tactus.InputMode.RAMPING, 4)
            for _ in range(3):
                frame = stream.step({"push": 9})
            assert (frame.input_mode, frame["push"]) == (tactus.InputMode.SAFE, 1)
            session.clear_safe_state()
            assert stream.step({"push": 9})["push"] == 9
            session.enter_safe_state()
            assert stream.step({"push": 9}).input_mode == tactus.InputMode.RAMPING
        report = session.timing()
        assert (report.input_losses, report.safe_entries) == (1, 2)


def test_a_session_reports_the_overrun_policy_that_was_requested(client):
    with client.create_session("four_bar", overrun="catch-up 3", overrun_grace=7, overrun_max_total=9) as session:
        rule = session.status().overrun
        assert (rule.policy, rule.burst, rule.grace_ticks, rule.max_consecutive, rule.max_total) == (3, 3, 7, 0, 9)
    for text in ("", "halt", "catch-up", "catch-up x", "skip 3"):
        with pytest.raises(ValueError, match="overrun policy"):
            client.create_session("four_bar", overrun=text)


def test_a_session_begins_at_an_initial_condition_or_in_a_saved_state(client):
    with client.create_session("motor_four_bar", clock="lockstep", period="1ms", parameters={"rocker_mass": 2.0}) as first:
        first.run(100, inputs={"motor": 1.0})
        saved = first.save_snapshot()
        with client.create_session("motor_four_bar", clock="lockstep", period="1ms", parameters={"rocker_mass": 2.0},
                                   initial=saved, threads=2) as second:
            assert (second.status().tick, second.state_hash) == (100, first.state_hash)
            second.start()
            first.run(50)
            second.run(50)
            assert second.state_hash == first.state_hash
    with client.create_session("motor_four_bar", clock="lockstep", initial="spinning") as spinning:
        assert spinning.read("crank_rate").values[0] != 0
    before = len(client.sessions())
    with pytest.raises(tactus.SnapshotIncompatible):
        client.create_session("four_bar", clock="lockstep", initial=saved.SerializeToString())
    assert len(client.sessions()) == before
