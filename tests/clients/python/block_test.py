"""Blocks of ticks in one call: the same bits as tick by tick, within limits, and nothing ticks after a refusal."""
# Covers: clients/python/tactus/block.py, clients/python/tactus/block_call.py, clients/python/tactus/input_rows.py

import os
import signal
import threading

import numpy as np
import pytest

import tactus
from conftest import needs_native
from tactus.block_call import _calls
from tactus.v1 import simulation_pb2
from tactus.wire_errors import typed_errors

TICKS = 300
TORQUE = 1.5 * np.sin(0.02 * np.arange(1, TICKS + 1))


def create(client, **options):
    return client.create_session("motor_four_bar", **{"clock": "lockstep", "period": "1ms"} | options)


def test_a_block_has_the_bits_and_the_outputs_of_its_ticks_one_by_one(client):
    with create(client) as session:
        with session.tick(outputs=["crank_angle", "energy.*"]) as stream:
            frames = [stream.step([torque]) for torque in TORQUE]
        expected = session.state_hash
    with create(client) as session:
        block = session.run(TICKS, inputs=TORQUE, outputs=["crank_angle", "energy.*"])
        assert session.state_hash == expected
        assert block.names == frames[0].layout.names
        assert block.ticks.tolist() == [frame.tick for frame in frames]
        assert block.sim_time.tolist() == [frame.sim_time for frame in frames]
        np.testing.assert_array_equal(block.values, [frame.values for frame in frames])
        assert block["crank_angle"][-1] == frames[-1]["crank_angle"]
        assert block.units["energy.total"] == "J"
    # In parts, by name, and held.
    with create(client) as session:
        for part in np.split(TORQUE, [1, 100, 299]):
            session.run(len(part), inputs={"motor": part})
        assert session.state_hash == expected
    with create(client) as session, create(client) as other:
        session.run("100ms", inputs={"motor": 0.5})
        other.run(1, inputs=[[0.5]])
        other.run(99)
        assert session.state_hash == other.state_hash


@pytest.mark.parametrize("every", [1, 7, 100, 301])
def test_rows_lie_at_every_nth_tick_of_the_block(client, every):
    with create(client) as session:
        session.run(5)
        block = session.run(TICKS, inputs=TORQUE, outputs=["motor"], every=every)
        rows = np.arange(every, TICKS + 1, every)
        assert block.ticks.tolist() == (5 + rows).tolist()
        np.testing.assert_array_equal(block["motor"], TORQUE[rows - 1])


@pytest.mark.parametrize("every", [1, 3, 10_000, 10_001, 25_000])
def test_the_calls_of_a_long_block_join_without_a_gap(every):
    calls = list(_calls(60_007, 1, every))
    assert [start for start, _, _ in calls] == np.cumsum([0] + [length for _, length, _ in calls[:-1]]).tolist()
    assert sum(length for _, length, _ in calls) == 60_007
    rows = [start + k for start, length, distance in calls if distance for k in range(distance, length + 1, distance)]
    assert rows == list(range(every, 60_007 + 1, every))


def test_the_service_takes_a_hundred_thousand_ticks_and_not_one_more(client):
    with create(client) as session:
        request = simulation_pb2.RunSessionRequest(session=session.name, ticks=100_001, outputs=["crank.*"], every=2)
        with pytest.raises(tactus.RequestInvalid) as caught, typed_errors():
            list(client.stub.RunSession(request))
        assert caught.value.field == "ticks"
        assert session.status().tick == 0
        request.ticks = 100_000
        answers = list(client.stub.RunSession(request))
        assert sum(answer.ByteSize() for answer in answers) > 4 << 20  # gRPC refuses one message of that size
        assert [tick for answer in answers for tick in answer.ticks] == list(range(2, 100_001, 2))
        assert session.status().tick == 100_000


def ask(method, session, ticks, **fields):
    """The answers to a call with these fields, in order."""
    request = simulation_pb2.RunSessionRequest(session=session.name, ticks=ticks, **fields)
    with typed_errors():
        answer = method(request)
        return list(answer) if hasattr(answer, "__next__") else [answer]


def test_a_block_with_one_answer_is_that_of_a_stream(client):
    rows, fields = TORQUE.astype("<f8").tobytes(), {"inputs": ["motor"], "outputs": ["crank_angle", "energy.*"], "every": 3}
    with create(client) as one, create(client) as streamed:
        (short,) = ask(client.stub.RunBlock, one, TICKS, rows=rows, **fields)
        (stream,) = ask(client.stub.RunSession, streamed, TICKS, rows=rows, **fields)
        assert short == stream and len(short.ticks) == TICKS // 3 and not short.HasField("failure")
        assert one.state_hash == streamed.state_hash


