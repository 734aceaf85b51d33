"""Files that the version before wrote are still read: recordings replay and export, a snapshot restores.

The same bits are promised for one binary only. A model whose step has not changed since keeps them.
"""

import gzip
import json
import pathlib
import subprocess

import pytest

from conftest import BUILD, IS_SANITIZED

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


@pytest.mark.skipif(IS_SANITIZED, reason="a sanitized build has other bits")
def test_a_recording_of_a_double_pendulum_replays_with_its_state_hash(tmp_path):
    # The steps of chains have not changed: 200 ticks; the hash was printed by the program that recorded them.
    replayed = report("replay", "--force", unpacked("double_pendulum.mcap", tmp_path))
    assert replayed["identical"] and replayed["ticks"] == 201
    assert replayed["state_hash"] == "928324b3dcc05da9"


@pytest.mark.parametrize(("name", "rows", "last"), [("motor_four_bar", 1001, 1), ("sedan", 55, 1.08)])
def test_a_recording_is_read_to_its_end(tmp_path, name, rows, last):
    recording, table = unpacked(f"{name}.mcap", tmp_path), tmp_path / "table.csv"
    done = run("export", recording, "--out", table)
    assert done.returncode == 0, done.stderr
    lines = table.read_text().splitlines()[1:]
    assert len(lines) == rows and float(lines[-1].split(",")[0]) == last


# Since then the velocities of the sedan's bushings are filtered, and products of rows are fused.
@pytest.mark.parametrize("name", ["motor_four_bar", "sedan"])
def test_a_replay_of_a_model_whose_step_has_changed_since_names_the_builds_and_the_first_other_tick(tmp_path, name):
    # Without --force the replay is refused.
    recording = unpacked(f"{name}.mcap", tmp_path)
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
