"""Arguments of the client: an error names each wrong one before anything is sent; copies that would share a connection."""
# Covers: clients/python/tactus/check.py, clients/python/tactus/session_request.py, clients/python/tactus/session_records.py
# Covers: clients/python/tactus/client.py, clients/python/tactus/model_source.py

import copy
import pickle

import pytest

import tactus
from tactus.v1 import snapshot_pb2


def test_wrong_types_are_told_with_their_argument(client, lockstep, tmp_path):
    for call, argument in (
            (lambda: client.model(5), "name"), (lambda: client.session(None), "name"), (lambda: client.unload_model(b"m"), "name"),
            (lambda: client.stop_recording(5), "name"), (lambda: client.download_recording(5, tmp_path / "r"), "name"),
            (lambda: client.load_model(5), "model"), (lambda: client.validate_model(None), "model"),
            (lambda: lockstep.read(5), "patterns"), (lambda: lockstep.signals(["a"], 5), "patterns"),
            (lambda: lockstep.record(5), "signals"), (lambda: lockstep.record(name=5), "name"),
            (lambda: lockstep.record(every=1.5), "every"), (lambda: tactus.Recorder("session"), "session")):
        with pytest.raises(TypeError, match=f"{argument}=.* is of type "):
            call()


CREATED = {"model": "motor_four_bar", "clock": "lockstep"}


@pytest.mark.parametrize("argument, value, kind", [
    ("iterations", -1, ValueError), ("iterations", 2**40, ValueError), ("threads", -1, ValueError), ("miss_limit", -1, ValueError),
    ("overrun_grace", 2**32, ValueError), ("cpus", [2**40], ValueError), ("priority", 2**31, ValueError),
    ("stop_tick", 2**63, ValueError), ("scale", "x", TypeError), ("request_id", 5, TypeError), ("name", "a\udcff", ValueError)])
def test_a_wrong_argument_of_a_session_is_told_by_its_name(argument, value, kind, client):
    with pytest.raises(kind, match=f"{argument}="):
        client.create_session(**CREATED | {argument: value})


@pytest.mark.parametrize("argument, value, kind", [
    ("credit_window", "x", TypeError), ("credit_window", -1, ValueError), ("output_divisor", 1.5, TypeError),
    ("expected_input_hash", "x", TypeError), ("expected_output_hash", 2**64, ValueError), ("takeover", 5, TypeError),
    ("controller", 5, TypeError)])
def test_a_wrong_argument_of_a_control_stream_is_told_by_its_name(argument, value, kind, lockstep):
    with pytest.raises(kind, match=f"{argument}="):
        lockstep.tick(**{argument: value})


@pytest.mark.parametrize("argument, value, kind", [
    ("every", -1, ValueError), ("queue_depth", "x", TypeError), ("credit_window", 2**32, ValueError),
    ("expected_hash", "x", TypeError)])
def test_a_wrong_argument_of_an_observation_is_told_by_its_name(argument, value, kind, lockstep):
    with pytest.raises(kind, match=f"{argument}="):
        lockstep.observe(**{argument: value})


def test_an_input_with_a_wrong_tick_is_not_counted(lockstep):
    with lockstep.tick(inputs=["motor"]) as stream:
        with pytest.raises(TypeError, match="for_tick='x'"):
            stream.send([0.1], for_tick="x")
        assert stream.step([0.2]).input_sequence == 1


# The last bytes are those of a message of another kind.
@pytest.mark.parametrize("damaged, problem", [
    (b"abc", "cannot be read"), (b"", "is empty"), (snapshot_pb2.SessionSnapshot(), "is empty"),
    (snapshot_pb2.SessionSnapshot(tick=5), "cannot be read"), (b"\x92\xf4\x01\x00", "cannot be read")])
def test_an_invalid_snapshot_is_refused_before_a_session_is_made(damaged, problem, client, lockstep):
    for call, field in ((lambda: lockstep.restore_snapshot(damaged), "snapshot"),
                        (lambda: client.create_session(**CREATED, initial=damaged, name="never"), "initial")):
        with pytest.raises(tactus.SnapshotIncompatible, match=f"the snapshot {problem}.*field {field}.*give all bytes of a file"):
            call()
    assert "never" not in [one.name for one in client.sessions()]


def test_a_repeated_creation_from_a_snapshot_leaves_the_first_session_as_it_is(client, lockstep):
    lockstep.run(10)
    created = CREATED | {"period": "1ms", "initial": lockstep.save_snapshot(), "request_id": "x" * 128}
    with client.create_session(**created) as first:
        first.start()
        first.run(5)
        assert client.create_session(**created).name == first.name
        assert first.status().tick == 15
        lockstep.run(10)
        with pytest.raises(tactus.RequestInvalid, match="used before with other content"):
            client.create_session(**created | {"initial": lockstep.save_snapshot()})
        assert first.status().tick == 15


