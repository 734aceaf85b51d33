"""The safe state speaks: a warning when a stream opens on it, a notice when it is entered, and two ways out."""

import time
import warnings

import pytest

import tactus

MODEL = {
    "name": "sled",
    "gravity": [0, 0, 0],
    "bodies": [{"name": "body", "mass": 1, "inertia": {"xx": 1, "yy": 1, "zz": 1}}],
    "actuators": [{"name": "push", "safe": 1, "body_force": {"body": "body", "direction": [1, 0, 0]}}],
}


@pytest.fixture
def sled(client):
    """A lockstep session whose controller is lost after two ticks without an input."""
    with client.create_session(MODEL, clock="lockstep", period="1ms", miss_limit=2) as session:
        yield session


def mode(session):
    return tactus.InputMode(session.status().input_mode)


def test_the_next_stream_after_one_that_was_closed_drives_at_once(sled):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(2):
            with sled.tick() as stream:
                assert stream.step({"push": 5}).input_mode == tactus.InputMode.DRIVEN
            sled.step(3)
            assert mode(sled) == tactus.InputMode.SAFE


def test_a_stream_after_a_lost_one_warns_and_leaves_the_safe_state_on_request(sled):
    with pytest.raises(ZeroDivisionError), sled.tick() as stream:
        stream.step({"push": 5})
        raise ZeroDivisionError  # the stream is cancelled
    while sled.status().tick_streams:
        pass
    sled.step(3)
    with pytest.warns(tactus.SafeStateWarning, match=r"inputs are ignored \(group inputs\).*session\.clear_safe_state\(\)") as caught:
        with sled.tick() as stream:
            assert stream.step({"push": 5}).input_mode == tactus.InputMode.SAFE
    with sled.tick(leave_safe_state=True) as stream:
        assert stream.step({"push": 5}).input_mode == tactus.InputMode.DRIVEN
    assert caught[0].filename == __file__
    sled.enter_safe_state()  # that the stream closed in order does not matter for a requested safe state
    sled.step(1)
    with pytest.warns(tactus.SafeStateWarning, match="by request"):
        sled.tick(leave_safe_state=True).close()
    sled.clear_safe_state()  # takes effect with the next tick
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with sled.tick() as stream:
            assert stream.step({"push": 5}).input_mode == tactus.InputMode.DRIVEN


def test_a_stream_whose_warning_is_an_error_gives_the_inputs_back(sled):
    sled.enter_safe_state()
    sled.step(1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(tactus.SafeStateWarning) as caught:  # which keeps the stream from its destructor
            sled.tick()
    deadline = time.monotonic() + 20  # the server sees the cancellation within milliseconds
    while sled.status().tick_streams:
        assert time.monotonic() < deadline
    assert caught.traceback
    sled.clear_safe_state()
    sled.step(1)
    with sled.tick() as stream:
        assert stream.step({"push": 5})["push"] == 5


def test_the_loss_of_the_own_inputs_is_a_warning_or_a_notice(sled):
    with sled.tick() as stream:
        stream.step({"push": 5})
        sled.step(3)
        with pytest.warns(tactus.SafeStateWarning, match="sent no inputs"):
            stream.step({"push": 6})
    sled.clear_safe_state()
    heard = []
    with sled.tick(on_notice=lambda notice: heard.append(notice.reason)) as stream:
        stream.step({"push": 5})
        sled.step(3)
        stream.step({"push": 6})
    assert "SAFE_STATE_ENTERED" in heard


def test_each_frame_has_the_mode_of_each_group(sled):
    with sled.tick() as stream:
        frame = stream.step({"push": 5})
        assert frame.group_modes == (tactus.InputMode.DRIVEN,)
        assert [group.name for group in sled.status().groups] == ["inputs"]


def test_ctrl_c_closes_the_stream_in_order(sled):
    with pytest.raises(KeyboardInterrupt), sled.tick() as stream:
        stream.step({"push": 5})
        raise KeyboardInterrupt
    sled.step(3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with sled.tick() as stream:
            assert stream.step({"push": 5}).input_mode == tactus.InputMode.DRIVEN


def test_a_step_in_real_time_is_not_answered_by_the_safe_state_of_a_group_of_another_stream(client):
    body = {"body": "body", "direction": [1, 0, 0]}
    # The own group holds its value where its controller is silent; the other one goes to its safe state.
    model = MODEL | {"actuators": [{"name": "own", "group": "own", "on_loss": {"action": "LOSS_ACTION_HOLD"}, "body_force": body},
                                   {"name": "lost", "group": "other", "safe": 0, "body_force": body}]}
    with client.create_session(model, clock="real-time", period="1ms", miss_limit=2) as session:
        session.start()
        with session.tick(inputs=["lost"], on_notice=lambda notice: None) as other:
            other.send({"lost": 1.0})
            while tactus.InputMode.SAFE not in other.receive().group_modes:
                pass
        with session.tick(inputs=["own"], outputs=["own"]) as stream:
            assert stream.receive().group_modes[1] == tactus.InputMode.SAFE
            stream.send({"own": 1.0})
            begin = session.status().tick
            while session.status().tick < begin + 5:  # frames of these ticks wait for the stream
                pass
            frame = stream.step({"own": 5.0})
            assert frame.group_modes[1] == tactus.InputMode.SAFE
            assert frame.input_sequence == 2 and frame["own"] == 5.0
