"""The door of `tactus serve`: TLS, certificates, tokens, roles, owners, audit log. Usage: door_test.py PROGRAM

Needs the Python client on the path. Certificates and tokens are made by the program itself.
"""
# Covers: server/door/door.cpp, server/cli/certificate.cpp, server/cli/token.cpp, server/service/claimant.h

import json
import os
import re
import shutil
import signal
import socket
import ssl
import stat
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.request

import grpc

import tactus
from tactus.v1 import simulation_pb2 as pb

PROGRAM = sys.argv.pop(1)
WEB = os.environ.get("TACTUS_WEB_FOLDER", os.path.join(os.path.dirname(PROGRAM), "web"))
SERVICE = pb.DESCRIPTOR.services_by_name["Simulation"]
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("TACTUS_T")}

# What each RPC answers below the role admin: the lowest role, and whether an identity of the role control may reach for
# what another identity has made. Written down a second time on purpose, beside server/door/rpc_rules.cpp.
ROLES = {
    **dict.fromkeys(
        ("ListModels", "GetModel", "GetSession", "ListSessions", "GetParameters", "ListSignals", "ReadSignals", "QueryRoad",
         "Observe", "AcknowledgeFrames", "ListDeviceLinks", "GetTimingReport", "GetServerInfo", "ListRecordings",
         "DownloadRecording", "SaveSnapshot", "Analyse"),
        ("observe", True),
    ),
    **dict.fromkeys(
        ("ValidateModel", "CreateSession", "EnterSafeState", "ReportCommTest", "StartRecording"), ("control", True)
    ),
    **dict.fromkeys(
        ("LoadModel", "UnloadModel", "DeleteSession", "StartSession", "PauseSession", "StepSession", "RunSession", "RunBlock", "ResetSession",
         "ClearSafeState", "SetParameters", "Tick", "OpenDeviceLink", "CloseDeviceLink", "StopRecording",
         "RestoreSnapshot"),
        ("control", False),  # Tick: in lockstep
    ),
}


def tactus_program(*arguments, code=0, **environment):
    result = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=120,
                            env={**ENVIRONMENT, **environment})
    if result.returncode != code:
        raise AssertionError(f"{arguments}: {result.returncode}, {result.stdout}{result.stderr}")
    return result.stdout + result.stderr


class Server:
    """`tactus serve` with a session in lockstep; what it prints and logs is kept."""

    def __init__(self, listen, *arguments):
        command = [PROGRAM, "serve", "motor_four_bar", "--clock", "lockstep", "--priority", "0", "--listen", listen,
                   *arguments]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                        env=ENVIRONMENT)
        self.log, self.head = [], ""
        self.reader = threading.Thread(target=lambda: self.log.extend(iter(self.process.stderr.readline, "")))
        self.reader.start()
        for line in self.process.stdout:
            self.head += line
            if line.startswith("host"):
                break
        else:
            self.stop()
            raise AssertionError("".join(self.log))
        endpoint = re.search(r"^endpoint +(\S+)$", self.head, re.MULTILINE)[1]
        self.port = endpoint.rsplit(":", 1)[1]
        self.address = endpoint if endpoint.startswith("unix:") else f"127.0.0.1:{self.port}"
        self.rest = threading.Thread(target=self.process.stdout.read, daemon=True)
        self.rest.start()

    def logged(self, word, seconds=20):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if any(word in line for line in self.log):
                return True
            time.sleep(0.02)
        return False

    def reload(self):
        before = sum("SIGHUP:" in line for line in self.log)
        self.process.send_signal(signal.SIGHUP)
        end = time.monotonic() + 20
        while sum("SIGHUP:" in line for line in self.log) == before:
            if time.monotonic() > end:
                raise AssertionError("no answer to SIGHUP")
            time.sleep(0.02)

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(timeout=60)
        self.reader.join()
        if hasattr(self, "rest"):
            self.rest.join()
        self.process.stdout.close()
        self.process.stderr.close()
        return code


def reason_of(error):
    for key, value in error.trailing_metadata() or ():
        if key == "tactus-error-bin":
            return pb.ErrorDetail.FromString(value).reason
    return ""


def call(channel, name, request, metadata=()):
    """Calls an RPC by its descriptor and reads one answer. Returns "OK", or the reason or the code of the error."""
    method = SERVICE.methods_by_name[name]
    kinds = {(False, False): "unary_unary", (False, True): "unary_stream", (True, False): "stream_unary",
             (True, True): "stream_stream"}
    response_type = getattr(pb, method.output_type.name, None) or __import__(
        "tactus.v1." + os.path.basename(method.output_type.file.name)[:-6] + "_pb2", fromlist=["x"]
    ).__dict__[method.output_type.name]
    stub = getattr(channel, kinds[method.client_streaming, method.server_streaming])(
        f"/tactus.v1.Simulation/{name}", lambda message: message.SerializeToString(), response_type.FromString)
    try:
        argument = iter([request]) if method.client_streaming else request
        answer = stub(argument, timeout=30, metadata=metadata)
        if method.server_streaming:
            next(answer)
            answer.cancel()
        return "OK"
    except grpc.RpcError as error:
        return reason_of(error) or error.code().name


