"""What a channel to a server needs: plaintext on this host, TLS to another one, a certificate or a token of the client.

`tactus.transport` opens blocking channels with it, `tactus.aio.transport` those of asyncio.
"""

from __future__ import annotations

import dataclasses
import os
import re
import socket
import stat
from typing import Any, NamedTuple

import grpc

from tactus.errors import RequestInvalid

_LOCAL = ("unix:", "localhost:", "[::1]:")

# Keepalive detects a silent server within 15 s, also without calls. Short reconnect delays find a starting server soon.
# A proxy of the environment does not apply on this host and in its network.
_OPTIONS: tuple[tuple[str, int], ...] = (
    ("grpc.keepalive_time_ms", 10_000),
    ("grpc.keepalive_timeout_ms", 5_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 1_000),
    ("grpc.enable_http_proxy", 0),
)

# Each stream has its own connection with a small, fixed window: the transport must not queue frames for a slow reader.
_STREAM_OPTIONS = _OPTIONS + (
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.http2.bdp_probe", 0),
    ("grpc.http2.lookahead_bytes", 16 * 1024),
)

@dataclasses.dataclass(frozen=True)
class Credentials:
    """How a client shows who it is, and which servers it trusts.

    Attributes
    ----------
    tls_ca, tls_cert, tls_key : str
        Paths of PEM files: the authority of the server, which switches TLS on, and certificate and key of this client.
    token : str
        A token of the server. Not shown in a representation of the object.
    insecure : bool
        Speak plaintext to another host, without a token.
    """

    tls_ca: str = ""
    tls_cert: str = ""
    tls_key: str = ""
    token: str = dataclasses.field(default="", repr=False)
    insecure: bool = False


def _invalid(message: str, field: str, hint: str = "") -> RequestInvalid:
    return RequestInvalid(message, "INVALID_ARGUMENT", "REQUEST_INVALID", field, hint)


def _stays_on_this_host(address: str) -> bool:
    if address.startswith(_LOCAL):
        return True
    try:  # a name may begin like an address
        return socket.inet_pton(socket.AF_INET, address.rpartition(":")[0] or address)[0] == 127
    except OSError:
        return False


def _read(field: str, path: str, secret: bool = False) -> bytes:
    try:
        with open(path, "rb") as file:
            if secret and stat.S_IMODE(os.fstat(file.fileno()).st_mode) & 0o077:
                raise _invalid(f"{path}: its group or others have access to this secret", field, f"chmod 600 {path}")
            return file.read()
    except OSError as error:
        raise _invalid(f"{path}: {error.strerror}", field) from None


def choose_credentials(
    tls_ca: str | os.PathLike[str] | None = None,
    tls_cert: str | os.PathLike[str] | None = None,
    tls_key: str | os.PathLike[str] | None = None,
    token: str | None = None,
    token_file: str | os.PathLike[str] | None = None,
    insecure: bool = False,
) -> Credentials:
    """Credentials from arguments, and from the environment where an argument is None.

    The variables are TACTUS_TLS_CA, TACTUS_TLS_CERT, TACTUS_TLS_KEY and TACTUS_TOKEN_FILE.

    Raises
    ------
    RequestInvalid
        If the token file cannot be read, or group or others have access to it.
    """

    def path_of(given: str | os.PathLike[str] | None, variable: str) -> str:
        return os.environ.get(variable, "") if given is None else os.fspath(given)

    if token is not None and token_file is not None:
        raise _invalid("token and token_file exclude each other", "token")
    if token is not None and not isinstance(token, str):
        raise TypeError(f"token is of type {type(token).__name__}; give a text")  # which is not shown
    if token is None:
        file = path_of(token_file, "TACTUS_TOKEN_FILE")
        token = _read("token_file", file, secret=True).decode().strip() if file else ""
    token = token.strip()
    if not all("!" <= letter <= "~" for letter in token):
        # gRPC would show the token in its complaint.
        raise _invalid("the token has characters other than visible ones of ASCII; give the one token alone, without spaces and lines", "token")
    return Credentials(
        path_of(tls_ca, "TACTUS_TLS_CA"),
        path_of(tls_cert, "TACTUS_TLS_CERT"),
        path_of(tls_key, "TACTUS_TLS_KEY"),
        token,
        insecure,
    )


class ChannelSettings(NamedTuple):
    """How to open a channel: options, TLS (None: plaintext), and a token for the header of each call (empty: none)."""

    options: tuple[tuple[str, int], ...]
    tls: Any
    token: str


def channel_settings(address: str, credentials: Credentials, for_stream: bool) -> ChannelSettings:
    """How to open a channel to an address.

    Raises
    ------
    RequestInvalid
        If the address is not on this host and the connection would not be encrypted, or if a file of the credentials
        cannot be used.
    """
    options = _STREAM_OPTIONS if for_stream else _OPTIONS
    if isinstance(address, str) and not address.startswith("unix:") and not re.search(r":[0-9]+$", address):
        raise _invalid(f"{address!r} has no port", "address", "give ADDR:PORT, such as 127.0.0.1:50051, or unix:/PATH")
    here = isinstance(address, str) and _stays_on_this_host(address)
    if bool(credentials.tls_cert) != bool(credentials.tls_key):
        raise _invalid("a certificate and its key belong together", "tls_key", "give both, tls_cert and tls_key")
    if credentials.tls_cert and not credentials.tls_ca:
        raise _invalid("a certificate of the client needs the authority of the server", "tls_ca", "give tls_ca")
    if not isinstance(address, str) or not (here or credentials.tls_ca or credentials.insecure):
        raise _invalid(
            f"{address!r} is not an address on this host, and the connection is not encrypted",
            "address",
            "give tls_ca, or use 127.0.0.1:PORT, localhost:PORT, [::1]:PORT or unix:/PATH",
        )
    if credentials.token and not here and not credentials.tls_ca:
        raise _invalid("a token must not go to another host in plaintext", "token", "give tls_ca")
    if credentials.tls_ca:
        key = _read("tls_key", credentials.tls_key, secret=True) if credentials.tls_key else None
        chain = _read("tls_cert", credentials.tls_cert) if credentials.tls_cert else None
        tls = grpc.ssl_channel_credentials(_read("tls_ca", credentials.tls_ca), key, chain)
        if credentials.token:
            tls = grpc.composite_channel_credentials(tls, grpc.access_token_call_credentials(credentials.token))
        return ChannelSettings(options, tls, "")
    return ChannelSettings(options, None, credentials.token)
