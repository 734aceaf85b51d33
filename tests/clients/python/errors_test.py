"""Each failure raises a typed error with a reason, a field and a hint, and changes nothing else."""
# Covers: clients/python/tactus/errors.py, clients/python/tactus/wire_errors.py, clients/python/tactus/check.py
# Covers: clients/python/tactus/sent_values.py, clients/python/tactus/tick_stream.py

import copy
import pickle
import signal

import numpy as np
import pytest

import tactus
from conftest import needs_native
from tactus.sent_values import SentValues
from tactus.v1 import simulation_pb2
from tactus.wire_errors import error_of_notice


def test_a_lost_lease_has_a_class_of_its_own():
    notice = simulation_pb2.TickNotice(message="\"rescue\" took the inputs over")
    notice.detail.reason = "LEASE_LOST"
    assert isinstance(error_of_notice(notice), tactus.LeaseLost)


@pytest.mark.parametrize("again", [lambda error: pickle.loads(pickle.dumps(error)), copy.copy])
def test_an_error_that_another_process_raised_is_the_same(again):
    """Workers of multiprocessing and Dask pickle it."""
    finding = tactus.Finding("error", 3, "bodies[0].mass", "-1", "must be above zero", "")
    first = tactus.ModelInvalid("bad", "INVALID_ARGUMENT", "MODEL_INVALID", "model", "fix it", [finding])
    second = again(first)
    assert type(second) is tactus.ModelInvalid and str(second) == str(first)
    assert vars(second) == vars(first) and second.findings == [finding]


def test_an_address_without_a_server_is_unreachable(tmp_path):
    with pytest.raises(tactus.Unreachable) as caught:
        tactus.connect(f"unix:{tmp_path}/nobody.sock")
    assert caught.value.code == "UNAVAILABLE"
    assert "tactus serve" in caught.value.hint


def test_an_address_of_another_host_is_refused():
    for address in ("192.0.2.1:50051", 50051):
        with pytest.raises(tactus.RequestInvalid) as caught:
            tactus.connect(address)
        assert caught.value.field == "address"
        assert "127.0.0.1" in caught.value.hint


def test_an_unknown_model_is_refused_with_the_nearest_name(client):
    with pytest.raises(tactus.ModelUnknown) as caught:
        client.create_session("motor_for_bar")
    assert caught.value.code == "NOT_FOUND"
    assert "motor_four_bar" in str(caught.value)


def test_an_unknown_session_is_refused(client):
    with pytest.raises(tactus.SessionUnknown) as caught:
        client.session("nobody")
    assert (caught.value.code, caught.value.reason, caught.value.field) == ("NOT_FOUND", "SESSION_UNKNOWN", "session")


def test_a_second_session_of_the_same_name_is_refused(client, lockstep):
    with pytest.raises(tactus.SessionExists):
        client.create_session("motor_four_bar", name=lockstep.name)


def test_a_repeated_request_creates_one_session(client):
    with client.create_session("motor_four_bar", clock="lockstep", request_id="once-only") as first:
        second = client.create_session("motor_four_bar", clock="lockstep", request_id="once-only")
        assert second.name == first.name


def test_an_unknown_signal_is_refused_with_the_nearest_name(lockstep):
    for opening in (
        lambda: lockstep.tick(outputs=["energy.totl"]),
        lambda: lockstep.observe(["energy.totl"]),
        lambda: lockstep.read("energy.totl"),
        lambda: lockstep.signals("energy.totl"),
    ):
        with pytest.raises(tactus.SignalUnknown) as caught:
            opening()
        assert "energy.total" in str(caught.value)
    with pytest.raises(tactus.SignalUnknown):
        lockstep.tick(inputs=["motr"])


def test_a_stream_with_another_layout_than_expected_is_refused(lockstep):
    with lockstep.tick(outputs=["energy.total"]) as stream:
        expected = stream.outputs.hash
        inputs = stream.inputs.hash
    with lockstep.tick(outputs=["energy.total"], expected_output_hash=expected, expected_input_hash=inputs):
        pass
    with pytest.raises(tactus.LayoutMismatch):
        lockstep.tick(outputs=["energy.kinetic"], expected_output_hash=expected)
    with pytest.raises(tactus.LayoutMismatch):
        lockstep.observe(["energy.kinetic"], expected_hash=expected)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_an_input_that_is_not_finite_is_refused_and_nothing_ticks(lockstep, value):
    with lockstep.tick(outputs=["motor"]) as stream:
        stream.step({"motor": 0.5})
        before = lockstep.state_hash
        with pytest.raises(tactus.NotFinite) as caught:
            stream.step({"motor": value})
        assert caught.value.code == "INVALID_ARGUMENT"
        assert "values[0]" in caught.value.field
        assert lockstep.state_hash == before
        # The stream is still open, and the refused value is forgotten.
        frame = stream.step({})
        assert (frame.tick, frame["motor"]) == (2, 0.5)
    assert lockstep.timing().inputs_refused == 1