class Door(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.ca, cls.rogue = cls.path("ca"), cls.path("rogue")
        for folder in (cls.ca, cls.rogue):
            tactus_program("certificate", "new-ca", "--folder", folder)
        issue = ("certificate", "issue", "--folder")
        tactus_program(*issue, cls.ca, "--name", "server", "--host", "bench.example")
        tactus_program(*issue, cls.rogue, "--name", "server", "--host", "bench.example")
        for name, role in (("watcher", "observe"), ("driver", "control"), ("other", "control"), ("boss", "admin")):
            tactus_program(*issue, cls.ca, "--name", name, "--role", role)
        tactus_program(*issue, cls.rogue, "--name", "driver", "--role", "control")
        tactus_program(*issue, cls.ca, "--name", "brief", "--role", "admin", "--valid", "1s")
        cls.expires = time.monotonic() + 2.1
        cls.tokens = cls.path("tokens")
        cls.token = {name: cls.new_token(name, role) for name, role in (
            ("watcher", "observe"), ("driver", "control"), ("other", "control"), ("boss", "admin"))}
        cls.tls = ("--tls-cert", f"{cls.ca}/server.crt", "--tls-key", f"{cls.ca}/server.key")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder.name, name)

    @classmethod
    def new_token(cls, name, role):
        return tactus_program("token", "new", "--name", name, "--role", role, "--file", cls.tokens).strip()

    def serve(self, listen, *arguments):
        server = Server(listen, *arguments)
        self.addCleanup(server.stop)
        return server

    def connect(self, server, **named):
        client = tactus.connect(server.address, timeout=30.0, **{"tls_ca": f"{self.ca}/ca.crt"} | named)
        self.addCleanup(client.close)
        return client

    def files_of(self, name, ca=None):
        return {"tls_cert": f"{ca or self.ca}/{name}.crt", "tls_key": f"{ca or self.ca}/{name}.key"}

    def secure_channel(self, server, ca=None, pair=None):
        def read(path):
            with open(path, "rb") as file:
                return file.read()

        key, chain = (read(f"{pair}.key"), read(f"{pair}.crt")) if pair else (None, None)
        credentials = grpc.ssl_channel_credentials(read(f"{ca or self.ca}/ca.crt"), key, chain)
        channel = grpc.secure_channel(server.address, credentials)
        self.addCleanup(channel.close)
        return channel

    # ---- start ----

    def test_off_loopback_the_server_starts_only_with_tls_and_identities(self):
        client_ca = ("--tls-client-ca", f"{self.ca}/ca.crt")
        for arguments, missing in (
            ((), "--tls-cert and --tls-key, and --tls-client-ca or --token-file"),
            (self.tls, "--tls-client-ca or --token-file"),
            (("--token-file", self.tokens), "--tls-cert and --tls-key"),
            ((*client_ca,), "--tls-cert and --tls-key"),
        ):
            with self.subTest(arguments=arguments):
                said = tactus_program("serve", "--listen", "0.0.0.0:0", "--duration", "1s", *arguments, code=2)
                self.assertEqual(said.count("\n"), 1, said)
                self.assertIn(missing, said)

    def test_files_that_others_can_read_are_refused(self):
        copies = {}
        for name, source in (("key", f"{self.ca}/server.key"), ("tokens", self.tokens)):
            copies[name] = self.path(f"open-{name}")
            with open(source) as file, open(copies[name], "w") as copy:
                copy.write(file.read())
            os.chmod(copies[name], 0o640)
        for arguments in (("--tls-cert", f"{self.ca}/server.crt", "--tls-key", copies["key"]),
                          ("--token-file", copies["tokens"])):
            said = tactus_program("serve", "--listen", "127.0.0.1:0", "--duration", "1s", *arguments, code=2)
            self.assertIn("chmod 600", said)
            self.assertEqual(said.count("\n"), 1, said)

    def test_insecure_is_a_warning_and_is_shown(self):
        server = self.serve("0.0.0.0:0", "--insecure")
        self.assertTrue(server.logged("--insecure: other hosts can reach this server"))
        with tactus.connect(server.address) as client:
            self.assertTrue(client.info().insecure)
            self.assertEqual(client.info().role, "admin")

    def test_a_unix_socket_may_be_its_groups(self):
        path = self.path("group.sock")
        group = subprocess.run(["id", "-gn"], capture_output=True, text=True).stdout.strip()
        self.serve(f"unix:{path}", "--unix-mode", "0660", "--unix-group", group)
        self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o660)

    def test_links_of_other_hosts_need_a_door(self):
        said = tactus_program("serve", "--listen", "127.0.0.1:0", "--udp", "0.0.0.0:0", "--duration", "1s", code=2)
        self.assertIn("--udp 0.0.0.0:0", said)
        server = self.serve("0.0.0.0:0", *self.tls, "--token-file", self.tokens, "--udp", "0.0.0.0:0")
        client = self.connect(server, token=self.token["driver"])
        client.create_session("motor_four_bar", clock="external", name="rig")
        link = client.call("OpenDeviceLink", pb.OpenDeviceLinkRequest(session="rig", inputs=["motor"]))
        self.assertEqual(len(link.key), 16)
        # Neither the key nor the link is told to another identity.
        for name, count in (("driver", 1), ("other", 0), ("watcher", 0), ("boss", 1)):
            listed = self.connect(server, token=self.token[name]).call("ListDeviceLinks", pb.ListDeviceLinksRequest())
            self.assertEqual(len(listed.links), count, name)
            self.assertTrue(all(not link.key for link in listed.links))

    # ---- certificates ----

    def test_certificates_of_clients(self):
        server = self.serve("0.0.0.0:0", *self.tls, "--tls-client-ca", f"{self.ca}/ca.crt")
        for name, role in (("watcher", "observe"), ("driver", "control"), ("boss", "admin")):
            info = self.connect(server, **self.files_of(name)).info()
            self.assertEqual((info.identity, info.role, info.insecure), (name, role, False))

        time.sleep(max(0.0, self.expires - time.monotonic()))
        for what, arguments in (
            ("none", {}),
            ("of another authority", self.files_of("driver", self.rogue)),
            ("expired", self.files_of("brief")),
            ("of a server", self.files_of("server")),
        ):
            with self.subTest(certificate=what), self.assertRaises(tactus.Unreachable):
                self.connect(server, **arguments)
        with self.assertRaises(tactus.Unreachable) as plaintext:
            tactus.connect(server.address, tls_ca="")
        self.assertIn("the server may want TLS (tls_ca)", plaintext.exception.hint)
        for options in ((), ("--tls-ca", f"{self.ca}/ca.crt")):
            said = tactus_program("session", "list", "--server", server.address, *options, code=3)
            self.assertIn("the server may want TLS (--tls-ca), a client certificate (--tls-cert, --tls-key)", said)
        self.assertEqual(self.connect(server, **self.files_of("boss")).info().identity, "boss")

    def test_a_client_checks_the_server(self):
        server = self.serve("0.0.0.0:0", *self.tls, "--token-file", self.tokens)
        with self.assertRaises(tactus.Unreachable):
            self.connect(server, tls_ca=f"{self.rogue}/ca.crt", token=self.token["boss"])
        server.address = f"127.0.0.2:{server.port}"  # no name of the certificate
        with self.assertRaises(tactus.Unreachable):
            self.connect(server, token=self.token["boss"])

    def test_tls_is_1_2_or_later(self):
        server = self.serve("127.0.0.1:0", *self.tls, "--token-file", self.tokens)
        for version, allowed in ((ssl.TLSVersion.TLSv1_1, False), (ssl.TLSVersion.TLSv1_2, True),
                                 (ssl.TLSVersion.TLSv1_3, True)):
            context = ssl.create_default_context(cafile=f"{self.ca}/ca.crt")
            context.set_ciphers("ALL:@SECLEVEL=0")  # lets OpenSSL 3 offer TLS 1.1 at all
            context.minimum_version = context.maximum_version = version
            context.set_alpn_protocols(["h2"])
            with socket.create_connection(("127.0.0.1", int(server.port))) as plain:
                try:
                    with context.wrap_socket(plain, server_hostname="127.0.0.1"):
                        made = True
                except (ssl.SSLError, ConnectionResetError):
                    made = False
            self.assertEqual(made, allowed, version)

    # ---- tokens ----

    def test_a_call_without_a_right_token_is_not_let_in(self):
        server = self.serve("127.0.0.1:0", "--token-file", self.tokens)
        channel = grpc.insecure_channel(server.address)
        self.addCleanup(channel.close)
        right = f"Bearer {self.token['boss']}"
        forged = (("x-tactus-client-cn", "boss"), ("x-tactus-client-role", "admin"), ("x-tactus-role", "admin"))
        for metadata in ((), (("authorization", "Bearer x"),), (("authorization", right[:-1]),),
                         (("authorization", right[7:]),), (("authorization", f"Basic {right[7:]}"),),
                         (("authorization", right), ("authorization", right)), forged):
            self.assertEqual(call(channel, "GetServerInfo", pb.GetServerInfoRequest(), metadata), "NOT_AUTHENTICATED")
        self.assertEqual(call(channel, "GetServerInfo", pb.GetServerInfoRequest(), (("authorization", right),)), "OK")
        # Headers that name an identity change nothing beside a token.
        metadata = (("authorization", f"Bearer {self.token['watcher']}"), *forged)
        said = call(channel, "PauseSession", pb.PauseSessionRequest(session="main"), metadata)
        self.assertEqual(said, "ROLE_TOO_LOW")
        with self.assertRaises(tactus.NotAuthenticated) as caught:
            tactus.connect(server.address, token="wrong")
        self.assertIn("none of this server", str(caught.exception))
        # Health is for everybody, reflection for nobody.
        check = channel.unary_unary("/grpc.health.v1.Health/Check", lambda message: message, lambda message: message)
        self.assertEqual(check(b""), b"\x08\x01")
        reflect = channel.stream_stream("/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
                                        lambda message: message, lambda message: message)
        with self.assertRaises(grpc.RpcError) as caught:
            next(reflect(iter([b"\x3a\x00"])))
        self.assertEqual(caught.exception.code(), grpc.StatusCode.CANCELLED)

    def test_a_token_counts_more_than_the_certificate_beside_it(self):
        server = self.serve("127.0.0.1:0", *self.tls, "--tls-client-ca", f"{self.ca}/ca.crt",
                            "--token-file", self.tokens)
        boss = self.files_of("boss")
        self.assertEqual(self.connect(server, **boss).info().identity, "boss")
        self.assertEqual(self.connect(server, **boss, token=self.token["watcher"]).info().identity, "watcher")
        with self.assertRaises(tactus.NotAuthenticated):
            self.connect(server, **boss, token="x" * 43)

    def test_tokens_are_read_again_and_calls_of_a_lost_token_end(self):
        tokens = self.path("reloaded")
        make = ("token", "new", "--file", tokens, "--role")
        first = tactus_program(*make, "observe", "--name", "first").strip()
        boss = tactus_program(*make, "admin", "--name", "boss").strip()
        with open(tokens) as file:
            kept = file.read()
        second = tactus_program(*make, "observe", "--name", "second").strip()
        bench = tactus_program(*make, "control", "--name", "bench").strip()
        server = self.serve("127.0.0.1:0", *self.tls, "--token-file", tokens, "--udp", "127.0.0.1:0")
        late = tactus_program(*make, "observe", "--name", "late").strip()
        with self.assertRaises(tactus.NotAuthenticated):
            self.connect(server, token=late)
        server.reload()
        self.assertEqual(self.connect(server, token=late).info().identity, "late")

        # A file with a wrong line leaves the tokens as they are.
        keeps = self.connect(server, token=first).session("main").observe(["crank_angle"])
        loses = self.connect(server, token=second).session("main").observe(["crank_angle"])
        for stream in (keeps, loses):
            self.assertIsNotNone(stream.receive())
        with open(tokens, "a") as file:
            file.write("nonsense\n")
        server.reload()
        self.assertTrue(server.logged("line 6: the first word must be a role"))
        self.connect(server, token=second).info()

        client = self.connect(server, token=bench)
        client.create_session("motor_four_bar", name="rig", clock="external")
        link = client.call("OpenDeviceLink", pb.OpenDeviceLinkRequest(session="rig", inputs=["motor"], persistent=True))
        with open(tokens, "w") as file:
            file.write(kept)
        server.reload()
        (found,) = self.connect(server, token=boss).call("ListDeviceLinks", pb.ListDeviceLinksRequest()).links
        self.assertEqual((found.id, found.ended), (link.id, "the identity that opened it is not let in any more"))
        with self.assertRaises(tactus.TactusError) as caught:
            loses.receive()
        self.assertEqual(caught.exception.code, "CANCELLED")
        self.assertIn("token, certificate or role of this client have changed", str(caught.exception))
        for token in (second, bench, late):
            with self.assertRaises(tactus.NotAuthenticated):
                self.connect(server, token=token)
        session = self.connect(server, token=first)
        self.assertEqual(session.info().identity, "first")
        keeps.cancel()

    def test_a_revoked_certificate_ends_its_streams_and_comes_in_no_more(self):
        ca = self.path("revoking")
        tactus_program("certificate", "new-ca", "--folder", ca)
        tactus_program("certificate", "issue", "--folder", ca, "--name", "server", "--host", "bench.example")
        for name in ("stays", "goes"):
            tactus_program("certificate", "issue", "--folder", ca, "--name", name, "--role", "control")
        server = self.serve("127.0.0.1:0", "--tls-cert", f"{ca}/server.crt", "--tls-key", f"{ca}/server.key",
                            "--tls-client-ca", f"{ca}/ca.crt", "--tls-crl", f"{ca}/ca.crl")

        def connect(name):
            return tactus.connect(server.address, tls_ca=f"{ca}/ca.crt", tls_cert=f"{ca}/{name}.crt",
                                  tls_key=f"{ca}/{name}.key")

        clients = {name: connect(name) for name in ("stays", "goes")}
        for client in clients.values():
            self.addCleanup(client.close)
        streams = {name: client.session("main").observe(["crank_angle"]) for name, client in clients.items()}
        for stream in streams.values():
            self.assertIsNotNone(stream.receive())

        # Not before the server reads the list.
        self.assertIn("goes.crt", tactus_program("certificate", "revoke", "--folder", ca, "--name", "goes"))
        self.assertEqual(clients["goes"].info().identity, "goes")
        # The server's own certificate, which is damaged meanwhile, keeps nobody in.
        with open(f"{ca}/server.crt", "w") as file:
            file.write("nonsense")
        server.reload()
        self.assertTrue(server.logged("SIGHUP: --tls-cert"))
        with self.assertRaises(tactus.TactusError) as caught:
            streams["goes"].receive()
        self.assertEqual(caught.exception.code, "CANCELLED")
        self.assertIn("token, certificate or role of this client have changed", str(caught.exception))
        # Neither over the connection that it has, nor over a new one.
        with self.assertRaisesRegex(tactus.NotAuthenticated, "the client certificate is revoked"):
            clients["goes"].info()
        with self.assertRaises(tactus.Unreachable):
            connect("goes")
        said = tactus_program("session", "list", "--server", server.address, "--tls-ca", f"{ca}/ca.crt", "--tls-cert",
                              f"{ca}/goes.crt", "--tls-key", f"{ca}/goes.key", code=3)
        self.assertIn("or may refuse the certificate: revoked", said)
        self.assertEqual(clients["stays"].info().identity, "stays")
        streams["stays"].cancel()

        # A damaged list leaves the former one in force.
        os.rename(f"{ca}/ca.crl", f"{ca}/former.crl")
        with open(f"{ca}/ca.crl", "w") as file:
            file.write("nonsense")
        server.reload()
        self.assertTrue(server.logged("holds no list of revoked certificates"))
        with self.assertRaises(tactus.Unreachable):
            connect("goes")
        with connect("stays") as client:
            self.assertEqual(client.info().identity, "stays")

    def test_a_replaced_certificate_holds_for_new_connections(self):
        folder = self.path("replaced")
        os.mkdir(folder)
        pair = (f"{folder}/s.crt", f"{folder}/s.key")

        def install(ca):
            for ending, path in (("crt", pair[0]), ("key", pair[1])):
                with open(f"{ca}/server.{ending}") as file, open(path + ".new", "w") as new:
                    os.chmod(new.fileno(), 0o600)
                    new.write(file.read())
                os.replace(path + ".new", path)

        install(self.ca)
        server = self.serve("127.0.0.1:0", "--tls-cert", pair[0], "--tls-key", pair[1], "--token-file", self.tokens)
        self.connect(server, token=self.token["boss"]).info()
        install(self.rogue)
        server.process.send_signal(signal.SIGHUP)
        end = time.monotonic() + 30
        while True:
            try:
                client = tactus.connect(server.address, tls_ca=f"{self.rogue}/ca.crt", token=self.token["boss"])
                break
            except tactus.Unreachable:
                self.assertLess(time.monotonic(), end, "the new certificate is not used")
                time.sleep(0.2)
        with client:
            self.assertEqual(client.info().identity, "boss")

    # ---- roles and owners ----

    def requests(self):
        """A request for each RPC that names what self.prepare() makes."""
        made = {name: getattr(pb, SERVICE.methods_by_name[name].input_type.name, None)
                for name in SERVICE.methods_by_name.keys()}
        requests = {}
        for name, kind in made.items():
            request = kind()
            if "session" in request.DESCRIPTOR.fields_by_name and name not in ("GetModel", "ListSignals"):
                request.session = "rig"
            requests[name] = request
        requests["GetModel"].name = "four_bar"
        requests["ListSignals"].session = "rig"
        requests["LoadModel"].json = self.model
        requests["ValidateModel"].json = self.model
        requests["UnloadModel"].name = "puck"
        requests["CreateSession"].model_name = "motor_four_bar"
        requests["StepSession"].ticks = 1
        requests["RunSession"].ticks = requests["RunBlock"].ticks = 1
        requests["Tick"].open.session = "rig"
        requests["OpenDeviceLink"].session = "device"
        requests["OpenDeviceLink"].inputs.append("motor")
        requests["StopRecording"].name = requests["DownloadRecording"].name = "tape"
        for field, value in (("transport", "grpc"), ("verdict", "good"), ("period_ns", 1000)):
            setattr(requests["ReportCommTest"], field, value)
        return requests

    def prepare(self, channel, metadata):
        """Everything of the identity "driver" that a request may name; what is there already stays."""
        def ask(name, request):
            return call(channel, name, request, metadata)

        for session, clock in (("rig", pb.CLOCK_MODE_LOCKSTEP), ("device", pb.CLOCK_MODE_EXTERNAL)):
            ask("CreateSession", pb.CreateSessionRequest(name=session, model_name="motor_four_bar", clock=clock))
        ask("LoadModel", pb.LoadModelRequest(json=self.model))
        ask("StartRecording", pb.StartRecordingRequest(session="rig", name="tape"))

    def test_every_rpc_asks_for_its_role_and_its_owner(self):
        self.assertEqual(set(ROLES), set(SERVICE.methods_by_name.keys()), "an RPC without a role")
        server = self.serve("127.0.0.1:0", "--token-file", self.tokens, "--udp", "127.0.0.1:0",
                            "--recordings", self.path("recordings"))
        channel = grpc.insecure_channel(server.address)
        self.addCleanup(channel.close)
        self.model = ('{"name": "puck", "gravity": [0, 0, 0], "bodies": [{"name": "b", "mass": 1,'
                      ' "inertia": {"xx": 1, "yy": 1, "zz": 1}}]}')
        header = {name: (("authorization", f"Bearer {token}"),) for name, token in self.token.items()}
        header["stranger"] = ()
        rank = ("observe", "control", "admin")
        role_of = {"watcher": "observe", "driver": "control", "other": "control", "boss": "admin"}
        self.prepare(channel, header["driver"])
        driver, boss = (self.connect(server, tls_ca="", token=self.token[name]) for name in ("driver", "boss"))
        for caller in ("stranger", "watcher", "other", "driver", "boss"):
            for name, (role, anybodys) in ROLES.items():
                self.prepare(channel, header["driver"])
                requests = self.requests()
                if name == "CloseDeviceLink":
                    # A link of the driver alone.
                    for link in boss.call("ListDeviceLinks", pb.ListDeviceLinksRequest()).links:
                        boss.call("CloseDeviceLink", pb.CloseDeviceLinkRequest(id=link.id))
                    requests[name].id = driver.call("OpenDeviceLink", requests["OpenDeviceLink"]).id
                said = call(channel, name, requests[name], header[caller])
                with self.subTest(caller=caller, rpc=name):
                    if caller == "stranger":
                        self.assertEqual(said, "NOT_AUTHENTICATED")
                    elif rank.index(role_of[caller]) < rank.index(role):
                        self.assertEqual(said, "ROLE_TOO_LOW")
                    elif caller == "other" and not anybodys:
                        self.assertEqual(said, "NOT_OWNER")
                    else:
                        self.assertNotIn(said, ("NOT_AUTHENTICATED", "ROLE_TOO_LOW", "NOT_OWNER", "UNAUTHENTICATED",
                                                "PERMISSION_DENIED"))

    def test_what_a_request_asks_for_may_need_more_than_its_rpc(self):
        server = self.serve("127.0.0.1:0", "--token-file", self.tokens)
        watcher, driver, other, boss = (
            self.connect(server, tls_ca="", token=self.token[name]) for name in ("watcher", "driver", "other", "boss"))

        # An observer watches a stream of ticks, and neither drives nor resets counts.
        paced = driver.create_session("motor_four_bar", clock="real-time", name="paced")
        paced.start()
        with watcher.session("paced").tick(inputs=[], outputs=["crank_angle"]) as stream:
            self.assertIsNotNone(stream.receive())
        for refused in (lambda: watcher.session("paced").tick(inputs=["motor"]).receive(),
                        lambda: watcher.call("GetTimingReport", pb.GetTimingReportRequest(session="paced", reset=True)),
                        lambda: other.call("GetTimingReport", pb.GetTimingReportRequest(session="paced", reset=True)),
                        lambda: other.session("paced").tick(inputs=["motor"]).receive(),
                        lambda: other.session("main").pause()):
            with self.assertRaises(tactus.NotPermitted):
                refused()
        info = watcher.info()
        self.assertEqual((info.commit, info.flags, info.host.grade), ("", "", ""))
        self.assertNotEqual(driver.info().commit, "")

        # Classes above that of the server, cores, and a snapshot of another program are an admin's.
        for named in ({"priority": 5}, {"cpus": [0]}):
            with self.assertRaises(tactus.NotPermitted):
                driver.call("CreateSession", pb.CreateSessionRequest(model_name="motor_four_bar", **named))
        snapshot = driver.call("SaveSnapshot", pb.SaveSnapshotRequest(session="paced"))
        with self.assertRaises(tactus.NotPermitted):
            driver.call("RestoreSnapshot", pb.RestoreSnapshotRequest(session="paced", snapshot=snapshot, force=True))
        boss.call("RestoreSnapshot", pb.RestoreSnapshotRequest(session="paced", snapshot=snapshot, force=True))

        # Whoever may control may stop; the owner is told.
        other.call("EnterSafeState", pb.EnterSafeStateRequest(session="paced"))
        self.assertEqual(other.call("GetSession", pb.GetSessionRequest(session="paced")).owner, "driver")
        with self.assertRaises(tactus.NotPermitted):
            other.call("ClearSafeState", pb.ClearSafeStateRequest(session="paced"))

        # Each identity has request ids of its own.
        driver.session("paced").start()  # a restored session stands
        self.clear_safe_state(driver, "paced")
        for client in (driver, other):
            client.call("EnterSafeState", pb.EnterSafeStateRequest(session="paced", request_id="1"))
            self.await_safe_state(driver, "paced", True)
            self.clear_safe_state(driver, "paced")

        # The session of the server itself: the lease decides, and a takeover is the holder's, or an admin's.
        with driver.session("main").tick(inputs=["motor"], outputs=["crank_angle"]) as stream:
            stream.step({"motor": 1.0})
            with self.assertRaises(tactus.NotPermitted):
                other.session("main").tick(inputs=["motor"], takeover="mine").receive()
            with driver.session("main").tick(inputs=["motor"], takeover="again") as again:
                again.step({"motor": 1.0})
                stream.cancel()
                self.take_over(boss.session("main"))

    def clear_safe_state(self, client, session):
        client.call("ClearSafeState", pb.ClearSafeStateRequest(session=session))
        self.await_safe_state(client, session, False)

    def await_safe_state(self, client, session, safe):
        end = time.monotonic() + 20
        while bool(client.call("GetSession", pb.GetSessionRequest(session=session)).safe_state) != safe:
            self.assertLess(time.monotonic(), end)
            time.sleep(0.01)

    def take_over(self, session):
        """Takes the motor; a stream that was cancelled a moment ago may still count as one that lost its lease."""
        end = time.monotonic() + 20
        while True:
            try:
                with session.tick(inputs=["motor"], takeover="now") as stream:
                    stream.step({"motor": 1.0})
                return
            except tactus.LimitExceeded:
                self.assertLess(time.monotonic(), end)
                time.sleep(0.02)

    def test_shares_of_the_command_line_and_of_the_configuration_file_hold_for_each_identity(self):
        config = self.path("shares.toml")
        with open(config, "w") as file:
            file.write('share = ["sessions=1", "models=0"]\n')
        for arguments in (("--share", "sessions=1", "--share", "models=0"), ("--config", config)):
            server = self.serve("127.0.0.1:0", "--token-file", self.tokens, *arguments)
            driver, again, other, boss = (self.connect(server, tls_ca="", token=self.token[name])
                                          for name in ("driver", "driver", "other", "boss"))
            driver.create_session("four_bar", clock="lockstep", name="mine")
            for client in (driver, again):
                with self.assertRaisesRegex(tactus.LimitExceeded, "--share sessions=N"):
                    client.create_session("four_bar", clock="lockstep")
            other.create_session("four_bar", clock="lockstep")
            for _ in range(2):
                boss.create_session("four_bar", clock="lockstep")
            boss.session("mine").delete()
            again.create_session("four_bar", clock="lockstep")
            model = {**driver.model("four_bar"), "name": "mine"}
            with self.assertRaisesRegex(tactus.LimitExceeded, "--share models=N"):
                driver.load_model(model)
            boss.load_model(model)
            with self.assertRaises(tactus.NotPermitted):
                driver.unload_model("mine")
            boss.unload_model("mine")

    # ---- what is written down ----

    def test_the_audit_log_tells_who_did_what_and_no_secret(self):
        log = self.path("audit.log")
        server = self.serve("127.0.0.1:0", "--token-file", self.tokens, "--audit-log", log)
        driver, other = (self.connect(server, tls_ca="", token=self.token[name]) for name in ("driver", "other"))
        driver.call("CreateSession", pb.CreateSessionRequest(name="rig", model_name="motor_four_bar",
                                                             clock=pb.CLOCK_MODE_LOCKSTEP))
        driver.call("EnterSafeState", pb.EnterSafeStateRequest(session="rig"))
        for reset in (False, True):  # a report alone changes nothing
            driver.call("GetTimingReport", pb.GetTimingReportRequest(session="rig", reset=reset))
        with self.assertRaises(tactus.NotPermitted):
            other.call("DeleteSession", pb.DeleteSessionRequest(session="rig"))
        with driver.session("rig").tick(inputs=["motor"]) as stream:
            stream.step({"motor": 1.0})
            with driver.session("rig").tick(inputs=["motor"], takeover="again"):
                pass
        with self.assertRaises(tactus.NotAuthenticated):
            tactus.connect(server.address, token="NOT-A-TOKEN")
        self.assertEqual(stat.S_IMODE(os.stat(log).st_mode), 0o600)
        with open(log) as file:
            text = file.read()
        for line in (r"driver control ipv4:127\.0\.0\.1:\d+ CreateSession name: \"rig\".* -> OK",
                     r"driver control \S+ EnterSafeState session: \"rig\" -> OK",
                     r"other control \S+ DeleteSession session: \"rig\" -> refused \(7\): session \"rig\" belongs to",
                     r"driver control \S+ Tick session: \"rig\".*takeover: true takeover_reason: \"again\".* -> OK",
                     r"\? \? \S+ GetServerInfo -> refused \(16\)"):
            self.assertRegex(text, line)
        self.assertEqual(re.findall(r"GetTimingReport .*", text), ['GetTimingReport session: "rig" reset: true -> OK'])
        self.assertEqual(server.stop(), 0)
        for secret in (*self.token.values(), "NOT-A-TOKEN"):
            self.assertNotIn(secret, text + "".join(server.log) + server.head)

    # ---- the programs ----

    def test_the_command_line_names_files_and_the_environment_does_as_well(self):
        server = self.serve("0.0.0.0:0", *self.tls, "--token-file", self.tokens)
        token_file = self.path("driver.token")
        tactus_program("token", "new", "--name", "cli", "--role", "control", "--file", self.tokens, "--out", token_file)
        self.assertEqual(stat.S_IMODE(os.stat(token_file).st_mode), 0o600)
        server.reload()
        listing = ("session", "list", "--server", server.address)
        options = ("--tls-ca", f"{self.ca}/ca.crt", "--token-file", token_file)
        self.assertIn("main", tactus_program(*listing, *options))
        self.assertIn("main", tactus_program(*listing, TACTUS_TLS_CA=f"{self.ca}/ca.crt", TACTUS_TOKEN_FILE=token_file))
        self.assertIn("NOT_AUTHENTICATED", tactus_program(*listing, *options[:2], code=2))
        tactus_program("session", "create", "motor_four_bar", "--name", "mine", "--clock", "lockstep", "--server",
                       server.address, *options)
        said = tactus_program("session", "delete", "main", "--server", server.address, *options, code=2)
        self.assertIn("NOT_OWNER", said)
        with open(self.path("watcher.token"), "w", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
            file.write(self.token["watcher"])
        said = tactus_program("session", "pause", "main", "--server", server.address, *options[:2], "--token-file",
                              self.path("watcher.token"), code=2)
        self.assertIn("`tactus session pause` needs the role control", said)
        tactus_program("session", "delete", "mine", "--server", server.address, *options)
        # Streams of the C++ client carry the token, too.
        command = [PROGRAM, "commtest", server.address, "--model", "motor_four_bar", "--duration", "300ms", "--json"]
        said = subprocess.run([*command, *options], capture_output=True, text=True, timeout=120, env=ENVIRONMENT)
        self.assertIn(said.returncode, (0, 1), said.stderr)  # good enough, or not: this machine is shared
        self.assertIn("success_rate", said.stdout)
        # So does the page for Prometheus.
        command = [PROGRAM, "metrics", "--server", server.address, "--listen", "127.0.0.1:0"]
        with subprocess.Popen([*command, *options], stdout=subprocess.PIPE, text=True, env=ENVIRONMENT) as pages:
            try:
                with urllib.request.urlopen(pages.stdout.readline().split()[-1], timeout=60) as answer:
                    self.assertIn("\ntactus_up 1\n", answer.read().decode())
            finally:
                pages.kill()
        os.chmod(token_file, 0o644)
        self.assertIn("chmod 600", tactus_program(*listing, *options, code=2))
        self.assertNotIn("--token ", tactus_program("serve", "--help"))


    @unittest.skipUnless(shutil.which("node") and os.path.exists(os.path.join(WEB, "bridge.cjs")),
                         "the view is not built (clients/web/build.sh)")
    def test_the_bridge_of_the_view_has_the_role_of_its_token(self):
        server = self.serve("0.0.0.0:0", *self.tls, "--token-file", self.tokens)
        token_file = self.path("bridge.token")
        with open(token_file, "w", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
            file.write(self.token["watcher"])
        bridge = subprocess.Popen(
            ["node", os.path.join(WEB, "bridge.cjs"), "--server", server.address, "--port", "0"], text=True,
            stdout=subprocess.PIPE,
            env={**ENVIRONMENT, "TACTUS_TLS_CA": f"{self.ca}/ca.crt", "TACTUS_TOKEN_FILE": token_file})
        self.addCleanup(bridge.stdout.close)
        self.addCleanup(bridge.wait)
        self.addCleanup(bridge.kill)
        url = bridge.stdout.readline().split()[1]
        page = """
            const { WebSocket } = require("ws");
            const url = new URL(process.argv[1]);  // with the secret of the bridge
            const { origin } = url;
            url.protocol = "ws:";
            url.pathname = "/ws";
            const socket = new WebSocket(url, { origin });
            const ask = (id, call, request) => socket.send(JSON.stringify({ id, call, request }));
            socket.on("open", () => { ask(1, "GetServerInfo", {}); ask(2, "PauseSession", { session: "main" }); });
            const said = {};
            socket.on("message", (data) => {
              const word = JSON.parse(String(data));
              if (word.id) said[word.id] = word;
              if (said[1] && said[2]) { console.log(JSON.stringify(said)); process.exit(0); }
            });
        """
        said = subprocess.run(["node", "-e", page, url], capture_output=True, text=True, timeout=60, cwd=WEB)
        self.assertEqual(said.returncode, 0, said.stderr)
        words = json.loads(said.stdout)
        self.assertEqual(words["1"]["reply"]["role"], "observe")
        self.assertEqual(words["2"]["error"]["reason"], "ROLE_TOO_LOW")


if __name__ == "__main__":
    unittest.main()
