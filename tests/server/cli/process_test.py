"""`tactus` with closed or full standard streams and with few resources. Usage: process_test.py PROGRAM"""
# Covers: server/cli/descriptor_limit.cpp, server/cli/standard_streams.cpp, server/main.cpp

import contextlib
import fcntl
import os
import pty
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import thread_sanitizer

PROGRAM = sys.argv.pop(1)
UNWRITABLE = "tactus: standard output cannot be written\n"


class Process(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def run_program(self, *words, closed=(), limits=(), **streams):
        """The program with some descriptors closed and some limits of resources, (KIND, SOFT, HARD)."""
        def prepare():
            for kind, soft, hard in limits:
                resource.setrlimit(kind, (soft, hard))
            for descriptor in closed:
                os.close(descriptor)

        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams}
        return subprocess.run([PROGRAM, *words], text=True, timeout=120, preexec_fn=prepare, **streams)

    def serve(self, *words, **more):
        return self.run_program("serve", "--listen", f"unix:{self.path('s')}", "--priority", "0", *(() if "--duration" in words else ("--duration", "300ms")), *words, **more)

    def test_a_token_does_not_go_into_a_file_in_the_place_of_a_closed_stdout(self):
        for closed in ((1,), (0, 1), (0, 1, 2)):
            with self.subTest(closed=closed):
                new = self.run_program("token", "new", "--name", "lab", "--role", "control", "--file",
                                       self.path("tokens"), closed=closed)
                self.assertEqual(new.returncode, 2)
                self.assertFalse(os.path.exists(self.path("tokens")))

    def test_what_is_not_printed_is_not_a_success(self):
        ca = ("--folder", self.path("ca"))
        for words in (("models",), ("model", "print", "sedan"), ("run", "four_bar", "--until", "10ms"),
                      ("certificate", "new-ca", *ca), ("certificate", "issue", *ca, "--name", "lab", "--role", "control"),
                      ("certificate", "revoke", *ca, "--name", "lab"), ("--version",), ("--help",)):
            with self.subTest(words=words), open("/dev/full", "w") as full:
                done = self.run_program(*words, stdout=full)
                self.assertEqual((done.returncode, done.stderr[-len(UNWRITABLE):]), (2, UNWRITABLE))
        self.assertEqual(self.run_program("models", closed=(1,)).returncode, 2)
        done = self.run_program("models", closed=(0, 2))
        self.assertEqual(done.returncode, 0)
        self.assertIn("four_bar", done.stdout)

    def test_a_server_continues_without_its_standard_streams(self):
        self.assertEqual(self.serve(closed=(0, 1, 2)).returncode, 0)
        with open("/dev/full", "w") as full:
            self.assertEqual(self.serve(stdout=full).returncode, 0)

    def test_a_server_on_a_terminal_that_nobody_reads_ends_at_sigterm(self):
        ours, its = pty.openpty()
        full = os.open(os.ttyname(its), os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK)
        self.addCleanup(lambda: [os.close(descriptor) for descriptor in (ours, its, full)])
        for _ in range(3):  # the terminal moves what it holds, and has room again
            with contextlib.suppress(BlockingIOError):
                while True:
                    os.write(full, b"x" * 100)
            time.sleep(0.05)
        os.read(ours, 1000)  # room for a part of what the server prints
        words = [PROGRAM, "serve", "motor_four_bar", "--listen", f"unix:{self.path('s')}", "--priority", "0", "--report-every", "20ms"]
        for streams in ({"stdout": its, "stderr": subprocess.DEVNULL}, {"stdout": its, "stderr": its}):
            with subprocess.Popen(words, **streams) as server:
                while not os.path.exists(self.path("s")):
                    self.assertIsNone(server.poll())
                    time.sleep(0.02)
                time.sleep(0.2)  # time for ten reports
                server.send_signal(signal.SIGTERM)
                try:
                    self.assertEqual(server.wait(timeout=30), 0)
                finally:
                    server.kill()
        # Other processes have the terminal as it was.
        self.assertFalse(fcntl.fcntl(its, fcntl.F_GETFL) & os.O_NONBLOCK)

    def test_a_server_on_a_terminal_prints_its_end(self):
        ours, its = pty.openpty()
        with subprocess.Popen([PROGRAM, "serve", "motor_four_bar", "--listen", f"unix:{self.path('s')}", "--priority", "0", "--duration", "300ms",
                               "--report-every", "20ms"], stdout=its, stderr=its) as server:
            os.close(its)
            shown = b""
            with contextlib.suppress(OSError):  # its end
                while part := os.read(ours, 4096):
                    shown += part
            self.assertEqual(server.wait(timeout=120), 0)
        os.close(ours)
        self.assertGreater(shown.count(b"missed deadlines"), 2)
        self.assertRegex(shown, rb"endpoint  unix:[\s\S]*state hash: [0-9a-f]{16}\r\n")

    def test_the_maximum_size_of_a_file_ends_what_is_written_and_not_the_program(self):
        size = [(resource.RLIMIT_FSIZE, 512 << 10, 512 << 10)]  # bytes: 100 ticks, all signals of the sedan are 5 KiB a tick
        done = self.serve("sedan", "--clock", "free-run", "--duration", "1s", "--record", self.path("a.mcap"), "--record-signals", "*", limits=size)
        self.assertGreaterEqual(done.returncode, 0, done.stderr)  # no signal
        self.assertIn("state hash: ", done.stdout)
        self.assertIn("File too large", done.stderr)

        if thread_sanitizer.watches(PROGRAM):
            return  # it writes a file before main(), and the next limit is 0
        ca = ("--folder", self.path("ca"))
        self.assertEqual(self.run_program("certificate", "new-ca", *ca).returncode, 0)
        before = set(os.listdir(self.path("ca")))
        done = self.run_program("certificate", "issue", *ca, "--name", "lab", "--role", "control",
                                limits=[(resource.RLIMIT_FSIZE, 0, 0)])
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        self.assertIn("File too large", done.stderr)
        self.assertEqual(set(os.listdir(self.path("ca"))), before)

    def test_a_server_raises_its_limit_of_descriptors_and_refuses_one_that_is_too_low(self):
        for hard, code in ((159, 2), (160, 0)):
            done = self.serve(limits=[(resource.RLIMIT_NOFILE, 64, hard)])
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertEqual("may open 159 files and connections, and a server needs 160" in done.stderr, code == 2)


if __name__ == "__main__":
    unittest.main()