def test_a_block_with_one_answer_has_limits_and_makes_no_tick_beyond_them(client):
    with create(client) as session:
        with pytest.raises(tactus.LimitExceeded, match="1001 ticks.*RunSession") as caught:
            ask(client.stub.RunBlock, session, 1001)
        assert caught.value.field == "ticks"
        signals = len(session.signals())
        assert 8 * 1000 * signals >= 256 << 10  # what is tried here must be beyond the limit
        with pytest.raises(tactus.LimitExceeded, match="rows of outputs.*RunSession") as caught:
            ask(client.stub.RunBlock, session, 1000, outputs=["*"])
        assert caught.value.field == "outputs"
        with pytest.raises(tactus.SignalUnknown):
            ask(client.stub.RunBlock, session, 10, outputs=["crank_angel"])
        assert session.status().tick == 0
        ask(client.stub.RunBlock, session, 1000, outputs=["*"], every=10)
        assert session.status().tick == 1000


def test_the_error_of_a_block_with_one_answer_comes_with_its_rows(client):
    with create(client, stop_tick=40) as session:
        (answer,) = ask(client.stub.RunBlock, session, 100, outputs=["motor"], every=10)
        assert list(answer.ticks) == [10, 20, 30, 40]
        assert answer.failure.detail.reason == "SESSION_STATE" and answer.failure.code == 9  # FAILED_PRECONDITION
        assert "finished, after 40 of 100 ticks" in answer.failure.message
        # Without a tick it is the error of the call.
        with pytest.raises(tactus.SessionStateError, match="after 0 of 10 ticks"):
            ask(client.stub.RunBlock, session, 10)


@pytest.mark.parametrize("ticks, outputs, once, again", [
    (100, ["crank_angle"], "RunBlock", "RunBlock"), (1001, ["crank_angle"], "RunSession", "RunSession"),
    (1000, [], "RunBlock", "RunBlock"), (100, ["crank_*"], "RunSession", "RunBlock"), (1000, ["*"], "RunSession", "RunSession")])
def test_a_short_block_is_one_answer_as_soon_as_the_number_of_its_outputs_is_known(client, monkeypatch, ticks, outputs, once, again):
    called = []
    with create(client) as session:
        for name in ("RunBlock", "RunSession"):
            method = getattr(client.stub, name)
            monkeypatch.setattr(client.stub, name, lambda *words, _name=name, _method=method, **more: (
                called.append(_name), _method(*words, **more))[1])
        blocks = [session.run(ticks, outputs=outputs) for _ in range(2)]
        assert called == [once, again]
        assert blocks[0].names == blocks[1].names
        assert blocks[1].ticks.tolist() == (list(range(ticks + 1, 2 * ticks + 1)) if outputs else [])


def test_a_block_of_a_model_with_more_signals_than_an_answer_holds_has_the_units_of_its_outputs(client, monkeypatch):
    monkeypatch.setattr(client, "timeout", 60.0)
    with client.create_session("chain:n=4000", clock="lockstep") as session:
        with pytest.raises(tactus.TactusError, match="LIMIT_EXCEEDED.*an answer has at most 4194304"):
            session.signals()
        assert len(session.run(1)) == 0
        assert session.run(1, outputs=["energy.total"]).units == {"energy.total": "J"}


def test_ctrl_c_ends_a_short_block_at_the_server(client, monkeypatch):
    monkeypatch.setattr(client, "timeout", 60.0)
    with client.create_session("chain:n=4000", clock="lockstep") as session:
        session.run(2)
        threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
        with pytest.raises(KeyboardInterrupt):
            session.run(1000)  # more than a second: the body of a chain costs 0.4 us or more
        session.run(1)  # waits until the server has ended the block before
        assert session.status().tick < 1003


def test_a_wrong_shape_is_refused_before_anything_is_sent(lockstep):
    for inputs in (TORQUE[:-1], np.zeros((TICKS, 2)), np.zeros((2, TICKS)), {"motor": TORQUE[:-1]}, 1.0):
        with pytest.raises(ValueError, match="shape"):
            lockstep.run(TICKS, inputs=inputs)
    for ticks in (0, -1, "0.5ms"):
        with pytest.raises(ValueError, match="ticks"):
            lockstep.run(ticks)
    with pytest.raises(ValueError, match="every"):
        lockstep.run(10, every=0)
    assert lockstep.status().tick == 0


def test_a_value_or_a_name_that_is_refused_makes_no_tick(lockstep):
    rows = np.zeros(TICKS)
    for value, error in ((np.nan, tactus.NotFinite), (1e9, tactus.ValueOutOfRange)):
        rows[200] = value
        with pytest.raises(error, match="row 200"):
            lockstep.run(TICKS, inputs=rows)
    with pytest.raises(tactus.SignalUnknown, match="motor"):
        lockstep.run(10, inputs={"motr": 1.0})
    with pytest.raises(tactus.SignalUnknown, match="energy.total"):
        lockstep.run(10, outputs=["energy.totl"])
    assert lockstep.status().tick == 0


