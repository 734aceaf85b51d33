"""HAProxy before `tactus serve` on a Unix socket, with docker/haproxy.cfg. Usage: haproxy_test.py PROGRAM

Needs HAProxy (docker/install_packages.sh front) and the Python client on the path; without HAProxy it is skipped.
TACTUS_FLOOD_SECONDS=60 makes each flood as long; in CI it has 3 s.
"""
# Covers: docker/haproxy.cfg, server/door/front_certificate.cpp, server/door/door.cpp

import base64
import json
import os
import pathlib
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import time
import unittest

import grpc

import flooder
import memory_bound

import tactus

PROGRAM = sys.argv.pop(1)
SOURCE = pathlib.Path(__file__).resolve().parents[3]
OWN_USER = "    user haproxy\n    group haproxy\n"
HAPROXY = shutil.which("haproxy", path=os.environ.get("PATH", "") + ":/usr/sbin")
FLOOD_SECONDS = float(os.environ.get("TACTUS_FLOOD_SECONDS", "3"))
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("TACTUS_T")}
FLOODER = pathlib.Path(__file__).with_name("flooder.py")
HEADER = "x-tactus-client-cert"


def tactus_program(*arguments, code=0):
    result = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=120, env=ENVIRONMENT)
    if result.returncode != code:
        raise AssertionError(f"{arguments}: {result.returncode}, {result.stdout}{result.stderr}")
    return result.stdout + result.stderr


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def resident_mib(process):
    with open(f"/proc/{process.pid}/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS")) / 1024


