"""The snippets of all pages run as they are printed: Python blocks against a server, shell blocks against the program.

A page's Python block is a whole program, and the address 127.0.0.1:50051 in it stands for that of the test's server. Of
shell blocks the lines that begin with `tactus` or with a program of the build are run, in a folder in which the tree and
the build appear where the pages expect them, beside the files that a reader is to bring: my.json, a.mcap and b.mcap. A
server that a block starts runs until the end of the block. Lines that install or build, and scripts with tests of their
own, are not run; C++ and the vectors of the wire have tests of their own (first_program_test.py, wire_page_test.cpp).
"""

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys

import pytest

from conftest import BUILD, HAS_NATIVE, IS_SANITIZED, SOURCE, Server

FOLDERS = ("server", "clients", "rt", "proto", "tests", "docker", ".github")
PAGES = ["README.md"] + sorted(
    str(path.relative_to(SOURCE)) for folder in FOLDERS for path in (SOURCE / folder).rglob("*.md"))
ADDRESS = "127.0.0.1:50051"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)
# A program that a snippet gives to python3.
HERE_DOCUMENT = re.compile(r"^python3 - <<END\n.*?^END$", re.M | re.S)
DOCUMENT = "(document)"
# Road 7 of the pages, far from the origin.
TRACK = """<OpenDRIVE><header revMajor="1" revMinor="6"/><road name="a" length="300" id="7" junction="-1"><planView>
<geometry s="0" x="500000" y="5400000" hdg="0" length="300"><line/></geometry></planView><lanes><laneSection s="0"><left>
<lane id="1" type="driving"><width sOffset="0" a="5" b="0" c="0" d="0"/></lane></left><center><lane id="0" type="none"/></center>
<right><lane id="-1" type="driving"><width sOffset="0" a="5" b="0" c="0" d="0"/></lane></right></laneSection></lanes></road>
</OpenDRIVE>"""
REMOTE = {"timing", "signals", "get", "set", "safe", "clear", "snapshot", "recording", "link", "session"}
# What the test's machine does not have or would take too long with, and what stands for it.
INSTEAD = [(re.compile(r"--cpu \d+"), "--cpu 0"), (re.compile(r"--self-test \S+"), "--self-test 100ms"),
           (re.compile(r"--udp 127\.0\.0\.1:\d+"), "--udp 127.0.0.1:0")]
SHORTER = {"doctor": "--duration 300ms", "commtest": "--duration 500ms",
           "qualify": "--duration 100ms --reruns 1 --priority 0"}
# Status 1 is a finding, which tells of the host or the network.
MAY_FIND = {"doctor", "qualify", "commtest"}


def blocks(language):
    """(page and number, text) of each block of a language."""
    found = []
    for page in PAGES:
        texts = [text for kind, text in BLOCK.findall((SOURCE / page).read_text()) if kind == language]
        found += [pytest.param(text, id=f"{page} {number}") for number, text in enumerate(texts, start=1)]
    return found


