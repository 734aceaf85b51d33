"""The snippets of the pages run as they are printed: Python blocks against a server, shell blocks against the program.

A page's Python block is a whole program, and the address 127.0.0.1:50051 in it stands for that of the test's server. Of
shell blocks the lines that begin with `tactus` are run, in a folder in which the tree and the build appear where the
pages expect them; those that need a running server are given its address. Lines that serve, or name a file that the
reader is to bring, are not run.
"""

import os
import re
import shlex
import subprocess
import sys

import pytest

from conftest import BUILD, SOURCE

PAGES = ["README.md", "clients/README.md", "clients/python/README.md"]
ADDRESS = "127.0.0.1:50051"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)
BROUGHT = re.compile(r"\bmy\.json\b|\btactus serve\b|link\.txt")
REMOTE = {"timing", "signals", "get", "set", "safe", "clear", "snapshot", "recording"}


def blocks(language):
    """(page and number, text) of each block of a language."""
    found = []
    for page in PAGES:
        texts = [text for kind, text in BLOCK.findall((SOURCE / page).read_text()) if kind == language]
        found += [pytest.param(text, id=f"{page} {number}") for number, text in enumerate(texts, start=1)]
    return found


def commands(text):
    """The lines of a shell block that run the program."""
    lines = [line.split(" #")[0].strip() for line in text.splitlines()]
    return [line for line in lines if line.startswith("tactus ") and not BROUGHT.search(line)]


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """A folder that looks like a checkout with its build, in which commands may leave files."""
    folder = tmp_path_factory.mktemp("checkout")
    (folder / "build").mkdir()
    (folder / "build" / "release").symlink_to(BUILD, target_is_directory=True)
    for name in ("server", "clients", "tests"):
        (folder / name).symlink_to(SOURCE / name, target_is_directory=True)
    return folder


def test_the_first_page_has_both_kinds_of_snippets():
    assert any("README.md" in block.id and "clients" not in block.id for block in blocks("python"))
    assert sum(len(commands(block.values[0])) for block in blocks("sh")) >= 8


@pytest.mark.parametrize("text", blocks("python"))
def test_a_python_snippet_runs_as_printed(text, address, tmp_path):
    program = tmp_path / "snippet.py"
    program.write_text(text.replace(ADDRESS, address))
    result = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, timeout=500, cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert result.stdout.strip(), "a snippet shows what came of it"


@pytest.mark.parametrize("text", [block for block in blocks("sh") if commands(block.values[0])])
def test_the_commands_of_a_shell_snippet_succeed_in_their_order(text, own_server, checkout):
    environment = os.environ | {"PATH": f"{BUILD}:{os.environ['PATH']}"}
    for command in commands(text):
        words = shlex.split(command)
        if words[1] in REMOTE:
            command += f" --server {own_server.address}"
        result = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=500, cwd=checkout,
                                env=environment)
        # 1 is a finding, which tells of the host or the model; `tactus doctor` has some on most hosts.
        accepted = (0, 1) if words[1] == "doctor" else (0,)
        assert result.returncode in accepted, f"{command}\n{result.stdout}{result.stderr}"
