"""Recordings and snapshots with the real program: killed servers, full disks, replay, diff and export."""
# Covers: clients/cli/recording.cpp, clients/cli/snapshot.cpp, server/cli/recordings.cpp
# Covers: server/record/file_sink.cpp, server/cli/run.cpp, server/record/offline_recording.cpp

import contextlib
import fcntl
import json
import math
import os
import random
import struct
import subprocess
import zlib

import pytest

from conftest import BUILD, Server

import tactus

# The slow test has TACTUS_KILLS=200.
KILLS = int(os.environ.get("TACTUS_KILLS", "5"))
SEED = 20181

# 2 kg without weight, with a force that has no limits.
PUCK = """{"name": "puck", "gravity": [0, 0, 0],
  "bodies": [{"name": "body", "mass": 2, "inertia": {"xx": 1, "yy": 1, "zz": 1}}],
  "actuators": [{"name": "push", "body_force": {"body": "body", "direction": [1, 0, 0]}}]}"""


def program(*arguments):
    return subprocess.run([BUILD / "tactus", *arguments], capture_output=True, text=True)


def replay(path):
    """Exit status and report of ``tactus replay``."""
    done = program("replay", str(path), "--json")
    assert done.stdout, done.stderr
    return done.returncode, json.loads(done.stdout)


def await_tick(session, tick):
    with session.observe(["crank_angle"]) as frames:
        for frame in frames:
            if frame.tick >= tick:
                return frame.tick


def drive_and_kill(server, dice):
    """Sends an input at every frame up to a tick that the dice choose, and kills the server there. Returns the tick."""
    last = dice.randrange(100, 900)
    tick = 0
    with contextlib.suppress(tactus.Unreachable), tactus.connect(server.address) as client:
        with client.session("main").tick(inputs=["motor"], outputs=["crank_angle"]) as stream:
            for frame in stream:
                stream.send({"motor": dice.uniform(-1.0, 1.0)})
                tick = frame.tick
                if tick >= last:
                    break
            server.kill()
    return tick


def test_a_killed_server_leaves_recordings_that_open_and_replay(tmp_path):
    dice = random.Random(SEED)
    path = tmp_path / "killed.mcap"
    record = ["motor_four_bar", "--record", str(path), "--record-signals", "crank.*"]
    unwritten = []
    for _ in range(KILLS):
        with Server(f"unix:{tmp_path}/s.sock", *record) as server:
            tick = drive_and_kill(server, dice)
        assert tick >= 100
        status, report = replay(path)
        assert status == 0, report
        assert report["identical"]
        assert not report["complete"]
        assert report["missing"] == 0
        unwritten.append(tick - report["last_tick"])
    print(f"{KILLS} kills, seed {SEED}: at most {max(unwritten)} ticks of 1 ms were not yet written")


def test_a_recording_of_a_server_that_ends_in_order_is_complete(tmp_path):
    path = tmp_path / "whole.mcap"
    with Server(f"unix:{tmp_path}/s.sock", "motor_four_bar", "--record", str(path)) as server:
        with tactus.connect(server.address) as client:
            await_tick(client.session("main"), 50)
        assert server.stop() == 0
    status, report = replay(path)
    assert status == 0
    assert report["complete"] and report["identical"]

    # Without the values of a signal it can be computed; an unknown one is an error.
    table = tmp_path / "table.csv"
    done = program("export", str(path), "--out", str(table), "--signals", "crank_angle,motor", "--every", "10")
    assert done.returncode == 0, done.stderr
    lines = table.read_text().splitlines()
    assert lines[0] == "t,crank_angle,motor"
    assert len(lines) == 2 + report["last_tick"] // 10
    assert program("export", str(path), "--out", str(table), "--signals", "crank_angel").returncode == 2


def test_a_disk_that_takes_nothing_is_in_the_list_of_recordings_while_they_run(tmp_path):
    # A pipe that nobody reads; it is open already, so that the server does not wait for a reader.
    path = tmp_path / "stuck.mcap"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDWR | os.O_NONBLOCK)
    try:
        fcntl.fcntl(reader, fcntl.F_SETPIPE_SZ, 1 << 20)  # the front of the file fits
        arguments = ["motor_four_bar", "--clock", "free-run", "--record", str(path)]
        with Server(f"unix:{tmp_path}/s.sock", *arguments) as server, tactus.connect(server.address) as client:
            recording = client.recordings()[0]
            while "taken nothing" not in recording.warning:
                recording = client.recordings()[0]
            assert recording.running and recording.warning_tick > 0 and recording.error == ""
            # The newest warning replaces the one before: of the disk, or of ticks that memory no longer holds.
            listed = json.loads(program("recording", "list", "--server", server.address, "--json").stdout)["recordings"][0]
            assert listed["running"] and listed["warning"] and listed["warning_tick"] >= recording.warning_tick
            assert "stuck: warning at tick " in program("recording", "list", "--server", server.address).stdout
    finally:
        os.close(reader)


