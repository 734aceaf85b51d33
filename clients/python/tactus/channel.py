"""The way to a server: addresses and channels."""

import threading

import grpc

from tactus.errors import RequestInvalid

_LOCAL = ("unix:", "127.", "localhost:", "[::1]:")

# A silent peer is noticed within 15 s, calls or none; a server that is being started is found soon; a proxy of the
# environment has no business on this host.
_OPTIONS = (
    ("grpc.keepalive_time_ms", 10_000),
    ("grpc.keepalive_timeout_ms", 5_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 1_000),
    ("grpc.enable_http_proxy", 0),
)

# A stream has a connection of its own with a small window that stays small: the transport must not hoard frames for
# a reader that is late.
_STREAM_OPTIONS = _OPTIONS + (
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.http2.bdp_probe", 0),
    ("grpc.http2.lookahead_bytes", 16 * 1024),
)


# Closing takes well below a millisecond.
_PATIENCE = 1.0  # s


def open_channel(address, for_stream=False):
    """A channel to an address on this host.

    Raises
    ------
    RequestInvalid
        If the address is not on this host: plaintext stays on it.
    """
    if not address.startswith(_LOCAL):
        raise RequestInvalid(
            f"{address!r} is not an address on this host",
            "INVALID_ARGUMENT",
            "REQUEST_INVALID",
            "address",
            "use 127.0.0.1:PORT, localhost:PORT, [::1]:PORT or unix:/PATH",
        )
    return grpc.insecure_channel(address, options=_STREAM_OPTIONS if for_stream else _OPTIONS)


def close_channel(channel):
    """Closes a channel without waiting for good.

    Ctrl-C may strike while the main thread holds a lock inside of grpc and leave it held: what grpc does on its own
    threads then never ends, nor does a call that waits for it.
    """
    closer = threading.Thread(target=channel.close, daemon=True)
    closer.start()
    closer.join(_PATIENCE)
