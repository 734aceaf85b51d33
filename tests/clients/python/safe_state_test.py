"""The safe state speaks: a warning when a stream opens on it, a notice when it is entered, and two ways out."""

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
    with pytest.warns(tactus.SafeStateWarning, match="inputs of inputs are ignored.*tactus clear") as caught:
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
