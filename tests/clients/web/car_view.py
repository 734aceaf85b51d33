"""A server with a car, its view, and scripts that look at the view in Chromium: what the tests of the view share.

`main()` of a test takes PROGRAM VIEW_FOLDER, builds the bridge and the page into VIEW_FOLDER, and runs its tests. Exit
status 77 where node, npm, Chromium or, for the first build, the registry of npm is missing: the test is skipped.
"""
import contextlib
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
BUILD_SCRIPT = HERE.parents[2] / "clients" / "web" / "build.sh"
LOCK = HERE.parents[2] / "clients" / "web" / "package-lock.json"
SKIPPED = 77
# The sedan rolls at 20 m/s. The limit of 2 s leaves a browser on a loaded host time to send.
SETTINGS = ["--priority", "0", "--miss-limit", "2000"]


class Paths:
    """Of the program and of the folder with the built view; set by main()."""
    program, folder = None, None


@contextlib.contextmanager
def running(*command, until):
    """A program, from the line that begins with `until` to the end of the block; yields it and that line."""
    process = subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, text=True)
    try:
        line = next((line for line in process.stdout if line.startswith(until)), None)
        if line is None:
            raise RuntimeError(f"{command} ended with status {process.wait()}")
        yield process, line
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()


def server(*arguments, listen="127.0.0.1:0", model="sedan", settings=SETTINGS):
    return running(Paths.program, "serve", model, *settings, "--listen", listen, *arguments, until="endpoint")


def view(address, *arguments):
    return running(Paths.program, "view", "--server", address, "--port", "0", *arguments, until="view: ")


@contextlib.contextmanager
def car_in_view(*arguments):
    """A server, and the URL of its view."""
    with server(*arguments) as (process, endpoint):
        with view(address_of(endpoint)) as (_, line):
            yield process, line.split()[1]


def address_of(endpoint):
    return endpoint.split()[1].rstrip(",")


def node(script, *arguments):
    done = subprocess.run(["node", HERE / script, *map(str, arguments)], stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise AssertionError(f"{script} {arguments[0]} ended with status {done.returncode}")
    return json.loads(done.stdout)


def scene(script, name, url, out, *more):
    """What a scene of a script finds."""
    return node(script, name, Paths.folder, url, out, *more)


def sources():
    """A hash of all that the view is built from."""
    total = hashlib.sha256()
    for root in (BUILD_SCRIPT.parent, HERE.parents[2] / "proto"):
        for path in sorted(path for path in root.rglob("*") if path.is_file()):
            total.update(str(path.relative_to(root)).encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def build():
    """Builds and checks the view, once for each state of its sources. Skips where npm would have to install packages and its registry does not answer."""
    installed = Paths.folder / "installed"
    if not installed.exists() or installed.read_text() != LOCK.read_text():
        if subprocess.run(["npm", "ping"], capture_output=True).returncode != 0:
            print("the packages of clients/web are not installed, and the registry of npm does not answer")
            sys.exit(SKIPPED)
    checked, wanted = Paths.folder / "checked", sources()
    if checked.exists() and checked.read_text() == wanted:
        return
    subprocess.run([BUILD_SCRIPT, Paths.folder, "--check"], check=True)
    checked.write_text(wanted)


def installed(name):
    """A folder beside the built view with what HERE/name holds, and with the packages of its lock file.

    Installs them once for each state of the lock file. Skips the test where their registry is away.
    """
    folder = Paths.folder.resolve().parent / name
    shutil.copytree(HERE / name, folder, dirs_exist_ok=True)
    marker, lock = folder / "installed", (HERE / name / "package-lock.json").read_text()
    if not marker.exists() or marker.read_text() != lock:
        if subprocess.run(["npm", "ping"], capture_output=True).returncode != 0:
            raise unittest.SkipTest("the packages of Foxglove are not installed, and the registry of npm does not answer")
        subprocess.run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=folder, check=True)
        marker.write_text(lock)
    return folder


def main():
    Paths.program, Paths.folder = pathlib.Path(sys.argv.pop(1)), pathlib.Path(sys.argv.pop(1))
    for tool in ("node", "npm", "chromium"):
        if shutil.which(tool) is None:
            print(f"{tool} is not installed; docker/install_packages.sh view installs it")
            sys.exit(SKIPPED)
    os.environ["TACTUS_CHROMIUM"] = shutil.which("chromium")
    build()
    unittest.main()
