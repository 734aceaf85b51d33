"""Every wait for the network of the blocking client. `tactus.aio.transport` has the same names for asyncio.

The modules that use it alone are the sources of the asyncio client, see ``generate_aio.py``.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from typing import Any

import grpc

from tactus.channel import Credentials, channel_settings
from tactus.forked import note_closed, note_open, require_own_process

# Maximum wait for a channel to close, s. Closing takes well below a millisecond.
_CLOSE_TIMEOUT = 1.0

#: Exceptions after which a stream still ends in order.
INTERRUPTS: tuple[type[BaseException], ...] = (KeyboardInterrupt,)


class _TokenAdder(
    grpc.UnaryUnaryClientInterceptor,  # type: ignore[misc]
    grpc.UnaryStreamClientInterceptor,  # type: ignore[misc]
    grpc.StreamUnaryClientInterceptor,  # type: ignore[misc]
    grpc.StreamStreamClientInterceptor,  # type: ignore[misc]
):
    """Puts a token into every call of a channel. gRPC itself does that over TLS only, not on this host."""

    def __init__(self, token: str) -> None:
        self._header = ("authorization", f"Bearer {token}")

    def _continue(self, continuation: Callable[[Any, Any], Any], details: Any, request: Any) -> Any:
        return continuation(_CallDetails(details, self._header), request)

    intercept_unary_unary = intercept_unary_stream = intercept_stream_unary = intercept_stream_stream = _continue


class _CallDetails(grpc.ClientCallDetails):  # type: ignore[misc]
    """The details of a call with one more header."""

    def __init__(self, details: Any, header: tuple[str, str]) -> None:
        self.method = details.method
        self.timeout = details.timeout
        self.metadata = [*(details.metadata or ()), header]
        self.credentials = details.credentials
        self.wait_for_ready = getattr(details, "wait_for_ready", None)
        self.compression = getattr(details, "compression", None)


def open_channel(address: str, credentials: Credentials, client_channel: grpc.Channel | None = None) -> grpc.Channel:
    """Opens a channel. That of a stream is beside the channel of its client.

    Raises
    ------
    RequestInvalid
        See `channel_settings`.
    """
    require_own_process()
    options, tls, token = channel_settings(address, credentials, client_channel is not None)
    if tls is not None:
        channel = grpc.secure_channel(address, tls, options=options)
    else:
        channel = grpc.insecure_channel(address, options=options)
        channel = grpc.intercept_channel(channel, _TokenAdder(token)) if token else channel
    note_open(channel)
    return channel


def close_channel(channel: grpc.Channel) -> None:
    """Closes a channel and waits at most `_CLOSE_TIMEOUT`.

    Ctrl-C may interrupt the main thread while it holds a lock inside grpc. The lock then stays held, the threads of
    grpc never end, and an unlimited wait for them would never return.
    """
    note_closed(channel)
    closer = threading.Thread(target=channel.close, daemon=True)
    closer.start()
    closer.join(_CLOSE_TIMEOUT)


def wait_for_server(channel: grpc.Channel, seconds: float) -> None:
    """Waits until a channel is connected, or until the time is over: the next call then raises the right error."""
    try:
        grpc.channel_ready_future(channel).result(timeout=seconds)
    except grpc.FutureTimeoutError:
        pass


class Outbox:
    """Queue of messages to the server: an iterator for gRPC that waits for the next message and ends when closed."""

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.closed = False

    def put(self, message: Any) -> None:
        """Queues a message and returns at once."""
        self._queue.put(message)

    def close(self) -> None:
        """Closes this side of the call after all queued messages."""
        self.closed = True
        self._queue.put(None)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._queue.get, None)


def unary(method: Any, request: Any, timeout: float) -> Any:
    """Calls a method that answers once; the deadline is in s. Raises `grpc.RpcError`."""
    require_own_process()
    return method(request, timeout=timeout)


def begin(method: Any, outbox: Outbox) -> Any:
    """Begins a call that sends a stream and receives one."""
    return method(iter(outbox))


def begin_receiving(method: Any, request: Any) -> Any:
    """Begins a call that receives a stream."""
    return method(request)


def begin_sending(method: Any, outbox: Outbox) -> Any:
    """Begins a call that sends a stream, and does not wait for its response."""
    return method.future(iter(outbox))


def next_message(call: Any, patience: float | None = None) -> Any:
    """The next message of a call. Raises StopIteration at the end, `grpc.RpcError` if the call failed.

    With a `patience`, s, the end comes after that time at the latest: after Ctrl-C within grpc it may never come, see
    `close_channel`.
    """
    if patience is None:
        return next(call)
    found: queue.SimpleQueue[tuple[Any, BaseException | None]] = queue.SimpleQueue()

    def read() -> None:
        try:
            found.put((next(call), None))
        except BaseException as error:
            found.put((None, error))

    threading.Thread(target=read, daemon=True).start()
    try:
        message, error = found.get(timeout=patience)
    except queue.Empty:
        raise StopIteration from None
    if error is not None:
        raise error
    return message


def messages(call: Any) -> Iterator[Any]:
    """All messages of a call."""
    return iter(call)
