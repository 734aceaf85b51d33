"""Frames by name, and the recorder that collects them."""
# Covers: clients/python/tactus/recorder.py, clients/python/tactus/frame.py

import copy
import gzip
import os
import pickle
import struct
import sys

import numpy as np
import pytest

import tactus
from tactus.v1 import state_pb2

NAMES = ["crank.r.x", "crank.r.y"]


def layout(names, layout_hash):
    return tactus.Layout(state_pb2.Layout(hash=layout_hash, signals=names))


def frame(tick, values, of, packed=True):
    message = state_pb2.StateFrame(tick=tick, sim_time_ns=tick * 1_000_000, sequence=tick, input_age_ticks=3)
    message.flags = 8 + 2
    if packed:
        message.packed = struct.pack(f"<{len(values)}d", *values)
    else:
        message.values.extend(values)
    return tactus.Frame(message, of)


@pytest.mark.parametrize("packed", [True, False])
def test_values_are_found_by_name_and_by_position(packed):
    found = frame(7, [0.1, -2.5], layout(NAMES, 1), packed)
    assert found["crank.r.y"] == -2.5
    assert found.values.tolist() == [0.1, -2.5]
    assert found.to_dict() == {"crank.r.x": 0.1, "crank.r.y": -2.5}
    assert found.sim_time == 0.007
    assert found.flags == tactus.Flag.INPUT_HELD | tactus.Flag.FRAMES_MISSED
    assert found.input_age == 3


def test_a_name_that_is_not_in_the_layout_is_named_in_the_error():
    with pytest.raises(KeyError, match="crank.r.z"):
        frame(1, [1.0, 2.0], layout(NAMES, 1))["crank.r.z"]


def test_values_cannot_be_written():
    with pytest.raises(ValueError):
        frame(1, [1.0, 2.0], layout(NAMES, 1)).values[0] = 3.0


def test_the_recorder_gives_an_array_for_each_signal():
    recorder = tactus.Recorder()
    shared = layout(NAMES, 1)
    for tick in range(1, 5):
        recorder.add(frame(tick, [tick, tick / 3], shared, packed=tick % 2 == 0))
    data = recorder.arrays()
    assert len(recorder) == 4
    assert data["tick"].tolist() == [1, 2, 3, 4]
    np.testing.assert_array_equal(data["crank.r.y"], np.arange(1, 5) / 3)
    np.testing.assert_array_equal(data["sim_time"], np.arange(1, 5) * 1_000_000 * 1e-9)


def test_the_csv_gives_back_the_same_doubles(tmp_path):
    recorder = tactus.Recorder()
    shared = layout(NAMES, 1)
    values = [[np.nextafter(0.1, 1), 1e-300], [-1 / 3, 6.02214076e23]]
    for tick, row in enumerate(values, start=1):
        recorder.add(frame(tick, row, shared))
    recorder.to_csv(tmp_path / "run.csv")
    assert (tmp_path / "run.csv").read_text().splitlines()[0] == "t,crank.r.x,crank.r.y"
    np.testing.assert_array_equal(np.loadtxt(tmp_path / "run.csv", delimiter=",", skiprows=1)[:, 1:], values)


def test_a_csv_that_cannot_be_written_leaves_the_one_that_was_there(tmp_path, monkeypatch):
    recorder = tactus.Recorder()
    shared = layout(NAMES, 1)
    for tick in range(1, 4):
        recorder.add(frame(tick, [tick, -tick], shared))
    path = tmp_path / "run.csv"
    recorder.to_csv(path)
    before = path.read_bytes()
    recorder.add(frame(4, [4.0, -4.0], shared))
    write = np.savetxt

    def fails_at_its_end(file, *arguments, **named):
        write(file, *arguments, **named)
        file.flush()
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(np, "savetxt", fails_at_its_end)
        with pytest.raises(OSError, match="No space.*run.csv"):
            recorder.to_csv(path)
        assert path.read_bytes() == before and os.listdir(tmp_path) == ["run.csv"]
    recorder.to_csv(path)
    assert len(path.read_text().splitlines()) == 5


def test_a_csv_with_the_ending_of_a_compressed_file_is_compressed(tmp_path):
    recorder = tactus.Recorder()
    recorder.add(frame(1, [1.5, -2.0], layout(NAMES, 1)))
    recorder.to_csv(tmp_path / "run.csv.gz")
    with gzip.open(tmp_path / "run.csv.gz", "rt") as file:
        assert file.read() == "t,crank.r.x,crank.r.y\n0.001,1.5,-2\n"


