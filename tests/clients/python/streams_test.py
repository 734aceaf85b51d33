"""Streams in real time. Assertions are on ticks, sequence numbers and counts, never on a time."""
# Covers: clients/python/tactus/stream.py, clients/python/tactus/observation.py, clients/python/examples/drive.py
# Covers: clients/python/examples/plotting.py

import os
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest

import tactus
from conftest import SOURCE

sys.path.insert(0, str(SOURCE / "clients/python/examples"))
import drive  # noqa: E402

WINDOW = 8


def assert_counts_exactly(frames, every=1):
    """Every frame that was due was delivered or counted as missed."""
    first = frames[0]
    for frame in frames:
        due = (frame.tick - first.tick) // every + 1
        assert frame.sequence + frame.missed == due + first.missed
        assert frame.tick >= first.tick + every * (frame.sequence - 1)


def wait_for_tick(session, tick):
    """Lets a session run to a tick; returns the tick seen."""
    while True:
        now = session.status().tick
        if now >= tick:
            return now


def test_each_frame_names_the_input_that_it_used(realtime):
    with realtime.tick(inputs=["motor"], outputs=["motor"]) as stream:
        sent = {0: realtime.read("motor")["motor"]}
        frames = []
        for frame in stream:
            assert frame["motor"] == sent[frame.input_sequence]
            frames.append(frame)
            if frame.input_sequence >= 100:
                break
            value = 1e-3 * frame.tick
            sent[stream.send({"motor": value})] = value
        assert_counts_exactly(frames)


def test_a_stream_without_inputs_acknowledges_frames_by_itself(realtime):
    with realtime.tick(inputs=[], outputs=["energy.total"], credit_window=WINDOW) as stream:
        frames = [stream.receive() for _ in range(20 * WINDOW)]
    assert [frame.sequence for frame in frames] == list(range(1, 20 * WINDOW + 1))
    assert_counts_exactly(frames)


def test_a_queue_delivers_every_tick_in_order(realtime):
    with realtime.observe(["energy.total"], delivery="queue", queue_depth=4096) as observation:
        frames = [observation.receive() for _ in range(500)]
    assert [frame.tick - frames[0].tick for frame in frames] == list(range(500))
    assert frames[-1].missed == 0


def test_every_nth_tick_is_delivered(realtime):
    with realtime.observe(["energy.total"], every=10, delivery="queue") as observation:
        frames = [observation.receive() for _ in range(30)]
    assert [frame.tick - frames[0].tick for frame in frames] == list(range(0, 300, 10))


@pytest.mark.parametrize("kind", ["observe", "tick"])
def test_a_stalled_reader_gets_a_fresh_frame_after_its_window(realtime, kind):
    if kind == "observe":
        opened = realtime.observe(["energy.total"], credit_window=WINDOW)
    else:
        opened = realtime.tick(inputs=[], outputs=["energy.total"], credit_window=WINDOW)
    with opened as stream:
        frames = [stream.receive()]
        woken = wait_for_tick(realtime, frames[0].tick + 500)
        while len(frames) < 1 + 4 * WINDOW:
            frames.append(stream.receive())

    # What was on its way when the reader stalled is old; nothing else is.
    stale = [frame for frame in frames[1:] if frame.tick < woken - (WINDOW + 1)]
    assert len(stale) <= WINDOW
    assert stale == frames[1 : 1 + len(stale)]
    fresh = frames[1 + len(stale)]
    assert tactus.Flag.FRAMES_MISSED in fresh.flags
    assert fresh.missed >= 500 - 2 * WINDOW
    assert_counts_exactly(frames)


def test_a_stalled_queue_drops_the_oldest_frames_and_counts_them(realtime):
    with realtime.observe(["energy.total"], delivery="queue", queue_depth=32, credit_window=WINDOW) as observation:
        frames = [observation.receive()]
        wait_for_tick(realtime, frames[0].tick + 500)
        frames += [observation.receive() for _ in range(100)]
    assert frames[-1].missed > 0
    assert_counts_exactly(frames)


def test_a_step_in_real_time_ends_however_long_the_frames_were_not_read(client):
    with client.create_session("motor_four_bar", clock="real-time", period="1ms", miss_limit=0) as session:
        session.start()
        with session.tick(inputs=["motor"], outputs=["motor"], credit_window=WINDOW) as stream:
            for _ in range(5):
                # A step that waits for ever would end by this only: far longer than a step and the frames before it take.
                rescue = threading.Timer(30, stream.cancel)
                rescue.start()
                for k in range(10):
                    frame = stream.step({"motor": 0.01 * k})
                    assert frame["motor"] == 0.01 * k
                rescue.cancel()
                wait_for_tick(session, frame.tick + 10 * WINDOW)


def test_cancel_from_another_thread_wakes_a_reader(lockstep):
    with lockstep.observe(["energy.total"]) as observation:
        waker = threading.Thread(target=observation.cancel)
        waker.start()
        assert all(frame.tick == 0 for frame in observation)
        waker.join()


