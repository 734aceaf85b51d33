"""Files that the version before wrote are still read: recordings replay and export, a snapshot restores.

The same bits are promised for one binary only. A model whose step has not changed since keeps them.
"""

import gzip
import json
import pathlib
import subprocess

from conftest import BUILD

import tactus

FILES = pathlib.Path(__file__).parent / "previous_version"


def run(*arguments):
    return subprocess.run([BUILD / "tactus", *map(str, arguments)], capture_output=True, text=True)


def report(*arguments):
    """What ``tactus`` prints as JSON, for a command that must succeed."""
    done = run(*arguments, "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout)


def unpacked(name, folder):
    path = folder / name
    path.write_bytes(gzip.decompress((FILES / f"{name}.gz").read_bytes()))
    return path


def test_a_recording_of_a_driven_four_bar_replays_with_its_state_hash(tmp_path):
    # Rigid joints: 1 000 ticks with a sine on the motor; the hash was printed by the program that recorded them.
    replayed = report("replay", "--force", unpacked("motor_four_bar.mcap", tmp_path))
    assert replayed["identical"] and replayed["ticks"] == 1001
    assert replayed["state_hash"] == "1e3a78848b2f9172"


def test_a_recording_of_a_driven_sedan_is_read_to_its_end(tmp_path):
    recording, table = unpacked("sedan.mcap", tmp_path), tmp_path / "sedan.csv"
    done = run("export", recording, "--out", table)
    assert done.returncode == 0, done.stderr
    rows = table.read_text().splitlines()[1:]
    assert len(rows) == 55 and rows[-1].startswith("1.08")  # signals of each 20th tick, up to tick 1 080


def test_a_replay_of_a_sedan_whose_step_has_changed_since_names_the_builds_and_the_first_other_tick(tmp_path):
    # The velocities of its bushings are filtered since; without --force the replay is refused.
    recording = unpacked("sedan.mcap", tmp_path)
    refused = run("replay", recording)
    assert refused.returncode == 2 and "was recorded by another binary" in refused.stderr
    done = run("replay", "--force", recording, "--json")
    assert done.returncode == 1, done.stderr
    replayed = json.loads(done.stdout)
    assert not replayed["identical"] and replayed["difference"]["tick"] == 1


def test_a_snapshot_restores_into_a_session_of_its_model(address, client):
    path = FILES / "motor_four_bar.snapshot"
    saved = report("snapshot", "show", str(path))
    with client.create_session("motor_four_bar", clock="lockstep", period="1ms") as session:
        report("snapshot", "restore", "--force", str(path), "--server", address, "--session", session.name)
        assert session.state_hash == saved["state_hash"]