class Front(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.keeper = tempfile.TemporaryDirectory()
        cls.folder = cls.keeper.name
        cls.ca, cls.rogue = f"{cls.folder}/ca", f"{cls.folder}/rogue"
        for folder in (cls.ca, cls.rogue):
            tactus_program("certificate", "new-ca", "--folder", folder)
        issue = ("certificate", "issue", "--folder")
        tactus_program(*issue, cls.ca, "--name", "server", "--host", "localhost")
        for name, role in (("watcher", "observe"), ("driver", "control"), ("boss", "admin"), ("gone", "control"),
                           ("leaves", "control"), ("flooder", "control")):
            tactus_program(*issue, cls.ca, "--name", name, "--role", role)
        tactus_program(*issue, cls.rogue, "--name", "driver", "--role", "control")
        tactus_program("certificate", "revoke", "--folder", cls.ca, "--name", "gone")
        with open(f"{cls.ca}/front.pem", "wb") as front:
            for part in ("server.crt", "server.key"):
                front.write(pathlib.Path(cls.ca, part).read_bytes())

        cls.unix = f"unix:{cls.folder}/server.sock"
        # Started by root, HAProxy becomes its own user, as on a host.
        shared = ["--unix-mode", "0660", "--unix-group", "haproxy"] if os.geteuid() == 0 else []
        os.chmod(cls.folder, 0o711 if shared else 0o700)
        cls.server = subprocess.Popen(
            [PROGRAM, "serve", "motor_four_bar", "--clock", "lockstep", "--priority", "0", "--listen", cls.unix,
             "--trust-peer-header", "--tls-client-ca", f"{cls.ca}/ca.crt", "--tls-crl", f"{cls.ca}/ca.crl",
             "--audit-log", f"{cls.folder}/audit.log", *shared],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)
        for line in cls.server.stdout:
            if line.startswith("host"):
                break
        else:
            raise AssertionError(cls.server.stderr.read())
        cls.port = free_port()
        cls.address = f"localhost:{cls.port}"
        cls.configuration = f"{cls.folder}/haproxy.cfg"
        source = (SOURCE / "docker/haproxy.cfg").read_text()
        for old, new in (("/etc/tactus", cls.ca), ("/run/tactus", cls.folder), ("bind :50051", f"bind 127.0.0.1:{cls.port}")):
            assert old in source, old
            source = source.replace(old, new)
        if not shared:
            source = source.replace(OWN_USER, "")
        pathlib.Path(cls.configuration).write_text(source)
        cls.front = subprocess.Popen([HAPROXY, "-db", "-m", "128", "-f", cls.configuration], stderr=subprocess.DEVNULL)
        end = time.monotonic() + 30
        while True:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", cls.port)) == 0:
                    break
            assert time.monotonic() < end and cls.front.poll() is None, "HAProxy does not listen"
            time.sleep(0.02)

    @classmethod
    def tearDownClass(cls):
        cls.front.terminate()
        cls.front.wait(timeout=30)
        cls.server.terminate()
        began = time.monotonic()
        cls.code = cls.server.wait(timeout=60)
        cls.server.stdout.close()
        cls.server.stderr.close()
        cls.keeper.cleanup()
        assert cls.code == 0, cls.code
        assert time.monotonic() - began < 30

    def connect(self, name, ca=None, **named):
        client = tactus.connect(self.address, timeout=30, tls_ca=f"{self.ca}/ca.crt", tls_cert=f"{ca or self.ca}/{name}.crt",
                                tls_key=f"{ca or self.ca}/{name}.key", **named)
        self.addCleanup(client.close)
        return client

    def context(self, name):
        context = ssl.create_default_context(cafile=f"{self.ca}/ca.crt")
        context.load_cert_chain(f"{self.ca}/{name}.crt", f"{self.ca}/{name}.key")
        context.set_alpn_protocols(["h2"])
        return context

    def handed(self, name):
        """A certificate as the front hands it on."""
        return base64.b64encode(ssl.PEM_cert_to_DER_cert(pathlib.Path(self.ca, f"{name}.crt").read_text())).decode()

    # ---- who comes in, and as whom ----

    def test_the_configuration_of_the_repository_is_valid(self):
        checked = subprocess.run([HAPROXY, "-c", "-f", self.configuration], capture_output=True, text=True)
        self.assertEqual(checked.returncode, 0, checked.stderr)
        self.assertNotIn("WARNING", checked.stderr)

    def test_certificates(self):
        for name, role in (("watcher", "observe"), ("driver", "control"), ("boss", "admin")):
            info = self.connect(name).info()
            self.assertEqual((info.identity, info.role, info.insecure), (name, role, False))
        for name, ca in (("gone", None), ("driver", self.rogue), ("server", None)):
            with self.subTest(name=name, ca=ca):
                with self.assertRaises(tactus.Unreachable) as refused:
                    self.connect(name, ca)
                self.assertIn("may refuse the certificate", refused.exception.hint)
        with self.assertRaises(tactus.Unreachable) as refused:
            tactus.connect(self.address, tls_ca=f"{self.ca}/ca.crt")  # none
        self.assertIn("a client certificate", refused.exception.hint)
        shown = tactus_program("session", "list", "--server", self.address, "--tls-ca", f"{self.ca}/ca.crt", "--tls-cert",
                               f"{self.ca}/gone.crt", "--tls-key", f"{self.ca}/gone.key", code=3)
        self.assertIn("may refuse the certificate", shown)

    def test_tls_is_1_3(self):
        for version, allowed in ((ssl.TLSVersion.TLSv1_2, False), (ssl.TLSVersion.TLSv1_3, True)):
            context = self.context("driver")
            context.minimum_version = context.maximum_version = version
            with socket.create_connection(("127.0.0.1", self.port)) as plain:
                try:
                    with context.wrap_socket(plain, server_hostname="localhost"):
                        made = True
                except (ssl.SSLError, ConnectionResetError):
                    made = False
            self.assertEqual(made, allowed, version)

    def info_with(self, channel, *metadata):
        call = channel.unary_unary("/tactus.v1.Simulation/GetServerInfo")
        try:
            return call(b"", timeout=30, metadata=metadata)
        except grpc.RpcError as error:
            return error.code().name

    def test_a_forged_header_names_nobody(self):
        read = lambda path: pathlib.Path(self.ca, path).read_bytes()
        credentials = grpc.ssl_channel_credentials(read("ca.crt"), read("watcher.key"), read("watcher.crt"))
        with grpc.secure_channel(self.address, credentials) as channel:
            for header in (HEADER, "x-tactus-client-role", "x-tactus-anything"):
                answer = self.info_with(channel, (header, self.handed("boss")))
                self.assertIn(b"watcher", answer)
                self.assertNotIn(b"boss", answer)

    def test_on_the_socket_a_call_needs_one_valid_header(self):
        with grpc.insecure_channel(self.unix) as channel:
            self.assertIn(b"driver", self.info_with(channel, (HEADER, self.handed("driver"))))
            for metadata in ((), ((HEADER, "nonsense"),), ((HEADER, self.handed("server")[:-4]),),
                             ((HEADER, self.handed("driver")), (HEADER, self.handed("boss"))),
                             ((HEADER, self.handed("gone")),)):
                self.assertEqual(self.info_with(channel, *metadata), "UNAUTHENTICATED", metadata)

    def test_the_audit_log_has_the_address_of_the_client(self):
        self.connect("driver").create_session("motor_four_bar", clock="lockstep", name="audited").delete()
        line = next(line for line in pathlib.Path(self.folder, "audit.log").read_text().splitlines() if "audited" in line)
        self.assertIn(" driver control 127.0.0.1 CreateSession", line)

    def test_nobody_holds_a_connection_to_the_server_by_watching_its_health(self):
        files = [pathlib.Path(self.ca, name).read_bytes() for name in ("ca.crt", "watcher.key", "watcher.crt")]
        with grpc.secure_channel(self.address, grpc.ssl_channel_credentials(*files)) as channel:
            check = channel.unary_unary("/grpc.health.v1.Health/Check")
            self.assertIn(b"\x01", check(b"", timeout=30))  # SERVING
            with self.assertRaises(grpc.RpcError) as caught:
                next(channel.unary_stream("/grpc.health.v1.Health/Watch")(b"", timeout=30))
            self.assertEqual(caught.exception.code(), grpc.StatusCode.PERMISSION_DENIED)

    def test_elsewhere_the_header_is_refused(self):
        with subprocess.Popen([PROGRAM, "serve", "motor_four_bar", "--clock", "lockstep", "--priority", "0", "--listen",
                               "127.0.0.1:0"], stdout=subprocess.PIPE, text=True, env=ENVIRONMENT) as other:
            address = next(line.split()[1] for line in other.stdout if line.startswith("endpoint"))
            with grpc.insecure_channel(address) as channel:
                self.assertNotEqual(self.info_with(channel), "UNAUTHENTICATED")
                self.assertEqual(self.info_with(channel, (HEADER, self.handed("boss"))), "UNAUTHENTICATED")
            other.terminate()
        for arguments, words in ((("--listen", "127.0.0.1:0"), "needs --listen unix:PATH"),
                                 (("--listen", f"unix:{self.folder}/x.sock", "--tls-cert", f"{self.ca}/server.crt",
                                   "--tls-key", f"{self.ca}/server.key"), "exclude each other")):
            self.assertIn(words, tactus_program("serve", "--trust-peer-header", "--duration", "1s", *arguments, code=2))

    def test_a_certificate_that_is_revoked_ends_its_streams(self):
        client = self.connect("leaves")
        stream = client.session("main").observe(["crank_angle"])
        self.assertIsNotNone(stream.receive())
        tactus_program("certificate", "revoke", "--folder", self.ca, "--name", "leaves")
        self.server.send_signal(1)  # SIGHUP: HAProxy knows nothing of it yet
        with self.assertRaises(tactus.TactusError):
            while stream.receive() is not None:
                pass
        with self.assertRaises(tactus.NotAuthenticated):
            client.info()
        self.assertEqual(self.connect("driver").info().identity, "driver")

    # ---- floods ----

    def attack(self, name):
        """A process that floods as a peer with a certificate, from an address of its own: one whose flood was refused stays
        refused for a while."""
        source = f"127.0.1.{1 + list(flooder.FLOODS).index(name)}"
        files = [f"{self.ca}/{file}" for file in ("ca.crt", "flooder.crt", "flooder.key")]
        return subprocess.Popen([sys.executable, "-B", FLOODER, name, f"127.0.0.1:{self.port}", "--source", source, "--tls",
                                 *files, "--connections", "80" if name == "idle" else "2", "--seconds", "600"],
                                stdout=subprocess.PIPE, text=True)

    def test_floods_reach_neither_an_honest_client_nor_memory(self):
        honest = self.connect("driver").create_session("motor_four_bar", clock="lockstep")
        with honest.tick(inputs=["motor"], outputs=["crank_angle"]) as drive:
            for name in flooder.FLOODS:
                attacker, times = self.attack(name), []
                self.addCleanup(attacker.kill)
                end, most = time.monotonic() + FLOOD_SECONDS, 0.0
                while time.monotonic() < end:
                    begin = time.monotonic()
                    drive.step([0.1])
                    times.append(time.monotonic() - begin)
                    if len(times) % 5 == 0:
                        most = max(most, resident_mib(self.server) + resident_mib(self.front))
                    time.sleep(0.001)
                # A new client is served while the flood goes on.
                self.assertEqual(self.connect("watcher").info().identity, "watcher")
                attacker.terminate()
                sent = json.loads(attacker.communicate(timeout=60)[0])
                times.sort()
                print(f"{name}: {sent}; {len(times)} honest steps, p50 {1e3 * times[len(times) // 2]:.2f} ms, "
                      f"p99 {1e3 * times[len(times) * 99 // 100]:.2f} ms; {most:.0f} MiB", file=sys.stderr)
                self.assertGreater(sent["connections"], 0)
                self.assertGreater(len(times), 5)  # how fast depends on what else the machine does
                self.assertLess(most, memory_bound.most_mib(self.server))  # of server and front together
                self.assertIsNone(self.server.poll())
                self.assertIsNone(self.front.poll())

    def test_one_certificate_has_64_connections_from_whatever_addresses(self):
        context = self.context("flooder")

        def opened(address):
            """A connection that has come through the handshake, or none."""
            plain = socket.create_connection(("127.0.0.1", self.port), 10, source_address=(address, 0))
            try:
                secure = context.wrap_socket(plain, server_hostname="localhost")
                self.addCleanup(secure.close)
                secure.sendall(flooder.PREFACE + flooder.frame(4, 0, 0))
                return secure.recv(9) != b""  # the settings of the server
            except OSError:
                return False

        found = [opened(f"127.0.0.{3 + n % 2}") for n in range(66)]
        self.assertEqual(found, [True] * 64 + [False] * 2)
        self.assertEqual(self.connect("driver").info().identity, "driver")


if __name__ == "__main__":
    if HAPROXY is None:
        print("SKIPPED: HAProxy is not installed; docker/install_packages.sh front installs it")
        sys.exit(77)
    unittest.main(warnings="ignore")  # sockets whose handshake fails are closed by the collector
