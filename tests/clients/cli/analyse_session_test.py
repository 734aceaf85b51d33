"""`tactus analyse session`: the linear system of a session of a running server, from the shell."""
# Covers: clients/cli/analyse_session.cpp, clients/cli/analyse_session_search.cpp

import json
import math
import subprocess

import pytest
import tactus
from conftest import BUILD, needs_native


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
    both = analyse("--modes", *response, code=1)
    assert "damping" in both and "phase deg" in both


def test_equilibrium_and_trim_are_those_of_the_model_and_the_session_stays(analyse, lockstep):
    before = lockstep.state_hash
    found = json.loads(analyse("equilibrium", "--json"))
    expected = json.loads(program("equilibrium", "motor_four_bar", "--json").stdout)
    for name in expected.keys() - {"model", "build", "point"}:
        assert found[name] == expected[name], name
    assert (found["tick"], found["state_hash"]) == (0, before)
    trim = ("--require", "crank_angle=-1.7", "--free", "motor", "--equilibrium", "--input", "motor=0.05")
    found = json.loads(analyse("trim", *trim, "--json"))
    expected = json.loads(program("trim", "motor_four_bar", *trim, "--json").stdout)
    assert found["inputs"] == expected["inputs"] and found["residual"] == expected["residual"]
    assert found["signals"]["crank_angle"] == expected["signals"]["crank_angle"]
    assert lockstep.state_hash == before
    text = analyse("trim", *trim)
    assert f"{lockstep.name}, trimmed from tick 0, 0 s, state hash {before}" in text
    assert any(line.split() == ["motor", f"{found['inputs']['motor']:.8g}", "free"] for line in text.splitlines())
    assert "reactions on the second body" in analyse("equilibrium", "--load-steps", 2)


def test_a_session_goes_to_the_state_found_on_request_and_from_a_file(analyse, address, lockstep, tmp_path):
    file = tmp_path / "rest.snapshot"
    angle = json.loads(analyse("equilibrium", "--out", file, "--restore", "--json"))["signals"]["crank_angle"]
    lockstep.step(500)
    # A second at 1e-10 of the weight that is not balanced turns the crank by less.
    assert lockstep.read("crank_angle")["crank_angle"] == pytest.approx(angle, abs=1e-7)
    lockstep.reset()
    assert lockstep.read("crank_angle")["crank_angle"] != pytest.approx(angle, abs=1e-2)
    restore = [BUILD / "tactus", "snapshot", "restore", file, "--server", address, "--session", lockstep.name]
    assert subprocess.run(restore, capture_output=True).returncode == 0
    assert lockstep.read("crank_angle")["crank_angle"] == angle
    assert f"written             {file}: a snapshot of this state" in analyse("equilibrium", "--out", file)


@needs_native
def test_a_trim_beyond_the_range_of_an_input_is_a_finding_that_is_printed_even_if_the_session_cannot_go_there(client, address):
    model = tactus.build.read("motor_four_bar").to_dict() | {"name": "feeble_motor"}
    model["actuators"][0] |= {"minimum": -0.01, "maximum": 0.01}
    client.load_model(model)
    with client.create_session("feeble_motor", clock="lockstep") as session:
        words = ("session", "trim", "--server", address, "--session", session.name, "--require", "crank_angle=-1.7", "--free",
                 "motor", "--equilibrium")
        found = program(*words)
        assert found.returncode == 1 and "input 'motor' is beyond its limits" in found.stdout
        there = program(*words, "--restore")
        assert there.returncode == 2 and there.stdout == found.stdout and "outside the range" in there.stderr


def test_the_linear_system_about_the_equilibrium_is_that_of_the_model(analyse):
    found = json.loads(analyse("--equilibrium", "--modes", "--json"))
    expected = json.loads(program("modes", "motor_four_bar", "--equilibrium", "--json").stdout)
    assert found["equilibrium"] and found["states"] == expected["states"]
    assert [mode["frequency"] for mode in found["modes"]] == [mode["frequency"] for mode in expected["modes"]]
    assert "the static equilibrium near" in analyse("--equilibrium", "--modes")


def test_server_and_session_may_stand_behind_the_name_of_a_search_and_other_options_of_the_session_may_not_be_there(
        analyse, address, lockstep):
    behind = program("session", "equilibrium", "--server", address, "--session", lockstep.name, "--json")
    assert behind.returncode == 0 and json.loads(behind.stdout) == json.loads(analyse("equilibrium", "--json"))
    for option in (("--modes",), ("--outputs", "crank_angle"), ("--equilibrium",)):
        assert option[0] in analyse(*option, "equilibrium", code=2)


def test_the_help_of_remote_analyses_does_not_explain_a_model():
    for words in (("session",), ("session", "trim")):
        assert "MODEL" not in program(*words, "--help").stdout
    assert "MODEL is" in program("trim", "--help").stdout


def test_what_is_refused_says_why(analyse, address):
    assert "crank_angle" in analyse("--outputs", "crank_angel", code=2)
    assert "no actuator" in analyse("--inputs", "crank_angle", code=2)
    assert "--to" in analyse("--from", 1, code=2)
    assert "must be at least --from (field --to)" in analyse("--from", 100, "--to", 1, code=2)
    assert "--to" in analyse("--from", 1, "--to", "inf", code=2)
    assert "did you mean" in analyse("trim", "--require", "crank_angle=0", "--free", "moter", code=2)
    assert "no trim was found" in analyse("trim", "--require", "crank_angle=0.5", code=2)
    assert "motor" in analyse("equilibrium", "--input", "motor", code=2)
    gone = program("session", "--server", address, "--session", "gone")
    assert gone.returncode == 2 and "gone" in gone.stderr
    assert program("session", "--server", "unix:/nowhere.sock").returncode == 3