def test_two_streams_of_one_client_do_not_disturb_each_other(realtime):
    with realtime.observe(["energy.total"], delivery="queue", queue_depth=4096) as reader:
        with realtime.observe(["*"]) as stalled:
            stalled.receive()
            frames = [reader.receive() for _ in range(300)]
    assert [frame.tick - frames[0].tick for frame in frames] == list(range(300))


BETWEEN_FRAMES = """
import sys, tactus
with tactus.connect(sys.argv[1]) as client, client.create_session("motor_four_bar") as session:
    session.start()
    with session.tick() as stream:
        said = False  # a frame may be left out, so no single number can be waited for
        for frame in stream:
            stream.send({"motor": 0.0})
            if frame.input_sequence >= 20 and not said:
                print(session.name, flush=True)
                said = True
"""

WAITING_FOR_A_FRAME = """
import sys, tactus
with tactus.connect(sys.argv[1]) as client, client.create_session("motor_four_bar", clock="lockstep") as session:
    with session.tick() as stream:
        print(session.name, flush=True)
        stream.receive()
"""


@pytest.mark.parametrize("program", [BETWEEN_FRAMES, WAITING_FOR_A_FRAME])
def test_interrupting_a_program_ends_its_streams_and_its_session(client, address, program):
    before = {session.name for session in client.sessions()}
    process = subprocess.Popen(
        [sys.executable, "-c", program, address], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    name = process.stdout.readline().strip()
    assert name in {session.name for session in client.sessions()} - before
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert "KeyboardInterrupt" in errors
    assert name not in {session.name for session in client.sessions()}


def test_the_driving_example_writes_a_plot_and_a_table(address, realtime, tmp_path):
    picture, table = tmp_path / "drive.png", tmp_path / "drive.csv"
    command = [sys.executable, SOURCE / "clients/python/examples/drive.py", "--server", address]
    command += ["--session", realtime.name, "--duration", "1s", "--plot", picture, "--csv", table]
    output = subprocess.run(command, check=True, capture_output=True, text=True, env=os.environ).stdout
    assert "input -> frame" in output
    assert picture.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert table.read_text().startswith("t,")


def test_the_driving_example_reads_the_signals_that_it_plots(address, realtime, tmp_path):
    picture, table = tmp_path / "drive.png", tmp_path / "drive.csv"
    command = [sys.executable, SOURCE / "clients/python/examples/drive.py", "--server", address, "--csv", table]
    command += ["--session", realtime.name, "--duration", "500ms", "--plot", picture, "--outputs", "energy.total"]
    subprocess.run(command, check=True, capture_output=True, env=os.environ)
    assert picture.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    first, second, *more = table.read_text().splitlines()[0].split(",")[1:]
    assert (first, second, len(more)) == ("energy.total", "motor", 1)
    assert more[0].endswith(".angle")


def test_a_drive_counts_the_frames_missed_since_its_first_recorded_frame(capsys):
    data = {"tick": np.array([1984, 1985, 1989]), "missed": np.array([8, 8, 11]), "input_age": np.array([0, 1, 0])}
    drive.report(data, np.array([]))
    assert "ticks 1984 to 1989, frames received 3, missed 3\n" in capsys.readouterr().out


def test_a_stream_ends_after_ctrl_c_also_if_grpc_has_lost_its_place(lockstep):
    # Debian's grpcio: where an interrupt falls between two lines of its `_next`, it forgets that it reads, or keeps a lock.
    class Silent:
        def __next__(self):
            threading.Event().wait()

    with pytest.raises(KeyboardInterrupt):
        with lockstep.tick(inputs=["motor"]) as stream:
            stream.step([0.1])
            call, stream._call = stream._call, Silent()
            raise KeyboardInterrupt
    call.cancel()
    assert stream.receive() is None


INTERRUPTED = """
import os, signal, sys, threading, tactus
with tactus.connect(sys.argv[1]) as client, client.create_session("motor_four_bar") as session:
    with session.tick(inputs=["motor"]) as stream:
        session.start()
        frames = 0
        try:
            for frame in stream:
                frames += 1
                stream.send({"motor": 0.1})
                if frames == 50:
                    threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)).start()
        except KeyboardInterrupt:
            pass
    print("closed", session.status().input_mode)
"""


def test_a_program_may_catch_ctrl_c_within_the_block_of_a_stream(own_server):
    for _ in range(3):  # where the interrupt falls within gRPC is chance
        done = subprocess.run([sys.executable, "-c", INTERRUPTED, own_server.address], capture_output=True, text=True, timeout=60)
        assert (done.returncode, done.stdout.split()[:1]) == (0, ["closed"]), done.stderr


@pytest.mark.parametrize("hidden", [True, False])
def test_an_error_of_a_lock_in_place_of_ctrl_c_is_ctrl_c(lockstep, hidden):
    class Interrupted:
        def __next__(self):
            try:
                raise KeyboardInterrupt if hidden else ValueError
            finally:
                raise RuntimeError("cannot release un-acquired lock")

    stream = lockstep.tick(inputs=["motor"])
    call, stream._call = stream._call, Interrupted()
    with pytest.raises(KeyboardInterrupt if hidden else RuntimeError):
        stream.receive()
    stream._call = call
    stream.close()
