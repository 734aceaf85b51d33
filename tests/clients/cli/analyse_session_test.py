"""`tactus analyse session`: the linear system of a session of a running server, from the shell."""
# Covers: clients/cli/analyse_session.cpp

import json
import math
import subprocess

import pytest
from conftest import BUILD


def program(*arguments):
    return subprocess.run([BUILD / "tactus", "analyse", *map(str, arguments)], capture_output=True, text=True)


@pytest.fixture
def analyse(address, lockstep):
    """Runs `tactus analyse session` for the session of the fixture `lockstep`."""

    def run(*arguments, code=0):
        result = program("session", "--server", address, "--session", lockstep.name, *arguments)
        assert result.returncode == code, result.stdout + result.stderr
        return result.stdout if code < 2 else result.stderr

    return run


def test_a_session_at_its_beginning_has_the_matrices_of_its_model(analyse):
    found = json.loads(analyse("--outputs", "crank_*", "--json"))
    expected = json.loads(program("linearize", "motor_four_bar", "--outputs", "crank_*", "--json").stdout)
    for name in ("A", "B", "C", "D", "states", "outputs", "coordinates", "redundant_rows", "constraint_rows",
                 "equilibrium", "largest_rate"):
        assert found[name] == expected[name], name
    assert [one["name"] for one in found["inputs"]] == expected["inputs"]


def test_the_text_names_tick_states_and_matrices_and_a_session_that_moved_has_others(analyse, lockstep):
    before = analyse("--outputs", "crank_angle")
    lockstep.step(100)
    after = analyse("--outputs", "crank_angle")
    assert f"{lockstep.name} at tick 100, 0.1 s, state hash {lockstep.state_hash}" in after
    for text in (before, after):
        assert "1 coordinates, their rates, 0 internal states" in text
        for name in ("A", "B", "C", "D"):
            assert any(line.split()[:2] == [name, "input.angle" if name in "AC" else "motor"]
                       for line in text.splitlines()), name
    assert before.splitlines()[6:] != after.splitlines()[6:]


def test_modes_and_response_are_those_of_the_model_and_a_state_that_is_no_equilibrium_is_a_finding(analyse):
    modes = json.loads(analyse("--modes", "--json", code=1))["modes"]
    expected = json.loads(program("modes", "motor_four_bar", "--json").stdout)["modes"]
    assert [mode["frequency"] for mode in modes] == [mode["frequency"] for mode in expected]
    assert [mode["kind"] for mode in modes] == [mode["kind"] for mode in expected]
    assert "frequency Hz" in analyse("--modes", code=1)

    response = ("--outputs", "crank_angle", "--from", 0.5, "--to", 50, "--points", 5)
    found = json.loads(analyse(*response, "--json", code=1))["response"]
    wanted = json.loads(program("response", "motor_four_bar", *response, "--json").stdout)["response"]
    assert len(found) == 5
    for theirs, ours in zip(found, wanted, strict=True):
        # Hz and rad/s are converted once more on the other way.
        assert theirs["frequency"] == pytest.approx(ours["frequency"], rel=1e-15)
        # Round-off of that frequency, which an undamped system a decade away from its resonance keeps.
        assert theirs["real"][0][0] == pytest.approx(ours["real"][0][0], rel=1e-12)
        assert math.isfinite(theirs["imaginary"][0][0])
    assert "phase deg" in analyse(*response, code=1)


def test_what_is_refused_says_why(analyse, address):
    assert "crank_angle" in analyse("--outputs", "crank_angel", code=2)
    assert "no actuator" in analyse("--inputs", "crank_angle", code=2)
    assert "--to" in analyse("--from", 1, code=2)
    gone = program("session", "--server", address, "--session", "gone")
    assert gone.returncode == 2 and "gone" in gone.stderr
    assert program("session", "--server", "unix:/nowhere.sock").returncode == 3
