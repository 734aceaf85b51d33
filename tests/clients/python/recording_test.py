"""The reader of recordings gives the numbers of the run, and of a damaged file what stands before the damage."""
# Covers: clients/python/tactus/recording.py

import subprocess

import numpy as np
import pytest

import tactus
from conftest import BUILD, needs_native


def record(folder, *arguments, model="motor_four_bar", until="200ms"):
    path = folder / "run.mcap"
    subprocess.run([BUILD / "tactus", "run", model, "--until", until, "--out", path, *arguments], check=True,
                   stdout=subprocess.DEVNULL)
    return path


@needs_native
def test_signals_ticks_and_hashes_are_those_of_the_run(tmp_path):
    recording = tactus.read_recording(record(tmp_path))
    simulation = tactus.Simulation("motor_four_bar")
    block = simulation.run(200, outputs=["*"])
    rows = np.searchsorted(recording.signals.ticks, block.ticks)
    assert np.array_equal(recording.signals.ticks[rows], block.ticks)
    for name in ("crank_angle", "energy.total", "crank.r.x"):
        assert np.array_equal(recording.signals[name][rows], block[name])
        assert recording.signals.units[name] == block.units[name]
    assert f"{int(recording.ticks['state_hash'][-1]):016x}" == simulation.state_hash
    assert recording.period == 1e-3 and recording.damage == "" and recording.gaps == []
    assert recording.model["name"] == "motor_four_bar" and tactus.Simulation(recording.model).inputs == ["motor"]
    frame = recording.to_dataframe()
    assert frame.attrs["units"]["crank_angle"] == "rad" and frame.attrs["units"]["sim_time"] == "s"
    # Time is the number of a tick times the period, rounded once.
    assert frame.index[-1] == pytest.approx(0.2, abs=1e-12) and frame["motor"].notna().all()


def test_inputs_hold_from_tick_to_tick_through_a_reset_and_parameters_are_listed(own_server, tmp_path):
    path = tmp_path / "session.mcap"
    with tactus.connect(own_server.address) as client:
        with client.create_session("motor_four_bar", clock="lockstep", period="1ms") as session:
            name = session.record("crank_angle", every=5).name
            session.run(10, inputs={"motor": np.arange(10) // 4})
            session.set_parameters(rocker_mass=2.0)
            session.run(5, inputs={"motor": 4.0})
            session.reset()
            last = session.run(5, inputs={"motor": -1.0}, outputs=["crank_angle"])
            client.stop_recording(name)
        client.download_recording(name, path)
    recording = tactus.read_recording(path)
    by_tick = list(zip(recording.inputs.ticks.tolist(), recording.inputs["motor"].tolist()))
    assert [pair for pair in by_tick if pair[0] > 0][:15] == [
        *((tick, float((tick - 1) // 4)) for tick in range(1, 11)), *((tick, 4.0) for tick in range(11, 16))]
    assert by_tick[-5:] == [(tick, -1.0) for tick in range(1, 6)]
    assert recording.signals["crank_angle"][-1] == last["crank_angle"][-1]
    assert recording.to_dataframe()["motor"].iloc[-1] == -1.0
    assert (11, 2.0) in [(tick, values["rocker_mass"]) for tick, values in recording.parameters]


def test_a_download_continues_a_beginning_of_its_recording_and_leaves_any_other_file_alone(own_server, tmp_path):
    path = tmp_path / "run.mcap"
    with tactus.connect(own_server.address) as client:
        names = []
        for ticks in (100, 900):
            with client.create_session("motor_four_bar", clock="lockstep", period="1ms") as session:
                names.append(session.record("*").name)
                session.run(ticks, inputs={"motor": 1.0})
                client.stop_recording(names[-1])
        sizes = [client.download_recording(name, tmp_path / name) for name in names]
        short, long = ((tmp_path / name).read_bytes() for name in names)
        assert [len(short), len(long)] == sizes
        # The long one takes several chunks of the download; each cut lies in another place of a chunk.
        for cut in (0, 1, 70_000, len(long) - 1, len(long)):
            path.write_bytes(long[:cut])
            assert client.download_recording(names[1], path) == len(long) and path.read_bytes() == long
        others = [short, long + b"x", b"my notes", long[:70_000] + bytes(100), bytes(1) + long[1:]]
        for content in others:
            path.write_bytes(content)
            with pytest.raises(FileExistsError, match=f"run.mcap is not the beginning of recording {names[1]}; remove it"):
                client.download_recording(names[1], path)
            assert path.read_bytes() == content
        path.write_bytes(long)  # a longer file, of another recording
        with pytest.raises(FileExistsError, match="run.mcap is not the beginning"):
            client.download_recording(names[0], path)


def test_a_file_that_was_cut_or_changed_gives_what_stands_before(tmp_path):
    path = record(tmp_path, until="5s")
    whole, content = tactus.read_recording(path), path.read_bytes()
    assert len(whole.ticks["tick"]) > 1000
    path.write_bytes(content[: len(content) // 2])
    half = tactus.read_recording(path)
    assert "not finished" in half.damage and 0 < len(half.ticks["tick"]) < len(whole.ticks["tick"])
    assert np.array_equal(half.inputs["motor"], whole.inputs["motor"][: len(half.inputs)])
    for cut in (1, 8, 30, 200):  # within the end and the summary
        path.write_bytes(content[:-cut])
        short = tactus.read_recording(path)
        assert short.damage == "the file ends in the middle of its summary" and len(short.inputs) == len(whole.inputs)
        replayed = subprocess.run([BUILD / "tactus", "replay", path], capture_output=True, text=True)
        assert "summary" in replayed.stdout + replayed.stderr
    changed = bytearray(content)
    changed[2 * len(content) // 3] ^= 0x10
    path.write_bytes(changed)
    assert "damaged" in tactus.read_recording(path).damage


def test_a_description_of_messages_that_was_changed_is_damage_or_no_recording(tmp_path):
    path = record(tmp_path)
    content, word = path.read_bytes(), b".tactus.v1."
    # The descriptions of messages stand before the first chunk, and no checksum guards them.
    places = [i for i in range(len(content)) if content.startswith(word, i)]
    assert len(places) > 10
    refused = 0
    for place in (*places[:: len(places) // 20], places[-1]):
        changed = bytearray(content)
        changed[place + 1] ^= 0x01
        path.write_bytes(changed)
        try:
            refused += "damaged" in tactus.read_recording(path).damage  # a description that nothing needs may be changed
        except ValueError as error:
            assert "no recording of Tactus" in str(error)
            refused += 1
    assert refused > 0


def test_what_is_no_recording_is_refused(tmp_path):
    path = tmp_path / "not.mcap"
    for content in (b"", b"tick,t\n1,2\n", b"\x89MCAP0\r\n"):
        path.write_bytes(content)
        with pytest.raises(ValueError, match="not.mcap: no (MCAP file|recording of Tactus)"):
            tactus.read_recording(path)
    with pytest.raises(OSError):
        tactus.read_recording(tmp_path / "nowhere.mcap")
