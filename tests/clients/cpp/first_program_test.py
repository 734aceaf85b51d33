"""The first C++ program of clients/cpp/README.md, compiled as it is printed, drives a server."""
import subprocess

from conftest import BUILD


def test_the_first_program_runs_as_printed(address):
    program = BUILD / "tests/clients/cpp/first_program"
    result = subprocess.run([program, address], capture_output=True, text=True, timeout=300)
    assert result.returncode == 0, result.stderr
    angles = [float(line) for line in result.stdout.split()]
    assert len(angles) == 1000
    assert angles[-1] != angles[0]
