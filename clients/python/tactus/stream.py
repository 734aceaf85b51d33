"""The common part of both streams: reading, notices, acknowledgement and the end of a stream."""

from __future__ import annotations

import contextlib
import inspect
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import grpc

from tactus import check
from tactus.errors import Draining, EnergyGrowthWarning, RecordingWarning, SafeStateWarning, warn_of
from tactus.frame import Frame, Layout
from tactus.transport import INTERRUPTS, Outbox, close_channel, next_message, open_channel
from tactus.v1 import simulation_pb2, simulation_pb2_grpc
from tactus.wire_errors import error_of_call, error_of_notice

if TYPE_CHECKING:
    from tactus.client import Client

NoticeHandler = Callable[[simulation_pb2.TickNotice], object]


class Stream:
    """The reading side of a stream. A derived class sets ``_call``, ``_layout`` and ``_acknowledge_after``."""

    _layout: Layout

    def __init__(self, client: Client, on_notice: NoticeHandler | None) -> None:
        if on_notice is not None and (not callable(on_notice) or inspect.iscoroutinefunction(on_notice)):
            raise check.wrong("on_notice", on_notice, "a plain function, which is called and not awaited")
        self._on_notice = on_notice
        self._channel = open_channel(client.address, client.credentials, client._channel)
        self._stub = simulation_pb2_grpc.SimulationStub(self._channel)
        self._call: Any = None
        self._outbox: Outbox | None = None
        self._last_notice: simulation_pb2.TickNotice | None = None
        self._ended = False
        self._cancelled = False
        self._patience: float | None = None
        self._interrupted = False  # while it waited: the call may be broken
        self._reading = threading.Lock()
        self._finish = _FinishWatch()
        self._acknowledge_after = 1
        self._received = 0
        self._acknowledged = 0

    def __reduce__(self) -> tuple[object, ...]:  # a copy would share the connection
        raise TypeError(f"this {type(self).__name__} cannot be copied or pickled: send its frames, or the arrays() of a Recorder; another "
                        "process connects and opens a stream of its own")

    def __iter__(self) -> Iterator[Frame]:
        return self

    def __next__(self) -> Frame:
        frame = self.receive()
        if frame is None:
            raise StopIteration
        return frame

    def receive(self) -> Frame | None:
        """Waits for the next frame.

        Returns
        -------
        Frame or None
            None if the stream has ended (after `close` or `cancel`, or because the server shuts down), or if the
            session has finished.

        Raises
        ------
        TactusError
            If the stream ended for another reason. Without `on_notice` also for a refused input (`ValueOutOfRange`,
            `NotFinite`, ...), inputs that another controller took over (`LeaseLost`), a fault (`SessionFaulted`) or a
            stop by the overrun rule (`SessionStopped`); the stream then stays open.

        Examples
        --------
        >>> with session.tick(inputs=["motor"], outputs=["crank_angle"]) as stream:
        ...     sequence = stream.send({"motor": 1.0})
        ...     frame = stream.receive()
        ...     print(frame.tick, frame.input_sequence == sequence)
        1 True
        """
        if self._finish.is_over():
            return None
        if self._received - self._acknowledged >= self._acknowledge_after:
            self._acknowledged = self._received
            self._acknowledge(self._received)
        while True:
            response = self._read()
            if response is None:
                return None
            kind = response.WhichOneof("message")
            if kind == "frame":
                self._received = response.frame.sequence
                return Frame(response.frame, self._layout)
            if kind == "notice":
                self._tell(response.notice)
            if self._finish.is_over():
                return None

    def cancel(self) -> None:
        """Ends the stream at once and wakes a waiting `receive`. Any thread may call it.

        Examples
        --------
        >>> stream = session.tick(inputs=["motor"])
        >>> stream.cancel()
        >>> print(stream.receive())
        None
        """
        self._cancelled = True
        self._call.cancel()

    def _acknowledge(self, sequence: int) -> None:
        raise NotImplementedError

    def _opened(self) -> Any:
        """The first response. Raises the error that explains why there is none."""
        try:
            first = next_message(self._call)
            return first.opened
        except grpc.RpcError as failure:
            close_channel(self._channel)
            raise error_of_call(failure) from None
        except BaseException:
            self._call.cancel()
            close_channel(self._channel)
            raise

    def _read(self) -> Any:
        """The next response, or None at the end of the stream."""
        if self._ended:
            return None
        if not self._reading.acquire(blocking=False) and self._patience is None:
            raise RuntimeError("this stream is being read already: one thread or task at a time may receive, and another one may send; "
                               "cancel() wakes the one that waits")
        try:
            response = next_message(self._call, self._patience)
        except StopIteration:
            self._ended = True
            return None
        except grpc.RpcError as failure:
            self._ended = True
            error = error_of_notice(self._last_notice) if self._last_notice else error_of_call(failure)
            if self._cancelled or isinstance(error, Draining):
                return None
            raise error from None
        except INTERRUPTS:
            self._interrupted = True
            raise
        except Exception as failure:
            if isinstance(failure, RuntimeError) and isinstance(failure.__context__, KeyboardInterrupt):
                self._interrupted = True
                raise KeyboardInterrupt from None  # an error of a lock within gRPC has taken its place
            if self._patience is None:
                raise
            self._ended = True  # after Ctrl-C gRPC may report no end: nothing more will be read
            return None
        finally:
            with contextlib.suppress(RuntimeError):  # after Ctrl-C it may be free already
                self._reading.release()

        self._finish.see(response)

        # A server that ends the stream sends the status with its detail only after the client has closed its side.
        if response.HasField("notice") and response.notice.reason in ("SESSION_DELETED", "DRAINING"):
            self._last_notice = response.notice
            if self._outbox:
                self._outbox.close()
        return response

    def _hear(self, notice: simulation_pb2.TickNotice) -> None:
        """Passes a notice to the handler; without a handler the safe state, a growth of energy and recordings that lose data become warnings."""
        if self._on_notice:
            self._on_notice(notice)
        elif notice.reason == "SAFE_STATE_ENTERED":
            warn_of(in_python(notice.message), SafeStateWarning)
        elif notice.reason == "ENERGY_GROWS":
            warn_of(notice.message, EnergyGrowthWarning)
        elif notice.reason.startswith("RECORDING_"):
            warn_of(notice.message, RecordingWarning)

    def _tell(self, notice: simulation_pb2.TickNotice) -> None:
        self._hear(notice)
        lost = notice.detail.reason == "LEASE_LOST"
        if not self._on_notice and (lost or notice.reason in ("INPUT_REFUSED", "SESSION_FAULTED", "SESSION_STOPPED")):
            raise error_of_notice(notice)


def in_python(text: str) -> str:
    """Words about a safe state with the method of this client in place of the call of the wire."""
    return text.replace("ClearSafeState (tactus clear)", "session.clear_safe_state()")


class _FinishWatch:
    """Detects the last frame of a session that has finished.

    The notice about the end may arrive before frames that wait for an acknowledgement.
    """

    def __init__(self) -> None:
        self._divisor = 1
        self._next_due: int | None = None
        self._last: int | None = None

    def begin(self, next_due: int | None, divisor: int) -> None:
        """Sets the tick of the first frame (None: unknown) and the number of ticks between frames."""
        self._next_due = next_due
        self._divisor = max(divisor, 1)

    def see(self, response: Any) -> None:
        """Evaluates the next response of the stream."""
        if response.HasField("frame"):
            self._next_due = response.frame.tick + self._divisor
        elif response.HasField("notice"):
            if response.notice.reason == "SESSION_FINISHED":
                self._last = response.notice.tick
            elif response.notice.reason == "SESSION_RESET":
                self._next_due, self._last = 0, None

    def is_over(self) -> bool:
        """Returns True once, when no further frame is due."""
        if self._last is None or self._next_due is None or self._next_due <= self._last:
            return False
        self._last = None
        return True
