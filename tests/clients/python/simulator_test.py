"""The driving simulator in Python: poses between ticks, recorded driver, keyboard, output."""
# Covers: clients/python/examples/simulator.py

import os
import pty
import re
import subprocess
import sys

import numpy as np
import pytest

from conftest import IS_SANITIZED, SOURCE

sys.path.insert(0, str(SOURCE / "clients" / "python" / "examples"))
import simulator  # noqa: E402


def pose(x, angle):
    return np.array([[x, 0, 0, np.cos(angle / 2), 0, 0, np.sin(angle / 2)]])


def test_a_pose_between_two_frames_lies_between_them():
    buffer = simulator.PoseBuffer(frames=4)
    assert buffer.at(0.0) == (None, "none")
    for k in range(6):
        buffer.push(0.001 * k, pose(10.0 * k, 0.2 * k))
    poses, answer = buffer.at(0.0042)
    assert answer == "between"
    assert poses[0, 0] == pytest.approx(42)
    # Linear interpolation over a turn of 0.2 rad leaves the arc by up to 0.2^3 / 500 rad.
    assert 2 * np.arctan2(poses[0, 6], poses[0, 3]) == pytest.approx(0.84, abs=1e-4)
    assert np.linalg.norm(poses[0, 3:]) == pytest.approx(1)
    assert buffer.at(0.006)[1] == "too new"
    poses, answer = buffer.at(0.0015)  # frames 0 and 1 are gone
    assert answer == "too old" and poses[0, 0] == 20


def test_interpolation_treats_both_signs_of_a_quaternion_as_one_orientation():
    a, b = pose(0, 3.0), pose(0, 3.2)
    b[0, 3:] *= -1
    middle = simulator.between(a, b, 0.5)
    assert abs(np.dot(middle[0, 3:], pose(0, 3.1)[0, 3:])) == pytest.approx(1)


def test_the_view_shows_the_car_where_it_is(capsys):
    poses = np.vstack([pose(100, 0)] + [pose(x, 0) for x in (101.5, 101.5, 98.5, 98.5)])
    poses[1:3, 1], poses[3:, 1] = (1, -1), (1, -1)
    simulator.View().draw(2.5, poses, 20)
    text = capsys.readouterr().out
    assert ">" in text and text.count("o") >= 4 and "72.0 km/h" in text and "100.00 m" in text


def test_the_simulator_drives_from_a_file_and_draws_between_ticks(own_server, tmp_path):
    inputs, poses = tmp_path / "driver.csv", tmp_path / "poses.csv"
    inputs.write_text("t,steering,throttle,brake,gear_ratio\n0,0.2,0.3,0,1.4\n1,0,0,1,0\n")
    command = [sys.executable, simulator.__file__, "--server", own_server.address, "--inputs", str(inputs)]
    # Far enough behind the newest state that its frames are there, also where they come late.
    command += ["--duration", "2s", "--delay", "80ms", "--no-view", "--poses", str(poses)]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found = re.search(r"simulator: (\d+) frames received, (\d+) missed.*; (\d+) drawn, (\d+) between", output)
    received, missed, drawn, between = map(int, found.groups())
    assert received + missed >= 1990
    assert drawn >= 40
    assert between > 0 or IS_SANITIZED  # its frames come later than they are drawn
    rows = np.genfromtxt(poses, delimiter=",", skip_header=1)
    assert len(rows) == drawn
    assert rows[-1, 1] > 20  # m forward
    assert rows[-1, 2] > 0.5  # to the left, where it was steered
    assert np.allclose(np.linalg.norm(rows[:, 4:8], axis=1), 1, atol=1e-6)  # written with eight decimals


def test_poses_that_cannot_be_written_are_an_error(own_server, tmp_path):
    inputs = tmp_path / "driver.csv"
    inputs.write_text("t,steering,throttle,brake,gear_ratio\n0,0,0,0,1.4\n")
    command = [sys.executable, simulator.__file__, "--inputs", inputs, "--no-view", "--duration", "500ms"]
    # Both before the first call: no server listens there.
    nowhere = [*command, "--server", f"unix:{tmp_path}/nobody.sock", "--poses"]
    refused = subprocess.run([*nowhere, tmp_path], capture_output=True, text=True)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr.endswith(f"error: argument --poses: {tmp_path} cannot be written; choose another file\n")
    refused = subprocess.run([*nowhere, tmp_path / "missing/poses.csv"], capture_output=True, text=True)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr.endswith(f"error: argument --poses: there is no folder {tmp_path}/missing; create it\n")
    full = subprocess.run([*command, "--server", own_server.address, "--poses", "/dev/full"], capture_output=True, text=True)
    assert (full.returncode, full.stdout) == (1, "")
    assert full.stderr == "simulator: the renderer failed: No space left on device\n"


def test_arrow_keys_set_the_inputs_and_q_ends_the_drive(monkeypatch):
    terminal, keyboard = pty.openpty()
    with open(keyboard) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        with simulator.KeyboardDriver() as driver:
            os.write(terminal, b"\x1b[A\x1b[A\x1b[D\x1b[B")
            values = dict(driver.at(0.02))
            assert values == pytest.approx({"throttle": 0.3, "steering": 0.1, "brake": 0.3, "gear_ratio": 1.4})
            assert driver.at(0.021) == values  # keys count at 100 Hz
            later = driver.at(0.12)
            assert later["throttle"] == pytest.approx(0.25)  # pedals come back by themselves
            assert later["brake"] == pytest.approx(0.1)
            assert later["steering"] == pytest.approx(0.1)
            os.write(terminal, b"q")
            assert driver.at(0.2) is None
    os.close(terminal)


def test_a_driver_file_of_a_spreadsheet_begins_with_a_byte_order_mark(tmp_path):
    path = tmp_path / "driver.csv"
    path.write_text("t,steering,throttle,brake,gear_ratio\n0,+0.1,0.2,0,1\n", encoding="utf-8-sig")
    assert simulator.RecordedDriver(path).at(0)["steering"] == 0.1


@pytest.mark.parametrize(
    "text, message",
    [
        ("time,steering\n", "the first line must be"),
        ("t,steering,throttle,brake,gear_ratio\n", "has no rows"),
        ("t,steering,throttle,brake,gear_ratio\n0,0,0,0\n", ":2: must be five numbers"),
        ("t,steering,throttle,brake,gear_ratio\n0,0,0,0,nan\n", ":2: must be five numbers"),
        ("t,steering,throttle,brake,gear_ratio\n1,0,0,0,1\n1,0,0,0,1\n", ":3: times must rise"),
    ],
)
def test_a_broken_driver_file_is_refused_with_its_line(tmp_path, text, message):
    path = tmp_path / "driver.csv"
    path.write_text(text)
    with pytest.raises(SystemExit, match=message):
        simulator.RecordedDriver(path)