def test_an_input_out_of_range_is_refused(client, lockstep):
    maximum = next(signal.maximum for signal in lockstep.signals("motor"))
    with lockstep.tick(outputs=["motor"]) as stream:
        assert stream.step([maximum])["motor"] == maximum
        with pytest.raises(tactus.ValueOutOfRange):
            stream.step([1.001 * maximum])


def test_a_refused_input_in_real_time_is_raised_or_passed_to_the_handler(realtime):
    with realtime.tick(outputs=["motor"]) as stream:
        stream.send([float("nan")])
        with pytest.raises(tactus.NotFinite):
            for _ in stream:
                pass
        assert stream.receive()["motor"] == 0.0

    told = []
    with realtime.tick(outputs=["motor"], on_notice=told.append) as stream:
        sequence = stream.send([float("nan")])
        while not told:
            stream.receive()
    assert (told[0].reason, told[0].input_sequence) == ("INPUT_REFUSED", sequence)


def test_a_value_that_was_refused_in_real_time_is_forgotten(realtime):
    def used(stream, sequence):
        return next(frame for frame in stream if frame.input_sequence >= sequence)["motor"]

    with realtime.tick(outputs=["motor"]) as stream:
        assert used(stream, stream.send({"motor": 0.5})) == 0.5
        stream.send({"motor": float("nan")})
        with pytest.raises(tactus.NotFinite):
            used(stream, 3)
        assert used(stream, stream.send({})) == 0.5
        # A value that was sent after the refused one stays.
        stream.send({"motor": float("nan")})
        later = stream.send({"motor": 0.25})
        with pytest.raises(tactus.NotFinite):
            used(stream, later + 1)
        assert used(stream, stream.send()) == 0.25


def test_what_a_refused_input_changed_is_taken_back_and_nothing_else():
    nan = float("nan")
    sent = SentValues([1.0, 2.0, 3.0])
    for sequence, changes in enumerate(({0: nan}, {1: 5.0}, {0: nan}, {2: 7.0, 1: 6.0}), start=1):
        sent.add(sequence, changes)
    sent.forget(9)
    assert sent.newest[1:] == [6.0, 7.0]
    sent.forget(3)  # the value of the first input is in force again, until that is refused, too
    assert sent.newest[0] != sent.newest[0]
    sent.forget(1)
    assert sent.newest == [1.0, 6.0, 7.0]
    sent.forget(4)
    assert sent.newest == [1.0, 5.0, 3.0]


def test_only_the_last_inputs_can_be_forgotten():
    sent = SentValues([0.0])
    for sequence in range(1, 2000):
        sent.add(sequence, {0: float(sequence)})
    sent.forget(1)
    sent.forget(1999)
    assert sent.newest == [1998.0] and len(sent._changes) < 300


def test_wrong_counts_and_names_of_inputs_are_refused_before_anything_is_sent(lockstep):
    with lockstep.tick() as stream:
        with pytest.raises(ValueError):
            stream.send([1.0, 2.0])
        with pytest.raises(KeyError):
            stream.send({"mtor": 1.0})
        assert stream.step([0.0]).input_sequence == 1


def test_a_second_stream_with_inputs_is_refused_until_the_first_is_closed(realtime):
    with realtime.tick(outputs=["motor"]) as first:
        with pytest.raises(tactus.LeaseHeld):
            realtime.tick()
        # One that only listens drives nothing.
        with realtime.tick(inputs=[], outputs=["motor"]) as listener:
            listener.receive()
        first.receive()
    with realtime.tick(outputs=["motor"]) as second:
        second.receive()


def test_deleting_a_session_ends_its_streams_with_an_error(client):
    session = client.create_session("motor_four_bar", clock="lockstep")
    with session.tick() as stream:
        stream.step()
        session.delete()
        with pytest.raises(tactus.SessionDeleted):
            for _ in stream:
                pass
    with pytest.raises(tactus.SessionUnknown):
        session.status()