def test_an_offline_run_is_recorded_replayed_and_compared(tmp_path):
    paths = [tmp_path / "a.mcap", tmp_path / "b.mcap"]
    inputs = tmp_path / "inputs.csv"
    for path, torque in zip(paths, (0.5, 0.5000000000000001)):
        inputs.write_text(f"t,motor\n0,0\n0.02,{torque!r}\n")
        run = ["run", "motor_four_bar", "--until", "50ms", "--inputs", str(inputs), "--signals", "crank*"]
        done = program(*run, "--out", str(path), "--json")
        assert done.returncode == 0, done.stderr
        status, report = replay(path)
        assert status == 0
        assert report["state_hash"] == json.loads(done.stdout)["state_hash"]

    same = program("diff", str(paths[0]), str(paths[0]))
    assert same.returncode == 0
    assert "identical" in same.stdout
    other = program("diff", *map(str, paths), "--json")
    assert other.returncode == 1
    difference = json.loads(other.stdout)["difference"]
    assert difference == {"tick": 20, "signal": "motor", "a": 0.5, "b": 0.5000000000000001, "ulps": 1}

    # A file that is cut is named, with and without a difference.
    cut = tmp_path / "cut.mcap"
    cut.write_bytes(paths[0].read_bytes()[:-100])
    for path in paths:
        assert f"{cut} " in program("diff", str(cut), str(path)).stdout
    note = json.loads(program("diff", str(cut), str(paths[0]), "--json").stdout)
    assert note["problem_a"] and note["problem_b"] == "" and note["difference"] is None

    # Runs of two models are not compared unless the user insists.
    chain = tmp_path / "chain.mcap"
    assert program("run", "chain:n=2", "--until", "50ms", "--out", str(chain)).returncode == 0
    refused = program("diff", str(paths[0]), str(chain))
    assert refused.returncode == 2 and refused.stdout == ""
    assert "different models" in refused.stderr and "--force" in refused.stderr
    forced = program("diff", str(paths[0]), str(chain), "--force")
    assert forced.returncode == 1 and "the models differ" in forced.stdout

    # The exported inputs make the same run.
    exported = tmp_path / "exported.csv"
    assert program("export", str(paths[1]), "--out", str(exported), "--inputs").returncode == 0
    again = program("run", "motor_four_bar", "--until", "50ms", "--inputs", str(exported), "--json")
    assert json.loads(again.stdout)["state_hash"] == json.loads(done.stdout)["state_hash"]


def test_a_refused_run_leaves_the_recording_that_was_there(tmp_path):
    path = tmp_path / "keep.mcap"
    run = ["run", "motor_four_bar", "--until", "20ms", "--out", str(path)]
    assert program(*run, "--initial", "nonsense").returncode == 2
    assert not path.exists()
    assert program(*run).returncode == 0
    before = path.read_bytes()
    assert program(*run, "--initial", "nonsense").returncode == 2
    assert path.read_bytes() == before


def test_the_recording_of_an_offline_run_holds_the_step_that_failed(tmp_path):
    model = tmp_path / "puck.json"
    model.write_text(PUCK)
    inputs = tmp_path / "inputs.csv"
    inputs.write_text("t,push\n0,0\n0.05,1e308\n")  # N; an acceleration whose square is infinite
    path = tmp_path / "failed.mcap"
    run = ["run", str(model), "--until", "100ms", "--inputs", str(inputs), "--out", str(path), "--json"]
    done = program(*run)
    assert done.returncode == 4, done.stderr
    last = json.loads(done.stdout)["steps"]
    status, report = replay(path)
    assert status == 0
    assert report["identical"] and report["complete"]
    assert report["last_tick"] == last
    assert report["ticks"] == last + 2  # the state before the first tick, and the step that failed

    # A run that went on for as long is not the same.
    inputs.write_text("t,push\n0,0\n")
    well = tmp_path / "well.mcap"
    run[run.index(str(path))] = str(well)
    assert program(*run).returncode == 0
    differing = program("diff", str(path), str(well), "--json")
    assert differing.returncode == 1
    assert json.loads(differing.stdout)["difference"]["tick"] == last + 1


