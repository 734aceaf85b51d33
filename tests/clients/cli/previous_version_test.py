"""Files that the version before wrote are still read: a recording replays bit for bit, a snapshot restores."""

import gzip
import json
import pathlib
import subprocess

from conftest import BUILD

import tactus

FILES = pathlib.Path(__file__).parent / "previous_version"


def report(*arguments):
    """What ``tactus`` prints as JSON, for a command that must succeed."""
    done = subprocess.run([BUILD / "tactus", *arguments, "--json"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout)


def test_a_recording_of_a_driven_sedan_replays_with_its_state_hash(tmp_path):
    recording = tmp_path / "sedan.mcap"
    recording.write_bytes(gzip.decompress((FILES / "sedan.mcap.gz").read_bytes()))
    replayed = report("replay", "--force", str(recording))
    # 1 082 ticks with the inputs of the driver example; the hash was printed by the program that recorded them.
    assert replayed["state_hash"] == "425378870a74f651"


def test_a_snapshot_restores_into_a_session_of_its_model(address, client):
    path = FILES / "motor_four_bar.snapshot"
    saved = report("snapshot", "show", str(path))
    with client.create_session("motor_four_bar", clock="lockstep", period="1ms") as session:
        report("snapshot", "restore", "--force", str(path), "--server", address, "--session", session.name)
        assert session.state_hash == saved["state_hash"]
