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

# A sanitizer build, and one without pybind11-dev, has no tactus.Simulation.
HAS_NATIVE = any((BUILD / "python/tactus").glob("_native*.so"))
IS_SANITIZED = "TACTUS_SANITIZE:STRING=\n" not in (BUILD / "CMakeCache.txt").read_text()
needs_native = pytest.mark.skipif(not HAS_NATIVE, reason="the build has no target tactus_native")


class Server:
    """``tactus serve`` at an address, from the moment its session runs to the end of the block.

    `prefix` is a command that runs it with other rights.
    """

    def __init__(self, address, *arguments, prefix=(), stderr=None):
        priority = [] if "--priority" in arguments else ["--priority", "0"]
        command = [*prefix, BUILD / "tactus", "serve", "--listen", address, *priority, *arguments]
        self.address = address
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=stderr, text=True)
        try:
            if not any(line.startswith("endpoint") for line in self.process.stdout):
                raise RuntimeError(f"tactus serve ended with status {self.process.wait()}")
        except BaseException:
            self.kill()
            raise
        # What it prints from now on must not fill the pipe.
        threading.Thread(target=self.process.stdout.read, daemon=True).start()

    def stop(self):
        """Asks it to end, and waits; returns its exit status."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=60)

    def kill(self):
        """Ends it at once."""
        self.process.kill()
        self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        if self.process.poll() is None:
            self.kill()


@pytest.fixture(scope="session")
def address(tmp_path_factory):
    """Where the server of the test run listens. It runs the default model in lockstep, and what the tests create."""
    with Server(f"unix:{tmp_path_factory.mktemp('server')}/tactus.sock", "--clock", "lockstep") as server:
        yield server.address
        assert server.stop() == 0


@pytest.fixture
def own_server(tmp_path):
    """A server that the test may end; its session "main" runs in real time."""
    with Server(f"unix:{tmp_path}/tactus.sock") as server:
        yield server


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
