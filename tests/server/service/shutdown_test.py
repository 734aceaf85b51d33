"""How long `tactus serve` takes to end. Usage: shutdown_test.py PROGRAM

Needs the Python client on the path.
"""
# Covers: server/service/download_call.cpp, server/service/server.cpp

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import tactus
from tactus.v1 import simulation_pb2 as pb

PROGRAM = sys.argv.pop(1)


class Shutdown(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def serve(self, *words):
        command = [PROGRAM, "serve", "--priority", "0", "--recordings", self.folder, "--disk-reserve", "0", *words]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.addCleanup(self.process.kill)
        for line in self.process.stdout:
            found = re.match(r"endpoint +(\S+)$", line)
            if found:
                client = tactus.connect(found[1])
                self.addCleanup(client.close)
                return client
        self.fail("the server has not started")

    def seconds_to_end(self):
        begin = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        self.process.communicate(timeout=120)
        self.assertEqual(self.process.returncode, 0)
        return time.monotonic() - begin

    def test_downloads_that_nobody_reads_do_not_delay_the_end(self):
        for listen in ("127.0.0.1:0", f"unix:{self.folder}/s"):
            with self.subTest(listen=listen):
                client = self.serve("sedan", "--clock", "free-run", "--listen", listen)
                name, path = f"big-{listen[0]}", os.path.join(self.folder, f"big-{listen[0]}.mcap")
                client.session("main").record("*", name=name)
                # 32 MiB: more than the buffers of a connection and of its client hold.
                end = time.monotonic() + 100
                while not os.path.exists(path) or os.path.getsize(path) < 32 << 20:
                    self.assertLess(time.monotonic(), end)
                    time.sleep(0.05)
                client.stop_recording(name)
                client.session("main").pause()
                request = pb.DownloadRecordingRequest(name=name, chunk_bytes=1 << 20)
                unread = [client.stub.DownloadRecording(request) for _ in range(2)]
                for stream in unread:
                    next(stream)
                time.sleep(1)  # until the buffers are full
                # Calls are cancelled after 0.15 s and connections closed after 0.25 s; a loaded machine takes some seconds.
                # gRPC alone takes 7 to 12 s: it waits for the write, and at its end for the thread that polls for it.
                self.assertLess(self.seconds_to_end(), 5)


if __name__ == "__main__":
    unittest.main()