def commands(text):
    """The lines of a shell block that run the program or another one of the build, or that write a file for them."""
    lines = [line.split(" #")[0].strip() for line in HERE_DOCUMENT.sub(DOCUMENT, text).splitlines()]
    documents = iter(HERE_DOCUMENT.findall(text))
    return [next(documents) if line == DOCUMENT else line for line in lines
            if line.startswith(("tactus ", "build/release/", "echo ", DOCUMENT)) or (line.startswith("python3 -c ") and " > " in line)]


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """A folder that looks like a checkout with its build, in which commands may leave files."""
    folder = tmp_path_factory.mktemp("checkout")
    (folder / "build").mkdir()
    (folder / "build" / "release").symlink_to(BUILD, target_is_directory=True)
    for name in ("server", "clients", "tests"):
        (folder / name).symlink_to(SOURCE / name, target_is_directory=True)
    shutil.copy(SOURCE / "server/models/motor_four_bar.json", folder / "my.json")
    (folder / "track.xodr").write_text(TRACK)
    recording = [BUILD / "tactus", "run", "motor_four_bar", "--until", "100ms", "--out", "a.mcap"]
    subprocess.run(recording, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    shutil.copy(folder / "a.mcap", folder / "b.mcap")
    return folder


@pytest.fixture
def mechanism(tmp_path):
    """A server of the mechanism of the pages, with a port for devices and a folder for recordings."""
    arguments = ["motor_four_bar", "--udp", "127.0.0.1:0", "--recordings", str(tmp_path / "recordings")]
    with Server(f"unix:{tmp_path}/mechanism.sock", *arguments) as server:
        yield server.address


class Shell:
    """Runs the lines of a block in their order, against a server of the test or one that the block starts."""

    def __init__(self, folder, server, sockets):
        self.folder, self.default, self.server, self.sockets = folder, server, server, sockets
        self.environment = os.environ | {"PATH": f"{BUILD}:{os.environ['PATH']}"}
        self.served = None

    def run(self, line):
        if line.startswith(("echo ", "python3 ")):
            return self.command(line, "")
        for pattern, text in INSTEAD:
            line = pattern.sub(text, line)
        word = shlex.split(line)[1]
        if line.startswith("tactus serve"):
            self.serve(line)
        elif line.startswith(("tactus timing --watch", "tactus watch")):
            self.watch(line)
        else:
            if line.startswith("tactus ") and word not in REMOTE | {"commtest"}:
                self.end()  # the reader, too, ends the server before working on what it recorded
            if line.startswith("tactus recording download"):  # "after it has ended"
                self.command(f"tactus recording stop {shlex.split(line)[3]} --server {self.server}", "recording")
            if line.startswith("tactus ") and word in REMOTE:
                line += f" --server {self.server}"
            shorter = "" if "--no-test" in line else SHORTER.get(word, "")
            self.command(f"{line.replace(ADDRESS, self.default)} {shorter}", word)

    def command(self, line, word):
        result = subprocess.run(line, shell=True, capture_output=True, text=True, timeout=500, cwd=self.folder,
                                env=self.environment)
        assert result.returncode in ((0, 1) if word in MAY_FIND else (0,)), f"{line}\n{result.stdout}{result.stderr}"

    def serve(self, line):
        self.server = f"unix:{self.sockets}/served.sock"
        priority = "" if "--priority" in line else " --priority 0"
        self.served = subprocess.Popen(shlex.split(f"{line}{priority} --listen {self.server}"), stdout=subprocess.PIPE,
                                       text=True, cwd=self.folder, env=self.environment)
        assert any(text.startswith("endpoint") for text in self.served.stdout), line

    def watch(self, line):
        """Until its first report."""
        watching = subprocess.Popen(shlex.split(f"{line} --server {self.server}"), stdout=subprocess.PIPE, text=True,
                                    cwd=self.folder, env=self.environment)
        assert watching.stdout.readline(), line
        watching.send_signal(signal.SIGINT)
        watching.communicate(timeout=60)

    def end(self):
        if self.served:
            self.served.send_signal(signal.SIGTERM)
            self.served.communicate(timeout=60)
            assert self.served.returncode == 0
            self.served, self.server = None, self.default


def test_the_pages_have_the_snippets_that_they_had():
    pages = {block.id.rsplit(" ", 1)[0] for block in blocks("sh") if commands(block.values[0])}
    assert {"README.md", "clients/udp/README.md", "server/doc/recordings.md", "server/doc/sessions.md",
            "server/doctor/tuning.md"} <= pages
    assert any(block.id.startswith("README.md") for block in blocks("python"))
    assert sum(len(commands(block.values[0])) for block in blocks("sh")) >= 24


@pytest.mark.parametrize("text", blocks("python"))
def test_a_python_snippet_runs_as_printed(text, address, tmp_path):
    if not HAS_NATIVE and re.search(r"tactus\.(Simulation|rollout|offline|sweep|build)", text):
        pytest.skip("the build has no target tactus_native")
    program = tmp_path / "snippet.py"
    program.write_text(text.replace(ADDRESS, address))
    result = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, timeout=500, cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert result.stdout.strip(), "a snippet shows what came of it"


@pytest.mark.parametrize("text", [block for block in blocks("sh") if commands(block.values[0])])
def test_the_commands_of_a_shell_snippet_succeed_in_their_order(text, mechanism, checkout, tmp_path):
    if not HAS_NATIVE and "tactus sweep" in text:
        pytest.skip("the build has no target tactus_native")
    if IS_SANITIZED and "fmu check" in text:
        pytest.skip("a sanitizer makes a thousand steps of a car too slow for the time of a command")
    shell = Shell(checkout, mechanism, tmp_path)
    try:
        for line in commands(text):
            shell.run(line)
    finally:
        shell.end()