def test_a_recorder_and_its_frames_are_pickled_and_one_with_a_session_says_what_to_send():
    recorder = tactus.Recorder(units={"crank.r.x": "m"})
    kept = frame(3, [0.1, float("nan")], layout(NAMES, 7))
    recorder.add(kept)
    for twin in (pickle.loads(pickle.dumps(recorder)), copy.deepcopy(recorder)):
        assert {name: column.tobytes() for name, column in twin.arrays().items()} == {
            name: column.tobytes() for name, column in recorder.arrays().items()}
    twin = pickle.loads(pickle.dumps(kept))
    assert twin.values.tobytes() == kept.values.tobytes() and (twin.tick, twin.layout.names, twin.layout.hash) == (3, tuple(NAMES), 7)
    with_session = tactus.Recorder(Directory())
    for call in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match=r"a Recorder that holds a session cannot be copied or pickled: send its arrays\(\)"):
            call(with_session)


def test_frames_of_another_layout_are_refused():
    recorder = tactus.Recorder()
    recorder.add(frame(1, [1.0, 2.0], layout(NAMES, 1)))
    with pytest.raises(ValueError):
        recorder.add(frame(2, [1.0, 2.0], layout(NAMES[::-1], 2)))


def test_an_empty_recorder_gives_empty_arrays():
    assert tactus.Recorder().arrays()["tick"].tolist() == []


class Directory:
    """Stands for a session: what the recorder asks of it."""

    def __init__(self):
        self.asked = []

    def _units_of(self, names):
        self.asked.append(names)
        return {"crank.r.x": "m", "other": "J"}


def test_a_data_frame_is_indexed_by_time_and_has_the_units():
    pandas = pytest.importorskip("pandas")
    shared = layout(NAMES, 1)
    for session, units in ((Directory(), {"sim_time": "s", "crank.r.x": "m"}), (None, {"sim_time": "s"})):
        recorder = tactus.Recorder(session)
        for tick in (1, 2):
            recorder.add(frame(tick, [tick, tick / 3], shared))
        table = recorder.to_dataframe()
        assert isinstance(table, pandas.DataFrame)
        assert table.index.name == "sim_time"
        assert table.index.tolist() == [0.001, 0.002]
        assert table["crank.r.y"].tolist() == [1 / 3, 2 / 3]
        assert table["tick"].tolist() == [1, 2]
        assert table.attrs["units"] == units


def test_the_units_are_asked_for_once_and_for_the_recorded_signals_alone():
    session = Directory()
    recorder = tactus.Recorder(session)
    shared = layout(NAMES, 1)
    for tick in (1, 2, 3):
        recorder.add(frame(tick, [tick, tick], shared))
    assert session.asked == [tuple(NAMES)]


def test_a_recorder_asks_for_no_units_without_signals_and_in_parts_for_many():
    for count, asked in ((0, []), (20_001, [10_000, 10_000, 1])):
        session = Directory()
        tactus.Recorder(session).add(frame(1, [0.0] * count, layout([f"s{k}" for k in range(count)], 1)))
        assert [len(names) for names in session.asked] == asked


def test_a_frame_is_kept_where_the_session_does_not_tell_its_units():
    class Ended(Directory):
        def _units_of(self, names):
            raise ValueError("the connection is closed; call connect again")

    recorder = tactus.Recorder(Ended())
    recorder.add(frame(1, [1.0, 2.0], layout(NAMES, 1)))
    assert recorder.arrays()["crank.r.y"].tolist() == [2.0]
    with pytest.raises(ValueError, match="connection is closed"):
        recorder.to_dataframe()


def test_a_data_frame_has_the_units_after_the_session_and_the_connection_have_ended(address):
    pytest.importorskip("pandas")
    with tactus.connect(address) as client, client.create_session("motor_four_bar", clock="lockstep") as session:
        recorder = tactus.Recorder(session)
        with session.tick(outputs=["crank_rate", "motor"]) as stream:
            recorder.add(stream.step({"motor": 1.0}))
    assert recorder.to_dataframe().attrs["units"] == {"sim_time": "s", "crank_rate": "rad/s", "motor": "N m"}


def test_a_stream_of_a_model_whose_directory_is_too_large_for_an_answer_has_its_units(address):
    pytest.importorskip("pandas")
    slow = tactus.connect(address, timeout=60)  # the model is large, and a sanitizer makes its server slow
    with slow as client, client.create_session("chain:n=4096", clock="lockstep") as session:
        with pytest.raises(tactus.TactusError):
            session.units
        recorder = tactus.Recorder(session)
        with session.tick(outputs=["energy.total"]) as stream:
            recorder.add(stream.step())
        assert recorder.to_dataframe().attrs["units"] == {"sim_time": "s", "energy.total": "J"}


def test_a_data_frame_without_pandas_is_an_error_that_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="python3-pandas"):
        tactus.Recorder().to_dataframe()
