"""A stream of states, for readers that do not control."""

from tactus.channel import close_channel
from tactus.frame import Layout
from tactus.stream import Outbox, Stream
from tactus.v1 import simulation_pb2

_DELIVERIES = {"latest": simulation_pb2.DELIVERY_LATEST, "queue": simulation_pb2.DELIVERY_QUEUE}


class Observation(Stream):
    """Made by `Session.observe`; a context manager and an iterator over frames.

    Frames that could not be sent in time are counted in ``frame.missed``. Credit is given back by itself, on a call
    beside the stream.

    Parameters
    ----------
    signals : iterable of str
        Names or globs.
    every : int
        A frame every n ticks.
    delivery : {"latest", "queue"}
        The newest frame; or all in order, from a queue that drops the oldest when it is full.
    queue_depth : int
        Frames that a queue holds, at most 4096.
    credit_window : int
        Frames that the server may send ahead of what was received; 0 for no limit.
    expected_hash : int
        Hash that the layout must have; 0 for whatever results.
    on_notice : callable, optional
        Called with each ``tactus.v1.TickNotice`` by the thread that receives: pauses, faults.

    Raises
    ------
    SessionUnknown, SignalUnknown, LayoutMismatch

    Attributes
    ----------
    layout : Layout
        Order of the values of a frame.
    period : float
        Of the tick, s.
    """

    def __init__(
        self,
        client,
        session,
        signals=("*",),
        every=1,
        delivery="latest",
        queue_depth=64,
        credit_window=8,
        expected_hash=0,
        on_notice=None,
    ):
        if delivery not in _DELIVERIES:
            raise ValueError(f"{delivery!r} is no delivery: choose one of {', '.join(_DELIVERIES)}")
        super().__init__(client.address, on_notice)
        self._call = self._stub.Observe(
            simulation_pb2.ObserveRequest(
                session=session.name,
                signals=[signals] if isinstance(signals, str) else signals,
                every=every,
                delivery=_DELIVERIES[delivery],
                queue_depth=queue_depth,
                credit_window=credit_window,
                packed=True,
                expected_layout_hash=expected_hash,
            )
        )
        opened = self._opened()
        self.layout = self._layout = Layout(opened.layout)
        self.period = opened.period_ns * 1e-9
        self._stream_id = opened.stream_id
        self._finish.begin(None, every)
        self._acknowledge_after = max(1, opened.credit_window // 2)
        if opened.credit_window:
            self._outbox = Outbox()
            self._credit = self._stub.AcknowledgeFrames.future(iter(self._outbox))

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()

    def close(self):
        """Ends the stream."""
        self.cancel()
        self._ended = True
        if self._outbox:
            self._outbox.close()
        close_channel(self._channel)

    def _acknowledge(self, sequence):
        if self._outbox:
            self._outbox.put(simulation_pb2.FrameAcknowledgement(stream_id=self._stream_id, sequence=sequence))
