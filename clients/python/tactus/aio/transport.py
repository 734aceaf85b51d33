"""Every wait for the network of the asyncio client, under the names of `tactus.transport`."""

from __future__ import annotations

import asyncio
import functools
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


class _OwnLoop:
    """The event loop in which an object was made. Elsewhere gRPC waits forever, or says "Event loop is closed"."""

    def __init__(self) -> None:
        try:
            self._loop = asyncio.get_running_loop()
        except RuntimeError:
            raise RuntimeError("no event loop runs here, and a connection of tactus.aio needs one: write `async with "
                               "tactus.aio.connect(...)` in a coroutine function, and run it by asyncio.run") from None

    def require(self, unless_closed: bool = False) -> None:
        """Refuses a call elsewhere; with `unless_closed` only while the event loop is open."""
        try:
            here = asyncio.get_running_loop()
        except RuntimeError:
            here = None
        if here is not self._loop and not (unless_closed and self._loop.is_closed()):
            raise RuntimeError("this object of tactus.aio belongs to another event loop, the one in which its connection was opened: "
                               "open a connection in each event loop, by `async with tactus.aio.connect(...)` in the coroutine that "
                               "asyncio.run runs; from another thread use asyncio.run_coroutine_threadsafe")


class _Channel:
    """A channel whose calls begin in its own event loop only. All calls of a client and of its streams begin here."""

    def __init__(self, channel: grpc.aio.Channel, loop: _OwnLoop) -> None:
        self.channel, self.loop = channel, loop

    def _method(self, kind: str, *arguments: Any, **named: Any) -> Any:
        method = getattr(self.channel, kind)(*arguments, **named)

        def begin_call(*arguments: Any, **named: Any) -> Any:
            self.loop.require()
            return method(*arguments, **named)

        return begin_call

    # What the stub asks for each method of the service.
    unary_unary = functools.partialmethod(_method, "unary_unary")
    unary_stream = functools.partialmethod(_method, "unary_stream")
    stream_unary = functools.partialmethod(_method, "stream_unary")
    stream_stream = functools.partialmethod(_method, "stream_stream")


def open_channel(address: str, credentials: Credentials, client_channel: _Channel | None = None) -> _Channel:
    """Opens a channel in the event loop that runs. That of a stream is beside the channel of its client.

    Raises
    ------
    RequestInvalid
        See `channel_settings`.
    RuntimeError
        If no event loop runs, or another one than that of the client.
    """
    require_own_process()
    if client_channel is not None:
        client_channel.loop.require()
    loop = _OwnLoop()
    options, tls, token = channel_settings(address, credentials, client_channel is not None)
    adders = [kind(token) for kind in (_UnaryUnary, _UnaryStream, _StreamUnary, _StreamStream)] if token else None
    channel = _Channel(grpc.aio.secure_channel(address, tls, options=options) if tls is not None
                       else grpc.aio.insecure_channel(address, options=options, interceptors=adders), loop)
    note_open(channel)
    return channel


async def close_channel(channel: _Channel) -> None:
    """Closes a channel and waits at most `_CLOSE_TIMEOUT`."""
    channel.loop.require(unless_closed=True)
    note_closed(channel)
    try:
        await asyncio.wait_for(channel.channel.close(), _CLOSE_TIMEOUT)
    except asyncio.TimeoutError:
        pass


async def wait_for_server(channel: _Channel, seconds: float) -> None:
    """Waits until a channel is connected, or until the time is over: the next call then raises the right error."""
    channel.loop.require()
    try:
        await asyncio.wait_for(channel.channel.channel_ready(), seconds)
    except asyncio.TimeoutError:
        pass


class Outbox:
    """Queue of messages to the server: waits for the next message and ends when closed. For one event loop."""

    def __init__(self) -> None:
        self._queue: asyncio.Queue[Any] = asyncio.Queue()
        self._loop = _OwnLoop()
        self.closed = False

    def put(self, message: Any) -> None:
        """Queues a message and returns at once."""
        self._loop.require()
        self._queue.put_nowait(message)

    def close(self) -> None:
        """Closes this side of the call after all queued messages."""
        self.closed = True
        self._queue.put_nowait(None)

    async def __aiter__(self) -> AsyncIterator[Any]:
        while (message := await self._queue.get()) is not None:
            yield message


class _StreamCall:
    """A call that receives a stream. After `cancel` its reader gets the end of the stream, and not the end of its task.

    gRPC ends a call whose read is cancelled. The read is therefore a task of its own: a reader that is cancelled, by a timeout
    or together with its program, leaves it to the next reader, and no message is lost.
    """

    def __init__(self, call: Any) -> None:
        self._call = call
        self._loop = _OwnLoop()
        self._cancelled = False
        self._pending: asyncio.Future[Any] | None = None

    def cancel(self) -> None:
        """Ends the call at once."""
        self._cancelled = True
        self._call.cancel()

    async def next_message(self) -> Any:
        """The next message, or the end."""
        self._loop.require()
        if self._pending is None:
            self._pending = asyncio.ensure_future(self._call.read())
            self._pending.add_done_callback(_without_complaint)
        pending = self._pending
        await asyncio.wait((pending,))
        self._pending = None
        if self._cancelled and pending.cancelled():
            raise StopAsyncIteration
        message = pending.result()
        if message is grpc.aio.EOF:
            raise StopAsyncIteration
        return message


def _without_complaint(read: asyncio.Future[Any]) -> None:
    """Marks the error of a read as seen, so that asyncio does not log it where no reader is left."""
    if not read.cancelled():
        read.exception()


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
