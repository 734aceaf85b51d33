"""Settings of the solver that a session is created with, from Python and with tactus serve."""

import json
import os
import pathlib
import subprocess

import pytest

import tactus

TACTUS = pathlib.Path(os.environ["TACTUS_BUILD_DIR"]) / "tactus"


def hash_after(client, **settings):
    with client.create_session("four_bar", clock="lockstep", **settings) as session:
        session.step(50)
        return session.state_hash


def test_settings_change_the_step_as_they_do_offline(client):
    plain = hash_after(client)
    chosen = hash_after(client, solver={"full_newton": True, "velocity_passes": 3})
    assert chosen != plain
    offline = subprocess.run(
        [TACTUS, "run", "four_bar", "--until", "50ms", "--json", "--set", "full_newton=true",
         "--set", "velocity_passes=3"],
        check=True, capture_output=True, text=True)
    report = json.loads(offline.stdout)
    assert report["steps"] == 50
    assert report["state_hash"] == chosen


def test_a_setting_that_is_wrong_is_refused_by_its_place(client):
    with pytest.raises(tactus.RequestInvalid, match="velocity_passes") as wrong:
        client.create_session("four_bar", solver={"full_newton": True, "velocity_passes": 99})
    assert wrong.value.field == "solver_settings[1]"
    with pytest.raises(tactus.RequestInvalid, match="did you mean 'full_newton'"):
        client.create_session("four_bar", solver={"full_neuton": 1})
    with pytest.raises(tactus.RequestInvalid):
        client.create_session("four_bar", threads=2000)
