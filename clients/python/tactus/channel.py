"""Channels to a server on this host."""

from __future__ import annotations

import threading

import grpc

from tactus.errors import RequestInvalid

_LOCAL = ("unix:", "127.", "localhost:", "[::1]:")

# Keepalive detects a silent server within 15 s, also without calls. Short reconnect delays find a starting server soon.
# A proxy of the environment does not apply on this host.
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

# Maximum wait for a channel to close, s. Closing takes well below a millisecond.
_CLOSE_TIMEOUT = 1.0


def open_channel(address: str, for_stream: bool = False) -> grpc.Channel:
    """Opens a channel to an address on this host.

    Raises
    ------
    RequestInvalid
        If the address is not on this host. The connection is not encrypted and must stay on the host.
    """
    if not isinstance(address, str) or not address.startswith(_LOCAL):
        raise RequestInvalid(
            f"{address!r} is not an address on this host, and the connection is not encrypted",
            "INVALID_ARGUMENT",
            "REQUEST_INVALID",
            "address",
            "use 127.0.0.1:PORT, localhost:PORT, [::1]:PORT or unix:/PATH",
        )
    return grpc.insecure_channel(address, options=_STREAM_OPTIONS if for_stream else _OPTIONS)


def close_channel(channel: grpc.Channel) -> None:
    """Closes a channel and waits at most `_CLOSE_TIMEOUT`.

    Ctrl-C may interrupt the main thread while it holds a lock inside grpc. The lock then stays held, the threads of
    grpc never end, and an unlimited wait for them would never return.
    """
    closer = threading.Thread(target=channel.close, daemon=True)
    closer.start()
    closer.join(_CLOSE_TIMEOUT)