def test_an_input_to_a_paused_session_is_refused_and_the_stream_stays_open(lockstep):
    with lockstep.tick() as stream:
        stream.step()
        lockstep.pause()
        with pytest.raises(tactus.SessionStateError) as caught:
            stream.step()
        assert caught.value.code == "FAILED_PRECONDITION"
        lockstep.start()
        assert stream.step().tick == 2


def test_a_failed_step_is_a_fault_and_keeps_the_last_good_state(client):
    with client.create_session("motor_four_bar", clock="lockstep") as good:
        with good.tick(outputs=["energy.total"]) as stream:
            stream.step({"motor": 1.0})
            before = good.state_hash
    description = client.model("motor_four_bar")
    description["name"] = "overdriven"
    for limit in ("minimum", "maximum"):
        del description["actuators"][0][limit]
    with client.create_session(description, clock="lockstep") as session:
        with session.tick(outputs=["energy.total"]) as stream:
            stream.step({"motor": 1.0})
            assert session.state_hash == before
            with pytest.raises(tactus.SessionFaulted):
                stream.step({"motor": 1e308})
            assert (session.state, session.state_hash) == ("FAULTED", before)
            assert session.status().fault
            with pytest.raises(tactus.SessionStateError):
                stream.step({"motor": 1.0})
            # A reset lets the same stream go on.
            session.reset()
            assert stream.step({"motor": 1.0}).tick == 1
            assert session.state_hash == before


def test_a_running_session_cannot_be_stepped(realtime):
    with pytest.raises(tactus.SessionStateError):
        realtime.step(1)


def test_a_request_beyond_a_limit_is_refused(lockstep):
    with pytest.raises(tactus.TactusError) as caught:
        lockstep.step(2_000_000)
    assert caught.value.reason in ("LIMIT_EXCEEDED", "REQUEST_INVALID")
    assert lockstep.status().tick == 0


def test_a_call_past_its_deadline_raises_its_own_error(client, lockstep):
    with pytest.raises(tactus.DeadlineExceeded):
        lockstep.step(1_000_000, timeout=0.05)
    assert client.info().version


def test_a_session_that_ends_with_its_server_is_deleted_without_an_error(own_server):
    with tactus.connect(own_server.address) as client:
        frames = 0
        with client.create_session("motor_four_bar") as session:
            session.start()
            with session.tick() as stream:
                for _ in stream:
                    frames += 1
                    if frames == 20:
                        own_server.process.send_signal(signal.SIGTERM)
        assert frames >= 20
        assert own_server.process.wait(timeout=60) == 0


def test_a_session_whose_deletion_is_cut_off_is_deleted_again(client, monkeypatch):
    answers = [tactus.TactusError("cut off", "CANCELLED"), tactus.Unreachable("gone", "UNAVAILABLE")]
    with client.create_session("motor_four_bar") as session:
        name, delete = session.name, session.delete

        def answer():
            raise answers.pop(0)

        monkeypatch.setattr(session, "delete", answer)
    assert answers == []
    delete()
    assert name not in [listed.name for listed in client.sessions()]


def test_a_stream_ends_when_the_server_drains(own_server):
    with tactus.connect(own_server.address) as client:
        session = client.session("main")
        with session.observe() as observation, session.tick() as stream, session.tick(inputs=[]) as listener:
            observation.receive()
            own_server.process.send_signal(signal.SIGTERM)
            for reader in (stream, listener, observation):
                for _ in reader:
                    pass
                assert reader.receive() is None
        assert own_server.process.wait(timeout=60) == 0
        with pytest.raises((tactus.Unreachable, tactus.Draining)):
            client.info()


def test_a_server_that_is_killed_is_unreachable(own_server):
    with tactus.connect(own_server.address) as client:
        with pytest.raises(tactus.Unreachable):
            with client.session("main").observe() as observation:
                observation.receive()
                own_server.kill()
                for _ in observation:
                    pass


