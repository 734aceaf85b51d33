"""Floods against `tactus serve` without HAProxy, in plaintext and with a certificate. Usage: flood_test.py PROGRAM

Needs the Python client on the path. TACTUS_FLOOD_SECONDS=60 makes the flood of resets as long; by default it has 20 s.
"""
# Covers: server/door/traffic_watch.cpp, server/door/frame_budget.cpp, server/service/connection_guard.cpp

import contextlib
import json
import os
import pathlib
import resource
import socket
import subprocess
import sys
import tempfile
import time
import unittest

import tactus

PROGRAM = sys.argv.pop(1)
SECONDS = float(os.environ.get("TACTUS_FLOOD_SECONDS", "20"))
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("TACTUS_T")}
FLOODER = pathlib.Path(__file__).with_name("flooder.py")
THREADS = 400 + 50  # Limits::threads, and those of gRPC's core, of two sessions and of the server itself


def run(*arguments):
    subprocess.run([PROGRAM, *arguments], check=True, stdout=subprocess.DEVNULL, timeout=120)


def status(process, name):
    with open(f"/proc/{process.pid}/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(name))


class Flood(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.keeper = tempfile.TemporaryDirectory()
        cls.ca = f"{cls.keeper.name}/ca"
        run("certificate", "new-ca", "--folder", cls.ca)
        run("certificate", "issue", "--folder", cls.ca, "--name", "server", "--host", "localhost")
        for name in ("driver", "flooder"):
            run("certificate", "issue", "--folder", cls.ca, "--name", name, "--role", "control")

    @classmethod
    def tearDownClass(cls):
        cls.keeper.cleanup()

    def files(self, name):
        return [f"{self.ca}/ca.crt", f"{self.ca}/{name}.crt", f"{self.ca}/{name}.key"]

    def serve(self, tls, **named):
        command = [PROGRAM, "serve", "motor_four_bar", "--priority", "0", "--listen", "127.0.0.1:0"]
        if tls:
            command += ["--tls-client-ca", f"{self.ca}/ca.crt", "--tls-cert", f"{self.ca}/server.crt", "--tls-key",
                        f"{self.ca}/server.key"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=ENVIRONMENT,
                                  **named)
        self.addCleanup(server.stdout.close)
        self.addCleanup(server.wait)
        self.addCleanup(server.kill)
        address = next(line.split()[1] for line in server.stdout if line.startswith("endpoint"))
        return server, address.replace("127.0.0.1", "localhost")

    def connect(self, address, tls):
        named = dict(zip(("tls_ca", "tls_cert", "tls_key"), self.files("driver"))) if tls else {}
        client = tactus.connect(address, timeout=30, **named)
        self.addCleanup(client.close)
        return client

    def served(self, address, tls):
        """The time until a program that connects now is served, s. Where every thread is taken it is refused at once."""
        command = [PROGRAM, "session", "list", "--server", address]
        if tls:
            command += [part for pair in zip(("--tls-ca", "--tls-cert", "--tls-key"), self.files("driver")) for part in pair]
        begin = time.monotonic()
        while subprocess.run(command, capture_output=True, env=ENVIRONMENT, timeout=60).returncode != 0:
            self.assertLess(time.monotonic() - begin, 60)
        return time.monotonic() - begin

    def flood(self, kind, tls, seconds):
        """An honest client steps at 1 kHz while four connections flood."""
        server, address = self.serve(tls)
        session = self.connect(address, tls).create_session("motor_four_bar", clock="lockstep")
        with session.tick(inputs=["motor"], outputs=["crank_angle"]) as drive:
            first = drive.step([0.1]).tick
            before, memory, threads, steps = status(server, "VmRSS"), 0, 0, 0
            command = [sys.executable, "-B", FLOODER, kind, address.replace("localhost", "127.0.0.1"), "--connections", "4",
                       "--seconds", "600"]
            attacker = subprocess.Popen(command + (["--tls", *self.files("flooder")] if tls else []),
                                        stdout=subprocess.PIPE, text=True)
            self.addCleanup(attacker.kill)
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                steps += 1
                # No tick of this client is lost, and its stream goes on.
                self.assertEqual(drive.step([0.1]).tick, first + steps)
                if steps % 20 == 0:
                    memory = max(memory, status(server, "VmRSS") - before)
                    threads = max(threads, status(server, "Threads"))
                time.sleep(0.001)
            during = self.served(address, tls)
            attacker.terminate()
            sent = json.loads(attacker.communicate(timeout=60)[0])
            after = self.served(address, tls)
            self.assertEqual(drive.step([0.1]).tick, first + steps + 1)
        print(f"{kind}, {'mutual TLS' if tls else 'plaintext'}, {seconds:.0f} s: {sent}; {steps} honest steps; "
              f"{memory / 1024:.0f} MiB more, {threads} threads; a new client served after "
              f"{during:.2f} s, {after:.2f} s after the flood", file=sys.stderr)
        self.assertGreater(sent["connections"], 4)  # the server has closed some
        self.assertGreater(steps, 5)  # how many depends on what else the machine does
        self.assertLess(memory, 256 * 1024)  # KiB; without the watch 12 GiB in 60 s
        self.assertLess(threads, THREADS)
        server.terminate()
        self.assertEqual(server.wait(timeout=60), 0)

    def test_a_flood_of_resets_reaches_neither_an_honest_client_nor_memory(self):
        for tls in (False, True):
            with self.subTest(tls=tls):
                self.flood("reset", tls, SECONDS)

    def test_neither_do_calls_that_the_server_resets_or_that_never_end_nor_frames_without_a_call(self):
        for kind in ("reset-by-server", "open-calls", "header-bomb", "ping"):
            with self.subTest(kind=kind):
                self.flood(kind, False, 3)

    def test_more_connections_than_descriptors_do_not_end_the_listening(self):
        limit = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (200, 200))
        server, address = self.serve(False, preexec_fn=limit)
        session = self.connect(address, False).create_session("motor_four_bar", clock="lockstep")
        with session.tick(inputs=["motor"], outputs=["crank_angle"]) as drive, contextlib.ExitStack() as open_ones:
            host, port = address.split(":")
            for _ in range(400):
                open_ones.enter_context(socket.create_connection(("127.0.0.1", int(port)), 10))
            self.assertEqual(drive.step([0.1]).tick + 1, drive.step([0.1]).tick)
            open_ones.close()
            self.served(address, False)
        self.assertIsNone(server.poll())


if __name__ == "__main__":
    unittest.main()