def test_a_session_whose_snapshot_does_not_fit_is_deleted(client, lockstep):
    before = [one.name for one in client.sessions()]
    for request_id in (None, "a creation that fails"):
        with pytest.raises(tactus.SnapshotIncompatible):
            client.create_session("four_bar", clock="lockstep", initial=lockstep.save_snapshot(), request_id=request_id)
    assert [one.name for one in client.sessions()] == before


@pytest.mark.parametrize("clock", ["lockstep", "real-time", "free-run", "external"])
def test_a_scale_without_a_clock_that_has_one_is_told(clock, client):
    with pytest.raises(ValueError, match=f'scale=2.0 needs clock="scaled", and clock is \'{clock}\''):
        client.create_session(**CREATED | {"clock": clock, "scale": 2.0})
    client.create_session(**CREATED | {"clock": clock, "scale": 1.0}).delete()  # the default


@pytest.mark.parametrize("text", ["", "half a file"])
def test_a_text_in_place_of_a_snapshot_is_refused(text, lockstep):
    with pytest.raises(TypeError, match=f'snapshot is of type str, {len(text)} characters; give what save_snapshot returned.*"rb"'):
        lockstep.restore_snapshot(text)


@pytest.mark.parametrize("initial", [None, 5, bytearray(b"abc")])
def test_a_wrong_type_of_initial_is_refused(initial, client):
    with pytest.raises(TypeError, match="initial=.*; give the name of an initial condition, a snapshot or its bytes"):
        client.create_session(**CREATED, initial=initial)


def test_an_error_shows_the_beginning_of_a_long_argument(client):
    with pytest.raises(TypeError, match=r"name=b'x{198}\.\.\. is of type bytes") as caught:
        client.model(b"x" * 10_000)
    assert len(str(caught.value)) < 300


def test_a_token_of_a_wrong_type_is_refused_and_not_shown(address):
    with pytest.raises(TypeError, match="token is of type bytes") as caught:
        tactus.connect(address, token=b"secret")
    assert "secret" not in str(caught.value)


def test_an_address_with_a_nul_is_not_cut_there(address):
    with pytest.raises(ValueError, match="address=.* has a NUL"):
        tactus.connect(f"{address}\0x")


def test_a_frame_tells_what_it_has_and_a_session_of_a_closed_connection_what_it_is(address):
    client = tactus.connect(address)
    with client.create_session(**CREATED) as session:
        frame = session.read("motor")
        assert "motor" in frame and "crank_angle" not in frame and 5 not in frame
    client.close()
    assert "the connection is closed" in repr(session)


def test_a_connection_and_its_session_are_not_copied(client, lockstep):
    for found in (client, lockstep):
        for call in (copy.copy, copy.deepcopy, pickle.dumps):
            with pytest.raises(TypeError, match="cannot be copied or pickled: connect in each process"):
                call(found)


def test_a_stream_is_not_copied(lockstep):
    with lockstep.observe("*") as frames, lockstep.tick(outputs=["motor"]) as stream:
        for found, kind in ((frames, "this Observation"), (stream, "this TickStream")):
            for call in (copy.copy, copy.deepcopy, pickle.dumps):
                with pytest.raises(TypeError, match=f"{kind} cannot be copied or pickled: send its frames, or the arrays"):
                    call(found)


def test_half_a_character_is_no_signal(lockstep):
    assert "\udcff" not in lockstep


def test_a_row_of_a_table_goes_to_a_stream_by_its_names(client):
    pandas = pytest.importorskip("pandas")
    with client.create_session("sedan", clock="lockstep") as session:
        with session.tick(inputs=["throttle", "steering"], outputs=["throttle", "steering"]) as stream:
            frame = stream.step(pandas.Series({"steering": 0.02, "throttle": 0.4}))
            assert (frame["throttle"], frame["steering"]) == (0.4, 0.02)
            frame = stream.step(pandas.Series([0.5, 0.01]))  # labels that are numbers name nothing
            assert (frame["throttle"], frame["steering"]) == (0.5, 0.01)
            with pytest.raises(KeyError, match="throtle"):
                stream.step(pandas.Series({"throtle": 0.4, "steering": 0.0}))
            with pytest.raises(TypeError, match="values is a whole table of type DataFrame; give a row of it"):
                stream.step(pandas.DataFrame({"steering": [0.0], "throttle": [0.0]}))
            assert stream.step()["throttle"] == 0.5


def test_a_row_with_names_is_no_scripted_input(client):
    pandas = pytest.importorskip("pandas")
    for row in ({"motor": 1.0}, pandas.Series({"motor": 1.0})):
        with pytest.raises(TypeError, match="scripted_inputs has values by name; give those of all actuators as a list"):
            client.create_session(**CREATED, scripted_inputs=[(1, row)])