def test_files_that_are_not_recordings_are_refused(tmp_path):
    text = tmp_path / "text.mcap"
    text.write_text("not a recording")
    for arguments in (["replay", text], ["diff", text, text], ["export", text, "--out", tmp_path / "x.csv"]):
        refused = program(*map(str, arguments))
        assert refused.returncode == 2
        assert "text.mcap" in refused.stderr
    assert program("replay", str(tmp_path / "missing.mcap")).returncode == 2


def with_other_flags(data):
    """A recording of one block as if a binary with other compiler flags had made it, cut behind its block."""
    position = 8
    while data[position] != 0x06:
        position += 9 + struct.unpack_from("<Q", data, position + 1)[0]
    end = position + 9 + struct.unpack_from("<Q", data, position + 1)[0]
    crc = position + 9 + 24
    block = data[position + 9 + 40 : end]
    at = block.index(b"-O")
    block = block[:at] + b"-o" + block[at + 2 :]
    return data[:crc] + struct.pack("<I", zlib.crc32(block)) + data[crc + 4 : position + 9 + 40] + block


def test_the_recording_of_another_binary_is_refused_unless_forced(tmp_path):
    path = tmp_path / "a.mcap"
    assert program("run", "motor_four_bar", "--until", "20ms", "--out", str(path)).returncode == 0
    path.write_bytes(with_other_flags(path.read_bytes()))
    refused = program("replay", str(path))
    assert refused.returncode == 2
    assert "--force" in refused.stderr
    assert program("replay", str(path), "--force").returncode == 0


