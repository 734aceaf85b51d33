"""The package is typed: mypy accepts it strictly, and finds misspelt names and words in a program that uses it."""
# Covers: clients/python/tactus/py.typed, clients/python/tactus/_native.pyi

import os
import shutil
import subprocess

import pytest

from conftest import BUILD, SOURCE

PACKAGE = BUILD / "python"
MYPY = shutil.which("mypy", path=f"/usr/bin:{os.environ['PATH']}")
PROGRAM = """
import tactus

with tactus.connect() as client:
    with client.create_session("four_bar", clock="{clock}") as session:
        session.{method}()
        value: {kind} = session.read("energy.total")["energy.total"]
        block = session.run(10, outputs=["*"])
        hash: str = tactus.Simulation("four_bar", iterations=3).state_hash
"""

pytestmark = pytest.mark.skipif(MYPY is None, reason="mypy is not installed")


def mypy(*arguments, folder, cwd=PACKAGE):
    configuration = SOURCE / "clients/python/pyproject.toml"
    command = [MYPY, "--config-file", configuration, "--cache-dir", folder.parent / "mypy_cache", *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, timeout=500,
                          env=os.environ | {"MYPYPATH": str(PACKAGE)})


def test_the_package_passes_strictly(tmp_path):
    result = mypy("-p", "tactus", folder=tmp_path)
    assert result.returncode == 0, result.stdout
    assert (PACKAGE / "tactus/py.typed").exists()


def test_the_examples_pass_strictly(tmp_path):
    examples = SOURCE / "clients/python/examples"
    result = mypy(*sorted(examples.glob("*.py")), folder=tmp_path, cwd=examples)
    assert result.returncode == 0, result.stdout


def test_a_misspelt_name_word_or_type_in_a_program_is_found(tmp_path):
    def check(**words):
        program = tmp_path / "program.py"
        program.write_text(PROGRAM.format(**{"clock": "lockstep", "method": "step", "kind": "float"} | words))
        return mypy(program, folder=tmp_path)

    assert check().returncode == 0, check().stdout
    for words, complaint in (
        ({"clock": "lockstepp"}, "create_session"),
        ({"method": "stepp"}, "stepp"),
        ({"kind": "str"}, "float"),
    ):
        result = check(**words)
        assert result.returncode == 1
        assert complaint in result.stdout
