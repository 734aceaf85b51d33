"""A server for the tests: the real program on a Unix socket, started once and stopped at the end."""

import os
import pathlib
import signal
import subprocess
import threading

import pytest

import tactus

BUILD = pathlib.Path(os.environ["TACTUS_BUILD_DIR"])
SOURCE = pathlib.Path(__file__).resolve().parents[2]


def start_server(address, *arguments):
    """``tactus serve`` at an address; returns the process once its session runs. Its output is read and forgotten."""
    command = [BUILD / "tactus", "serve", "--listen", address, "--priority", "0", *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    if not any(line.startswith("endpoint") for line in process.stdout):
        raise RuntimeError(f"tactus serve ended with status {process.wait()}")
    threading.Thread(target=process.stdout.read, daemon=True).start()
    return process


@pytest.fixture(scope="session")
def address(tmp_path_factory):
    """Where the server of the test run listens. It runs the default model in lockstep, and what the tests create."""
    address = f"unix:{tmp_path_factory.mktemp('server')}/tactus.sock"
    process = start_server(address, "--clock", "lockstep")
    yield address
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=60) == 0


@pytest.fixture
def client(address):
    """A connection that closes with the test."""
    with tactus.connect(address) as connection:
        yield connection


@pytest.fixture
def lockstep(client):
    """A session of motor_four_bar in lockstep, started."""
    with client.create_session("motor_four_bar", clock="lockstep", period="1ms") as session:
        session.start()
        yield session


@pytest.fixture
def realtime(client):
    """A session of motor_four_bar in real time at 1 kHz, started."""
    with client.create_session("motor_four_bar", clock="real-time", period="1ms") as session:
        session.start()
        yield session