def serve_on_small_disk(tmp_path, *arguments, before="true"):
    """Records 4 000 ticks on a tmpfs of 256 KiB, which hold some 1 000, in a namespace of its own: the rest of the machine
    does not see it."""
    folder = tmp_path / "small"
    folder.mkdir()
    script = f"""mount -t tmpfs -o size=256k none {folder} || exit 77
        {before}
        {BUILD}/tactus serve motor_four_bar --priority 0 --clock free-run --duration 4s \\
            --listen unix:{tmp_path}/s.sock --record {folder}/full.mcap {" ".join(arguments)} > {tmp_path}/serve.txt 2>&1
        echo "status $?" >> {tmp_path}/serve.txt
        ls {folder} > {tmp_path}/left.txt
        cp {folder}/full.mcap {tmp_path}"""
    done = subprocess.run(["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script], capture_output=True)
    if done.returncode != 0 and not (tmp_path / "serve.txt").exists():
        pytest.skip("no private mount namespace here: " + done.stderr.decode().strip())
    return (tmp_path / "serve.txt").read_text()


def test_a_full_disk_delays_no_tick_and_is_one_line_of_the_log(tmp_path):
    served = serve_on_small_disk(tmp_path, "--disk-reserve", "0")
    assert "status 0" in served
    assert served.count("it has ended early: No space left on device") == 1
    assert "incomplete from tick" in served
    _, report = replay(tmp_path / "full.mcap")
    assert report["identical"] and not report["complete"]
    assert f"incomplete from tick {report['last_tick'] + 1};" in served
    # The file tells it, too, whoever reads it.
    assert "has ended early: No space left on device" in program("replay", str(tmp_path / "full.mcap")).stdout
    recording = tactus.read_recording(tmp_path / "full.mcap")
    assert "ended early: No space left on device" in recording.damage
    assert recording.ticks["tick"][-1] == report["last_tick"]


def test_no_server_starts_to_record_where_the_reserve_is_not_free(tmp_path):
    served = serve_on_small_disk(tmp_path)
    assert "full.mcap: the reserve of 1073741824 bytes is reached" in served
    assert "status 2" in served
    assert (tmp_path / "left.txt").read_text() == ""


def test_a_refused_recording_leaves_the_file_that_was_there(tmp_path):
    served = serve_on_small_disk(tmp_path, before=f"echo before > {tmp_path}/small/full.mcap")
    assert "status 2" in served
    assert (tmp_path / "full.mcap").read_text() == "before\n"


def test_snapshots_are_saved_to_files_and_restored_from_them(tmp_path, client, lockstep):
    path = str(tmp_path / "a.snapshot")
    lockstep.step(30)
    shell = ["--server", client.address, "--session", lockstep.name]
    saved = program("snapshot", "save", path, *shell, "--json")
    assert saved.returncode == 0, saved.stderr
    assert json.loads(saved.stdout)["tick"] == 30
    assert json.loads(program("snapshot", "show", path, "--json").stdout) == json.loads(saved.stdout)
    assert os.stat(path).st_mode & 0o777 == 0o600  # it holds the model
    lockstep.step(70)
    expected = lockstep.state_hash
    restored = program("snapshot", "restore", path, *shell)
    assert restored.returncode == 0, restored.stderr
    assert lockstep.state == "PAUSED"
    lockstep.step(70)
    assert lockstep.state_hash == expected

    # From Python, as message or as bytes.
    snapshot = lockstep.save_snapshot()
    lockstep.step(5)
    lockstep.restore_snapshot(snapshot.SerializeToString())
    assert lockstep.state_hash == expected
    with client.create_session("four_bar", clock="lockstep") as other:
        with pytest.raises(tactus.SnapshotIncompatible, match="model_hash"):
            other.restore_snapshot(snapshot)
        refused = program("snapshot", "restore", path, "--server", client.address, "--session", other.name)
        assert refused.returncode == 2
    text = tmp_path / "text"
    text.write_text("not a snapshot")
    assert program("snapshot", "restore", str(text), *shell).returncode == 2
    assert program("snapshot", "show", str(tmp_path / "missing")).returncode == 2


def test_a_snapshot_with_one_changed_byte_is_not_shown(tmp_path, client, lockstep):
    path, damaged = tmp_path / "a.snapshot", tmp_path / "damaged.snapshot"
    lockstep.step(20)
    program("snapshot", "save", str(path), "--server", client.address, "--session", lockstep.name)
    whole = path.read_bytes()
    saved = lockstep.save_snapshot()
    for place in (saved.model_hash.encode(), struct.pack("<d", max(saved.state)), struct.pack("<Q", saved.state_hash)):
        at = whole.index(place)
        damaged.write_bytes(whole[:at] + bytes([whole[at] ^ 0x10]) + whole[at + 1:])
        shown = program("snapshot", "show", str(damaged))
        assert (shown.returncode, shown.stdout) == (2, "")
        assert f"{damaged}: snapshot checksum mismatch: the file is damaged or was edited" in shown.stderr
    saved.state[0] = math.inf
    damaged.write_bytes(saved.SerializeToString())
    assert "snapshot.state[0] is not finite" in program("snapshot", "show", str(damaged)).stderr


def test_recordings_begin_and_end_from_shell_and_python(tmp_path):
    with Server(f"unix:{tmp_path}/s.sock", "motor_four_bar", "--clock", "lockstep", "--recordings", str(tmp_path / "r")) as server:
        started = program("recording", "start", "shell", "--server", server.address, "--signals", "crank.*", "--json")
        assert started.returncode == 0, started.stderr
        refused = program("recording", "start", "none", "--server", server.address, "--every", "0")
        assert refused.returncode == 2 and "--every" in refused.stderr
        second = program("recording", "start", "--server", server.address, "--signals", "crank.*", "energy.total")
        assert second.returncode == 2
        assert "'energy.total' is a signal of the session, and would be the name of the recording" in second.stderr
        assert "several signals are given as --signals crank.*,energy.total; a name goes before --signals" in second.stderr
        with tactus.connect(server.address) as client:
            session = client.session("main")
            other = session.record("energy.total", name="python", every=3)
            session.step(40)
            assert {recording.name for recording in client.recordings()} == {"shell", "python"}
            assert client.stop_recording(other.name).ticks == 41
            with pytest.raises(tactus.RecordingExists):
                session.record(name="python")
            with pytest.raises(tactus.RecordingUnknown):
                client.stop_recording("nobody")
        stopped = program("recording", "stop", "shell", "--server", server.address, "--json")
        assert stopped.returncode == 0
        assert json.loads(stopped.stdout)["ticks"] == 41
        assert "shell" in program("recording", "list", "--server", server.address).stdout
        assert program("recording", "stop", "nobody", "--server", server.address).returncode == 2
    for name in ("shell", "python"):
        status, report = replay(tmp_path / "r" / f"{name}.mcap")
        assert status == 0 and report["complete"]
