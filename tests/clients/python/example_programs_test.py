"""The common part of the example programs: help, durations and exit codes; and the plot of tyre curves."""
# Covers: clients/python/examples/command_line.py, clients/python/examples/tyre_curves.py

import re
import subprocess
import sys

import pytest

from conftest import SOURCE

EXAMPLES = SOURCE / "clients" / "python" / "examples"
PROGRAMS = ["drive.py", "lockstep.py", "manoeuvre.py", "simulator.py", "tyre_curves.py"]


def run(program, *arguments):
    command = [sys.executable, EXAMPLES / program, *arguments]
    return subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)


def test_the_list_of_programs_is_complete():
    found = {path.name for path in EXAMPLES.glob("*.py") if "__main__" in path.read_text()}
    assert found == set(PROGRAMS)


@pytest.mark.parametrize("program", PROGRAMS)
def test_help_begins_with_the_purpose_of_the_program(program):
    shown = run(program, "--help")
    purpose = (EXAMPLES / program).read_text().split('"""')[1].splitlines()[0]
    assert shown.returncode == 0
    assert " ".join(purpose.split()) in " ".join(shown.stdout.split())


@pytest.mark.parametrize("program", ["drive.py", "simulator.py"])
def test_a_duration_without_a_unit_is_refused_with_an_example(program):
    shown = run(program, "--duration", "5")
    assert shown.returncode == 2
    assert "is not a duration; write a number and a unit" in shown.stderr


@pytest.mark.parametrize(
    ("program", "option"), [("drive.py", "--csv"), ("drive.py", "--plot"), ("manoeuvre.py", "--plot"), ("simulator.py", "--poses")]
)
def test_a_file_in_a_folder_that_does_not_exist_is_refused_before_the_drive(tmp_path, program, option):
    shown = run(program, "--server", f"unix:{tmp_path}/nobody.sock", option, tmp_path / "no" / "file.png")
    assert shown.returncode == 2
    assert f"there is no folder {tmp_path}/no; create it" in shown.stderr


def test_what_cannot_be_written_or_counted_is_refused_before_the_drive(tmp_path):
    for program, *arguments, message in (("lockstep.py", "--ticks", "0", "no whole number above zero"), ("lockstep.py", "--ticks", "-5", "no whole number"),
                                         ("lockstep.py", "--frequency", "1e999Hz", "too large"), ("manoeuvre.py", "bump", "--plot", "a.xyz", "ends in .png"),
                                         ("drive.py", "--csv", tmp_path, "cannot be written")):
        shown = run(program, *arguments)
        assert (shown.returncode, shown.stdout) == (2, "") and message in shown.stderr, shown.stderr
    missing = run("simulator.py", "--inputs", tmp_path / "missing.csv", "--no-view")
    assert (missing.returncode, missing.stderr) == (1, f"{tmp_path}/missing.csv: No such file or directory\n")


def test_a_drive_whose_inputs_are_not_used_says_why(address, client, tmp_path):
    table = tmp_path / "drive.csv"
    with client.create_session("motor_four_bar") as session:
        drive = ("drive.py", "--server", address, "--session", session.name, "--duration", "300ms", "--csv", table)
        still = run(*drive)
        assert (still.returncode, still.stderr) == (1, f"drive: the session did not tick; start it with: tactus session start {session.name}\n")
        session.start()
        session.enter_safe_state()
        safe = run(*drive)
        assert safe.returncode == 1 and f"tactus clear --session {session.name}\n" in safe.stderr, safe.stderr
        assert "session.clear_safe_state()" in safe.stderr  # the warning of the client
    assert not table.exists()


def test_a_drive_of_a_session_in_lockstep_says_what_makes_it_tick(address, client):
    with client.create_session("motor_four_bar", clock="lockstep") as session:
        still = run("drive.py", "--server", address, "--session", session.name, "--duration", "300ms")
        assert (still.returncode, still.stdout) == (1, "")
        assert f"session {session.name} is in lockstep: each tick waits for an input, and this program waits for ticks; run lockstep.py, or make" in still.stderr
        assert "session start" not in still.stderr


def test_no_server_is_exit_code_3(tmp_path):
    shown = run("lockstep.py", "--server", f"unix:{tmp_path}/nobody.sock")
    assert (shown.returncode, shown.stdout) == (3, "")
    assert "Traceback" not in shown.stderr


def test_an_unknown_model_is_exit_code_1(address):
    shown = run("lockstep.py", "--server", address, "--model", "motor_for_bar")
    assert shown.returncode == 1
    assert "motor_four_bar" in shown.stderr


def test_a_model_without_inputs_is_refused_in_words(address, client):
    with client.create_session("spin_top", clock="lockstep") as session:
        for program, *arguments in (("lockstep.py", "--model", "spin_top"), ("drive.py", "--session", session.name)):
            shown = run(program, "--server", address, *arguments)
            assert (shown.returncode, shown.stdout) == (1, ""), program
            assert re.fullmatch(r"session '.+' has no inputs to drive; choose another model\n", shown.stderr), shown.stderr


def test_tyre_curves_are_plotted_from_csv_and_an_empty_input_is_refused(tmp_path):
    names = ["load", "slip", "longitudinal", "lateral", "aligning", "combined_longitudinal", "combined_lateral"]
    rows = [[f, slip, f * slip, f * slip, slip, f * slip, f * slip] for f in (2e3, 4e3) for slip in (0, 0.1)]
    text = "\n".join([",".join(names)] + [",".join(map(str, row)) for row in rows]) + "\n"
    picture = tmp_path / "curves.png"
    command = [sys.executable, EXAMPLES / "tyre_curves.py", picture]
    subprocess.run(command, input=text, text=True, check=True, capture_output=True)
    assert picture.stat().st_size > 10_000
    refused = subprocess.run(command, input=",".join(names) + "\n", text=True, capture_output=True)
    assert refused.returncode == 1
    assert "the input is empty" in refused.stderr
