"""Every wait for the network of the asyncio client, under the names of `tactus.transport`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import grpc
import grpc.aio

from tactus.channel import Credentials, channel_settings
from tactus.forked import note_closed, note_open, require_own_process

# Maximum wait for a channel to close, s. Closing takes well below a millisecond.
_CLOSE_TIMEOUT = 1.0

#: Exceptions after which a stream still ends in order. Ctrl-C cancels the task of `asyncio.run`.
INTERRUPTS: tuple[type[BaseException], ...] = (KeyboardInterrupt, asyncio.CancelledError)


class _TokenAdder:
    """Puts a token into every call of a channel. gRPC itself does that over TLS only, not on this host."""

    def __init__(self, token: str) -> None:
        self._header = ("authorization", f"Bearer {token}")

    async def _continue(self, continuation: Any, details: Any, request: Any) -> Any:
        metadata = grpc.aio.Metadata(*(details.metadata or ()), self._header)
        changed = grpc.aio.ClientCallDetails(
            details.method, details.timeout, metadata, details.credentials, details.wait_for_ready
        )
        return await continuation(changed, request)

    intercept_unary_unary = intercept_unary_stream = intercept_stream_unary = intercept_stream_stream = _continue


# A channel takes an interceptor for one kind of calls only.
class _UnaryUnary(_TokenAdder, grpc.aio.UnaryUnaryClientInterceptor):  # type: ignore[misc]
    pass


class _UnaryStream(_TokenAdder, grpc.aio.UnaryStreamClientInterceptor):  # type: ignore[misc]
    pass


class _StreamUnary(_TokenAdder, grpc.aio.StreamUnaryClientInterceptor):  # type: ignore[misc]
    pass


class _StreamStream(_TokenAdder, grpc.aio.StreamStreamClientInterceptor):  # type: ignore[misc]
    pass


def open_channel(address: str, credentials: Credentials, for_stream: bool = False) -> grpc.aio.Channel:
    """Opens a channel.

    Raises
    ------
    RequestInvalid
        See `channel_settings`.
    """
    require_own_process()
    options, tls, token = channel_settings(address, credentials, for_stream)
    adders = [kind(token) for kind in (_UnaryUnary, _UnaryStream, _StreamUnary, _StreamStream)] if token else None
    channel = (grpc.aio.secure_channel(address, tls, options=options) if tls is not None
               else grpc.aio.insecure_channel(address, options=options, interceptors=adders))
    note_open(channel)
    return channel


async def close_channel(channel: grpc.aio.Channel) -> None:
    """Closes a channel and waits at most `_CLOSE_TIMEOUT`."""
    note_closed(channel)
    try:
        await asyncio.wait_for(channel.close(), _CLOSE_TIMEOUT)
    except asyncio.TimeoutError:
        pass


async def wait_for_server(channel: grpc.aio.Channel, seconds: float) -> None:
    """Waits until a channel is connected, or until the time is over: the next call then raises the right error."""
    try:
        await asyncio.wait_for(channel.channel_ready(), seconds)
    except asyncio.TimeoutError:
        pass


class Outbox:
    """Queue of messages to the server: waits for the next message and ends when closed. For one event loop."""

    def __init__(self) -> None:
        self._queue: asyncio.Queue[Any] = asyncio.Queue()
        self.closed = False

    def put(self, message: Any) -> None:
        """Queues a message and returns at once."""
        self._queue.put_nowait(message)

    def close(self) -> None:
        """Closes this side of the call after all queued messages."""
        self.closed = True
        self._queue.put_nowait(None)

    async def __aiter__(self) -> AsyncIterator[Any]:
        while (message := await self._queue.get()) is not None:
            yield message


class _StreamCall:
    """A call that receives a stream. After `cancel` its reader gets an error of gRPC, and not the end of its task."""

    def __init__(self, call: Any) -> None:
        self._call = call
        self._cancelled = False

    def cancel(self) -> None:
        """Ends the call at once."""
        self._cancelled = True
        self._call.cancel()

    async def next_message(self) -> Any:
        """The next message, or the end."""
        try:
            message = await self._call.read()
        except asyncio.CancelledError:
            if not self._cancelled:
                raise
            raise StopAsyncIteration from None
        if message is grpc.aio.EOF:
            raise StopAsyncIteration
        return message


async def unary(method: Any, request: Any, timeout: float) -> Any:
    """Calls a method that answers once; the deadline is in s. Raises `grpc.RpcError`."""
    require_own_process()
    return await method(request, timeout=timeout)


def begin(method: Any, outbox: Outbox) -> Any:
    """Begins a call that sends a stream and receives one."""
    return _StreamCall(method(outbox))


def begin_receiving(method: Any, request: Any) -> Any:
    """Begins a call that receives a stream."""
    return _StreamCall(method(request))


def begin_sending(method: Any, outbox: Outbox) -> Any:
    """Begins a call that sends a stream, and does not wait for its response."""
    return method(outbox)


async def next_message(call: Any, patience: float | None = None) -> Any:
    """The next message of a call. Raises StopAsyncIteration at the end, `grpc.RpcError` if the call failed.

    With a `patience`, s, the end comes after that time at the latest.
    """
    if patience is None:
        return await call.next_message()
    try:
        return await asyncio.wait_for(call.next_message(), patience)
    except asyncio.TimeoutError:
        raise StopAsyncIteration from None


async def messages(call: Any) -> AsyncIterator[Any]:
    """All messages of a call."""
    async for message in call:
        yield message
