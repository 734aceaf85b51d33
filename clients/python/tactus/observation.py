"""A stream of states for readers that send no inputs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Literal

from tactus import check
from tactus.frame import Layout
from tactus.stream import Stream
from tactus.transport import Outbox, begin_receiving, begin_sending, close_channel
from tactus.v1 import simulation_pb2

if TYPE_CHECKING:
    from tactus.client import Client
    from tactus.session import Session

Delivery = Literal["latest", "queue"]
_DELIVERIES = {"latest": simulation_pb2.DELIVERY_LATEST, "queue": simulation_pb2.DELIVERY_QUEUE}


class Observation(Stream):
    """A stream of frames, made by `Session.observe`. A context manager and an iterator over `Frame`.

    ``frame.missed`` counts the frames that could not be sent in time. The stream acknowledges frames by itself, on a
    second call.

    Parameters
    ----------
    signals : iterable of str
        Names or globs of signals.
    every : int
        A frame at every n-th tick.
    delivery : {"latest", "queue"}
        ``"latest"``: the newest frame. ``"queue"``: all frames in order; a full queue drops the oldest frames.
    queue_depth : int
        Maximum number of frames in the queue, at most 4096, and at most 1 048 576 values in all.
    credit_window : int
        Maximum number of unacknowledged frames, at most 4096; 0: no limit.
    expected_hash : int
        Expected hash of the layout; 0: any layout.
    on_notice : callable, optional
        Called with each ``tactus.v1.TickNotice``, such as a pause or a fault, in the thread that receives.

    Raises
    ------
    SessionUnknown, SignalUnknown, LayoutMismatch, LimitExceeded
    ValueError
        If `delivery` is unknown.

    Attributes
    ----------
    layout : Layout
        Order of the values of a frame.
    period : float
        Period of a tick, s.

    Examples
    --------
    >>> import tactus
    >>> with tactus.connect("127.0.0.1:50051") as client:
    ...     with client.create_session("motor_four_bar", clock="lockstep") as session:
    ...         with session.observe(["energy.total"]) as frames:
    ...             frames.receive().tick, frames.layout.names
    (0, ('energy.total',))
    """

    def __init__(
        self,
        client: Client,
        session: Session,
        signals: str | Iterable[str] = ("*",),
        every: int = 1,
        delivery: Delivery = "latest",
        queue_depth: int = 64,
        credit_window: int = 8,
        expected_hash: int = 0,
        on_notice: Callable[[simulation_pb2.TickNotice], object] | None = None,
    ) -> None:
        if delivery not in _DELIVERIES:
            raise ValueError(f"delivery={delivery!r} is unknown; choose one of {', '.join(_DELIVERIES)}")
        super().__init__(client, on_notice)
        self._request = simulation_pb2.ObserveRequest(
            session=session.name,
            signals=check.texts("signals", signals),
            every=check.natural("every", every),
            delivery=_DELIVERIES[delivery],
            queue_depth=check.natural("queue_depth", queue_depth),
            credit_window=check.natural("credit_window", credit_window),
            packed=True,
            expected_layout_hash=check.natural("expected_hash", expected_hash, check.MOST_HASH),
        )

    def open(self) -> None:
        """Begins the call; `Session.observe` has done it.

        Examples
        --------
        >>> with session.observe(["crank_angle"]) as frames:  # opens it
        ...     print(frames.layout.names)
        ('crank_angle',)
        """
        self._call = begin_receiving(self._stub.Observe, self._request)
        opened = self._opened()
        self.layout = self._layout = Layout(opened.layout)
        self.period = opened.period_ns * 1e-9
        self._stream_id = opened.stream_id
        self._finish.begin(None, self._request.every)
        self._acknowledge_after = max(1, opened.credit_window // 2)
        if opened.credit_window:
            self._outbox = Outbox()
            self._credit = begin_sending(self._stub.AcknowledgeFrames, self._outbox)

    def __enter__(self) -> Observation:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the stream and closes its connection.

        Examples
        --------
        >>> frames = session.observe(["crank_angle"])
        >>> frames.close()
        """
        self.cancel()
        self._ended = True
        if self._outbox:
            self._outbox.close()
        close_channel(self._channel)

    def _acknowledge(self, sequence: int) -> None:
        if self._outbox:
            self._outbox.put(simulation_pb2.FrameAcknowledgement(stream_id=self._stream_id, sequence=sequence))
