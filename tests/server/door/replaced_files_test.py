"""What strangers and replaced files do to `tactus serve` with TLS: it goes on, and says so in few lines.
Usage: replaced_files_test.py PROGRAM"""
# Covers: server/door/watched_certificates.cpp, server/door/grpc_log.cpp

import os
import re
import signal
import socket
import subprocess
import tempfile
import time
import unittest

import tactus
from door_test import ENVIRONMENT, PROGRAM, Server, tactus_program


class ReplacedFiles(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.ca = os.path.join(folder.name, "ca")
        tactus_program("certificate", "new-ca", "--folder", self.ca)
        for name, terms in (("bench", ("--host", "bench.example")), ("lab", ("--role", "admin"))):
            tactus_program("certificate", "issue", "--folder", self.ca, "--name", name, *terms)
        self.files = {"--tls-cert": f"{self.ca}/bench.crt", "--tls-key": f"{self.ca}/bench.key",
                      "--tls-client-ca": f"{self.ca}/ca.crt", "--tls-crl": f"{self.ca}/ca.crl"}
        self.arguments = [word for pair in self.files.items() for word in pair]
        self.client_ca = os.path.join(folder.name, "copy.crt")
        with open(f"{self.ca}/ca.crt") as file, open(self.client_ca, "w") as copy:
            copy.write(file.read())

    def connect(self, server):
        return tactus.connect(server.address, timeout=30.0, tls_ca=self.client_ca, tls_cert=f"{self.ca}/lab.crt",
                              tls_key=f"{self.ca}/lab.key")

    def test_a_folder_or_a_fifo_in_place_of_a_file_does_not_end_a_server(self):
        server = Server("127.0.0.1:0", *self.arguments)
        self.addCleanup(server.stop)
        for option, path in self.files.items():
            os.rename(path, path + ".kept")
            for make, what in ((os.mkdir, "folder"), (os.mkfifo, "regular file")):
                with self.subTest(option=option, what=what):
                    make(path)
                    before = len(server.log)
                    server.reload()
                    self.assertTrue(any("SIGHUP: " + option in line and what in line for line in server.log[before:]))
                    if option != "--tls-crl":  # the server has looked by itself, and gRPC may have
                        self.assertTrue(server.logged(f"[warning] {option} {path}: cannot be read: it is " +
                                                      ("a folder" if what == "folder" else "not a regular file")))
                    with self.connect(server) as client:
                        self.assertEqual(client.info().identity, "lab")
                    (os.rmdir if make is os.mkdir else os.remove)(path)
            os.rename(path + ".kept", path)
        self.assertIsNone(server.process.poll())
        self.assertEqual(server.stop(), 0)

    def test_other_authorities_and_their_list_are_in_force_together_or_not_at_all(self):
        server = Server("127.0.0.1:0", *self.arguments)
        self.addCleanup(server.stop)
        other = self.ca + "-other"
        tactus_program("certificate", "new-ca", "--folder", other)
        tactus_program("certificate", "issue", "--folder", other, "--name", "guest", "--role", "admin")

        def guest():
            return tactus.connect(server.address, timeout=5.0, tls_ca=self.client_ca, tls_cert=f"{other}/guest.crt",
                                  tls_key=f"{other}/guest.key")

        def assert_the_former_hold():
            with self.connect(server) as client:
                self.assertEqual(client.info().identity, "lab")
            with self.assertRaises(tactus.TactusError), guest() as client:
                client.info()

        former = self.connect(server)
        self.addCleanup(former.close)
        stream = former.session("main").observe(["crank_angle"])
        self.assertIsNotNone(stream.receive())
        os.rename(f"{self.ca}/ca.crt", f"{self.ca}/ca.kept")
        os.rename(f"{other}/ca.crt", f"{self.ca}/ca.crt")
        self.assertTrue(server.logged(f"--tls-client-ca {self.ca}/ca.crt: has changed; send SIGHUP"))
        time.sleep(1.5)  # gRPC looks every second at what it was given
        assert_the_former_hold()
        before = len(server.log)
        server.reload()
        self.assertTrue(any("SIGHUP: --tls-crl" in line and "not signed by an authority" in line for line in server.log[before:]))
        time.sleep(1.5)
        assert_the_former_hold()
        os.rename(f"{other}/ca.crl", f"{self.ca}/ca.crl")
        server.reload()
        # Not over a connection that is older than the new authorities, either.
        with self.assertRaises(tactus.TactusError) as caught:
            stream.receive()
        self.assertEqual(caught.exception.code, "CANCELLED")
        with self.assertRaisesRegex(tactus.NotAuthenticated, "is not of an authority of --tls-client-ca"):
            former.info()
        end = time.monotonic() + 60
        while True:
            try:
                with guest() as client:
                    self.assertEqual(client.info().identity, "guest")
                break
            except tactus.TactusError:
                self.assertLess(time.monotonic(), end)
        with self.assertRaises(tactus.TactusError), self.connect(server) as client:
            client.info()
        self.assertEqual(server.stop(), 0)

    def test_authorities_without_a_list_are_replaced_without_a_signal_also_for_open_connections(self):
        server = Server("127.0.0.1:0", *self.arguments[:-2])
        self.addCleanup(server.stop)
        other = self.ca + "-next"
        tactus_program("certificate", "new-ca", "--folder", other)
        with self.connect(server) as client:
            stream = client.session("main").observe(["crank_angle"])
            self.assertIsNotNone(stream.receive())
            os.rename(f"{other}/ca.crt", f"{self.ca}/ca.crt")
            with self.assertRaises(tactus.TactusError) as caught:
                stream.receive()
            self.assertEqual(caught.exception.code, "CANCELLED")
            with self.assertRaisesRegex(tactus.NotAuthenticated, "is not of an authority of --tls-client-ca"):
                client.info()
        self.assertEqual(server.stop(), 0)

    def test_a_server_does_not_start_with_a_folder_or_a_fifo(self):
        os.mkdir(f"{self.ca}/folder")
        os.mkfifo(f"{self.ca}/fifo", 0o600)
        for name, what in (("folder", "it is a folder"), ("fifo", "it is not a regular file")):
            for option in (*self.files, "--token-file", "--config"):
                words = {**self.files, option: f"{self.ca}/{name}"}
                result = subprocess.run([PROGRAM, "serve", "--listen", "127.0.0.1:0", "--duration", "10ms",
                                         *(word for pair in words.items() for word in pair)],
                                        capture_output=True, text=True, timeout=120, env=ENVIRONMENT)
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertRegex(result.stderr, f"{option}:? {re.escape(self.ca)}/{name}: cannot be read: {what}")

    def test_strangers_cannot_fill_the_log(self):
        server = Server("127.0.0.1:0", *self.arguments)
        self.addCleanup(server.stop)
        begin = time.monotonic()
        for _ in range(300):
            with socket.create_connection(("127.0.0.1", int(server.port)), timeout=60) as stranger:
                stranger.sendall(b"GET / HTTP/1.1\r\n\r\n")
                stranger.settimeout(60)
                try:
                    while stranger.recv(4096):  # until the server has closed it
                        pass
                except ConnectionResetError:
                    pass
        seconds = int(time.monotonic() - begin) + 1
        self.assertEqual(server.stop(), 0)
        lines = [line for line in server.log if "gRPC" in line or "ssl_transport" in line or "handshake" in line.lower()]
        self.assertTrue(lines)
        for line in lines:
            self.assertRegex(line, r"^\[\d{4}-\d\d-\d\d [\d:.]+\] \[tactus\] \[warning\] gRPC: ")
        # Each second has five messages and how many were left out before them; one line more comes at the end.
        self.assertLessEqual(len(lines), 6 * (seconds + 1) + 1)
        written = sum("left out" not in line for line in lines)
        left_out = sum(int(re.search(r"(\d+) messages? left out", line)[1]) for line in lines if "left out" in line)
        self.assertGreaterEqual(written + left_out, 300)


if __name__ == "__main__":
    unittest.main()