@pytest.mark.parametrize("value, error, hint", [(np.nan, tactus.NotFinite, "the 20000 ticks before this call have run"),
                                                (1e9, tactus.ValueOutOfRange, "")])
def test_a_refused_row_of_a_later_call_has_its_number_in_the_block(lockstep, value, error, hint):
    rows = np.zeros(30_000)
    rows[29_000] = value
    with pytest.raises(error, match=f"row 29000: .*{hint}") as caught:
        lockstep.run(len(rows), inputs=rows)
    assert lockstep.status().tick == 20_000
    assert "no tick has run" not in str(caught.value) and hint in caught.value.hint


def test_a_session_with_a_clock_of_its_own_refuses_a_block(realtime):
    with pytest.raises(tactus.SessionStateError, match="lockstep"):
        realtime.run(10)


def test_a_block_needs_the_inputs_for_itself(lockstep):
    with lockstep.tick(controller="wheel"):
        with pytest.raises(tactus.LeaseHeld, match="wheel"):
            lockstep.run(10)
    lockstep.run(10)


def test_an_end_within_the_block_is_an_error_with_the_rows_before_it(client):
    with create(client, stop_tick=40) as session:
        with pytest.raises(tactus.SessionStateError, match="finished, after 40 of 100 ticks") as caught:
            session.run(100, outputs=["motor"], every=10)
        assert caught.value.block.ticks.tolist() == [10, 20, 30, 40]


def test_a_session_that_is_deleted_during_a_block_leaves_its_rows(client):
    session = create(client)

    def delete():
        while session.status().tick < 100:
            pass
        client.session(session.name).delete()

    other = threading.Thread(target=delete)
    other.start()
    with pytest.raises(tactus.TactusError) as caught:
        session.run(100_000_000, outputs=["motor"], every=10)
    other.join()
    block = caught.value.block
    assert block.names == ("motor",) and len(block) > 0
    assert block.ticks.tolist() == list(range(10, 10 * len(block) + 1, 10))


@pytest.mark.parametrize("every", [20_000, 30_000])
def test_outputs_whose_first_row_is_far_are_named_and_checked_before_the_first_tick(lockstep, every):
    with pytest.raises(tactus.SignalUnknown, match="crank_angle"):
        lockstep.run(20_000, outputs=["crank_angel"], every=every)
    assert lockstep.status().tick == 0
    block = lockstep.run(20_000, outputs=["energy.*", "crank_angle"], every=every)
    assert block.names == lockstep.run(1, outputs=["energy.*", "crank_angle"]).names
    assert block.ticks.tolist() == list(range(every, 20_001, every)) and block.units["crank_angle"] == "rad"


def test_a_pause_of_another_client_ends_a_block(client):
    with create(client) as session:

        def pause():
            while session.state != "RUNNING":
                pass
            session.pause()

        other = threading.Thread(target=pause)
        other.start()
        with pytest.raises(tactus.SessionStateError, match="paused"):
            session.run(100_000_000)
        other.join()
        tick = session.status().tick
        session.start()
        session.run(1)
        assert session.status().tick == tick + 1


@needs_native
def test_the_columns_of_a_table_go_by_their_names():
    pandas = pytest.importorskip("pandas")
    names = tactus.Simulation("sedan").inputs
    values = {name: 0.01 * k * np.ones(20) for k, name in enumerate(names) if name in ("throttle", "steering")}
    table = pandas.DataFrame({name: values[name] for name in reversed(list(values))})
    runs = [tactus.Simulation("sedan") for _ in range(3)]
    runs[0].run(20, values)
    runs[1].run(20, table)
    assert runs[0].state_hash == runs[1].state_hash
    shared = tactus.rollout("sedan", 20, inputs=table, parameters=[{}, {}])
    assert shared.state_hashes == (runs[0].state_hash,) * 2
    # Columns that have no names count by their place.
    whole = np.tile(np.zeros(len(names)), (20, 1))
    runs[2].run(20, pandas.DataFrame(whole))
    with pytest.raises(ValueError, match="no actuators: throtle; the actuators are .*throttle"):
        runs[2].run(20, table.rename(columns={"throttle": "throtle"}))
    with pytest.raises(ValueError, match="two columns of one name"):
        runs[2].run(20, table.rename(columns={"throttle": "steering"}))
    with pytest.raises(ValueError, match="19"):
        tactus.rollout("sedan", 19, inputs=table, parameters=[{}])


@needs_native
def test_a_block_is_not_iterated_over_and_says_what_to_use():
    block = tactus.Simulation("double_pendulum").run(2, outputs=["energy.total"])
    assert "energy.total" in block
    for iterate in (list, dict):
        with pytest.raises(TypeError, match="use its `names`"):
            iterate(block)
