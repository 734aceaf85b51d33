"""The manoeuvres of the car: each does what its name states, and two runs give the same bits.

The bounds are those of a plausible passenger car; server/models/gallery/sedan.md has the figures of the model.
"""
# Covers: clients/python/examples/manoeuvre.py

import math
import subprocess
import sys

import numpy as np
import pytest

import tactus

from conftest import SOURCE

sys.path.insert(0, str(SOURCE / "clients" / "python" / "examples"))
import manoeuvre  # noqa: E402


@pytest.fixture(scope="module")
def driven(address):
    """Name of a manoeuvre -> its arrays and hash; each is driven once."""
    cache = {}

    def drive(name):
        if name not in cache:
            with tactus.connect(address) as client:
                cache[name] = manoeuvre.run(client, manoeuvre.MANOEUVRES[name]())
        return cache[name]

    return drive


def test_a_step_of_the_steering_wheel_turns_the_car_to_a_steady_circle(driven, client):
    data, state_hash = driven("step_steer")
    t, rate = data["sim_time"], data["yaw_rate"]
    assert np.abs(rate[t < 1]).max() < math.radians(0.05)  # straight ahead, to what a driver could notice
    steady = rate[t > t[-1] - 1]
    assert np.ptp(steady) < 0.01 * steady.mean()  # settled to one percent in the last second
    assert math.radians(4) < steady.mean() < math.radians(15)
    assert rate.max() < 1.3 * steady.mean()  # overshoot of a passenger car
    assert data["tyre_fr.load"][-1] > data["tyre_fl.load"][-1] + 500  # load moves to the outside
    again = manoeuvre.run(client, manoeuvre.StepSteer())
    assert again[1] == state_hash


def test_the_driver_changes_lanes_and_comes_back(driven):
    data, _ = driven("lane_change")
    assert data["chassis.r.y"].max() > 3
    assert abs(data["chassis.r.y"][-1]) < 1
    assert 2 < np.abs(data["head_y"]).max() < 9


def test_full_braking_in_a_turn_ends_at_standstill(driven):
    data, _ = driven("brake_in_turn")
    speed = np.hypot(data["chassis.v.x"], data["chassis.v.y"])
    assert speed[2400] > 19
    assert speed[-1] < 0.02  # m/s: creep of the standing tread
    assert np.hypot(np.diff(data["chassis.r.x"][2500:]), np.diff(data["chassis.r.y"][2500:])).sum() < 40


def test_the_bump_lifts_the_vehicle(driven):
    data, _ = driven("bump")
    lift = data["chassis_height"].max() - data["chassis_height"][0]
    assert 0.01 < lift < 0.05  # m: a part of the half-cylinder of 0.1 m


def test_the_program_prints_the_state_hash_and_writes_a_plot(address, tmp_path):
    picture = tmp_path / "bump.png"
    command = [sys.executable, manoeuvre.__file__, "bump", "--server", address, "--plot", str(picture)]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert "bump: 3000 ticks, state " in output
    assert picture.stat().st_size > 10_000