@pytest.mark.parametrize("arguments, text", [
    ({"model": 5}, "model=5 is of type int"), ({"threads": "2"}, "threads='2' is of type str; give a whole number"),
    ({"threads": 2.0}, "threads=2.0"), ({"stop_tick": True}, "stop_tick=True"), ({"name": None}, "name=None"),
    ({"parameters": {"rocker_mass": "1"}}, r"parameters\['rocker_mass'\]='1' is of type str; give a number"),
    ({"parameters": [1.0]}, "parameters=.*a mapping of names to numbers"), ({"solver": {3: 1.0}}, "a name of solver=3"),
    ({"period": 1}, '1 has no unit; write "1ms"'), ({"participant_timeout": 10}, '"10ms", or 10.0 for seconds'),
    ({"cpus": 0}, "cpus=0 is of type int; give a list"), ({"scripted_inputs": [3]}, "pairs of a tick and the values"),
    ({"initial": 3}, "initial=3 is of type int"), ({"participants": [1]}, "an entry of participants=1"),
])
def test_an_argument_of_a_wrong_type_is_named_before_anything_is_sent(client, arguments, text):
    before = len(client.sessions())
    with pytest.raises(TypeError, match=text):
        client.create_session(**{"model": "motor_four_bar"} | arguments)
    assert len(client.sessions()) == before


def test_a_rule_for_absent_participants_needs_its_timeout(client):
    with pytest.raises(ValueError, match="no effect without participant_timeout"):
        client.create_session("motor_four_bar", clock="lockstep", participants=["a"], participant_rule="pause")


def test_wrong_types_of_inputs_names_and_durations_are_errors_that_name_them(client, lockstep):
    with lockstep.tick(inputs=["motor"]) as stream:
        for values, text in (({"motor": "1"}, "input 'motor'='1'"), ("1", "values='1' is of type str"),
                             (["1"], "values has values of type str")):
            with pytest.raises(TypeError, match=text):
                stream.step(values)
        assert stream.step({"motor": np.float32(1.0)}).tick == 1
    for call in (lambda: lockstep.step(2.0), lambda: lockstep.run(2.5), lambda: lockstep.tick(inputs=[1]),
                 lambda: lockstep.observe(3), lambda: lockstep.set_parameters(rocker_mass="2"),
                 lambda: lockstep.run(5, outputs=[1]), lambda: lockstep.restore_snapshot("text"),
                 lambda: tactus.connect(client.address, timeout=True), lambda: lockstep.run(5, timeout=[5]),
                 lambda: lockstep.run(5, inputs={"motor": "1"}), lambda: lockstep.run(True)):
        with pytest.raises(TypeError, match="of type|has no unit"):
            call()


def test_the_nearest_name_is_told_once_as_a_question(client):
    with client.create_session("motor_four_bar", clock="lockstep") as session:
        for call, text in ((lambda: session.run(1, inputs={"moter": 1.0}), 'SIGNAL_UNKNOWN: "moter" is not an actuator of model '
                            '"motor_four_bar" (field inputs[0]); did you mean "motor"?'),
                           (lambda: session.read("crank_angel"), "SIGNAL_UNKNOWN: signal 'crank_angel' is not known; did you mean "
                            "'crank_angle'? (field patterns)")):
            with pytest.raises(tactus.SignalUnknown) as caught:
                call()
            assert str(caught.value) == text
            assert caught.value.hint in ("motor", "crank_angle")  # for programs: the name alone


def test_calls_of_a_notebook_that_cannot_work_say_what_does(client, address):
    with client.create_session("motor_four_bar", clock="lockstep") as session:
        assert session["crank_rate"] == session.read("crank_rate")["crank_rate"]
        assert "crank_rate" in session and not any(name in session for name in ("crank_ratio", "crank_*", "*", 0, None))
        with pytest.raises(ValueError, match=r"names [0-9]+ signals; use read"):
            session["crank.*"]
        with pytest.raises(TypeError, match="session.tick"):
            session.run(10, inputs=lambda now: {"motor": 0.0})
        with session.tick(inputs=["motor"]) as stream:
            with pytest.raises(KeyError, match="which has motor"):
                stream.step({"moter": 1.0})
    own = tactus.connect(address)
    assert repr(own) == f"<Client of {address}>"
    own.close()
    with pytest.raises(ValueError, match="call connect again"):
        own.models()


@needs_native
def test_findings_on_a_model_that_was_built_have_no_line(client):
    model = tactus.build.Model("wrong")
    model.body("ball", mass=-1, inertia=[1, 1, 1])
    with pytest.raises(tactus.ModelInvalid) as caught:
        client.load_model(model)
    assert [finding.line for finding in caught.value.findings] == [0] * len(caught.value.findings)
