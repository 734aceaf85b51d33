"""The frame that the example programs share: help, durations and exit codes."""

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
    assert "write 250us, 1ms, 2s or 500Hz" in shown.stderr


def test_no_server_is_exit_code_3(tmp_path):
    shown = run("lockstep.py", "--server", f"unix:{tmp_path}/nobody.sock")
    assert (shown.returncode, shown.stdout) == (3, "")
    assert "Traceback" not in shown.stderr


def test_an_unknown_model_is_exit_code_1(address):
    shown = run("lockstep.py", "--server", address, "--model", "motor_for_bar")
    assert shown.returncode == 1
    assert "motor_four_bar" in shown.stderr
