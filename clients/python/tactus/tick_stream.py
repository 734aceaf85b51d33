"""The control stream: inputs to a session and frames from it, at every tick."""

from __future__ import annotations

import fnmatch
import os
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Union

import numpy as np
import numpy.typing as npt

from tactus import check
from tactus.errors import Draining, SafeStateWarning, SessionFaulted, TactusError, warn_of
from tactus.frame import Flag, Frame, InputMode, Layout
from tactus.sent_values import SentValues
from tactus.stream import NoticeHandler, Stream, in_python
from tactus.transport import INTERRUPTS, Outbox, begin, close_channel
from tactus.v1 import input_pb2, simulation_pb2, state_pb2
from tactus.wire_errors import error_of_notice

if TYPE_CHECKING:
    from tactus.client import Client
    from tactus.session import Session

#: Input values by name, in order, or none to repeat. A row of a table, such as a ``pandas.Series`` whose labels are texts,
#: counts as a mapping.
Values = Union[Mapping[str, float], Sequence[float], "npt.NDArray[np.float64]", None]


# After Ctrl-C: maximum wait for each message up to the end of the stream, s.
_PATIENCE = 2.0


class TickStream(Stream):
    """A control stream, made by `Session.tick`. A context manager and an iterator over `Frame`.

    In lockstep, `step` sends one input and returns the frame of the tick that used it. In real time, iterate over the
    frames and answer with `send`. One thread may send while another receives. The stream acknowledges frames by itself.

    A block that ends normally, or by Ctrl-C, closes the stream in order; any other exception cancels the stream.

    A stream whose inputs are ignored warns (`SafeStateWarning`): when it opens on the safe state, and when the session
    enters the safe state later. `Session.clear_safe_state` or `leave_safe_state` leaves it.

    Parameters
    ----------
    inputs : iterable of str
        Names or globs of actuators. In real time a stream without inputs, ``[]``, only listens. In lockstep it makes the
        ticks all the same, and holds the first group of inputs: `Session.observe` listens without any.
    outputs : iterable of str
        Names or globs of signals.
    credit_window : int
        Maximum number of unacknowledged frames, at most 4096.
    output_divisor : int
        A frame at every n-th tick. Lockstep: always 1.
    expected_input_hash, expected_output_hash : int
        Expected hashes of the layouts; 0: any layout.
    on_notice : callable, optional
        Called with each ``tactus.v1.TickNotice``, such as a refused input, a pause or a fault, in the thread that
        receives.
    controller : str
        Name of this controller, shown to observers. At most 64 bytes. Default: ``"python, process 1234"``.
    takeover : str
        Reason for taking the inputs from their current controllers. Default: empty, the inputs must be free.
    leave_safe_state : bool
        Leave the safe state that the silence of the controller before led to. Default: such inputs stay in the safe
        state, unless the stream before was closed in order.

    Raises
    ------
    SessionUnknown, SignalUnknown, LayoutMismatch, LeaseHeld, LimitExceeded

    Attributes
    ----------
    inputs, outputs : Layout
        Order of the input values, and of the values of a frame.
    period : float
        Period of a tick, s.

    Examples
    --------
    >>> import tactus
    >>> with tactus.connect("127.0.0.1:50051") as client:
    ...     with client.create_session("motor_four_bar", clock="lockstep") as session:
    ...         with session.tick(inputs=["motor"], outputs=["crank_angle"]) as stream:
    ...             frame = stream.step({"motor": 1.0})
    ...             frame.tick, stream.inputs.names
    (1, ('motor',))
    """

    def __init__(
        self,
        client: Client,
        session: Session,
        inputs: str | Iterable[str],
        outputs: str | Iterable[str],
        credit_window: int = 8,
        output_divisor: int = 1,
        expected_input_hash: int = 0,
        expected_output_hash: int = 0,
        on_notice: NoticeHandler | None = None,
        controller: str = "",
        takeover: str = "",
        leave_safe_state: bool = False,
    ) -> None:
        super().__init__(client, on_notice)
        self._session = session
        self._outbox: Outbox = Outbox()
        self._send_lock = threading.Lock()
        self._sequence = 0
        self._outbox.put(
            simulation_pb2.TickRequest(
                open=simulation_pb2.TickOpen(
                    session=session.name,
                    inputs=resolve_inputs(check.texts("inputs", inputs), session.inputs),
                    outputs=check.texts("outputs", outputs),
                    expected_input_layout_hash=check.natural("expected_input_hash", expected_input_hash, check.MOST_HASH),
                    expected_output_layout_hash=check.natural("expected_output_hash", expected_output_hash, check.MOST_HASH),
                    credit_window=check.natural("credit_window", credit_window),
                    output_divisor=check.natural("output_divisor", output_divisor),
                    packed=True,
                    controller=check.text("controller", controller) or f"python, process {os.getpid()}",
                    takeover=bool(takeover),
                    takeover_reason=check.text("takeover", takeover),
                    leave_safe_state=bool(leave_safe_state),
                )
            )
        )

    def open(self) -> None:
        """Begins the call; `Session.tick` has done it.

        Examples
        --------
        >>> with session.tick(inputs=["motor"], outputs=["crank_angle"]) as stream:  # opens it
        ...     print(stream.inputs.names, stream.outputs.names, stream.period)
        ('motor',) ('crank_angle',) 0.001
        """
        self._call = begin(self._stub.Tick, self._outbox)
        try:
            opened = self._opened()
        except BaseException:
            self._outbox.close()
            raise
        self.inputs = Layout(opened.inputs)
        self.outputs = self._layout = Layout(opened.outputs)
        self.period = opened.period_ns * 1e-9
        self._lockstep = opened.clock == simulation_pb2.CLOCK_MODE_LOCKSTEP
        self._finish.begin(opened.tick + 1, opened.output_divisor)
        self._acknowledge_after = max(1, opened.credit_window // 2)
        self._sent = SentValues([])
        self._groups: list[int] = []  # in real time: those that this stream drives, by their place in the session
        try:
            if opened.safe_state:  # the warning may be an exception
                warn_of(f"session {self._session.name}: {in_python(opened.safe_state)}", SafeStateWarning)
            # An input that the first send by name leaves out keeps its current value.
            if self.inputs.names:
                frame = self._session.read(*self.inputs.names)
                self._sent = SentValues(frame.values.tolist())
                if not self._lockstep:
                    status = self._session.status()
                    self._groups = [k for k, group in enumerate(status.groups) if not set(group.inputs).isdisjoint(opened.inputs.signals)]
        except BaseException:
            self.cancel()
            self._release()  # the inputs are free again
            raise

    def __enter__(self) -> TickStream:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if kind is None or issubclass(kind, INTERRUPTS):
            self._patience = None if kind is None else _PATIENCE
            self.close()
        else:
            self.cancel()
            self._release()

    def send(self, values: Values = None, for_tick: int = 0) -> int:
        """Sends a complete set of input values.

        Parameters
        ----------
        values : mapping or sequence, optional
            A mapping of names to values, or a row of a table (``table.iloc[0]``), changes these inputs and keeps the others.
            A sequence holds all values in the order of ``inputs.names``. Default: send the previous values again. The values
            of a refused input are forgotten when its notice is received.
        for_tick : int
            The first tick that shall use the input. Default 0: the next tick. An input for a past tick is refused
            (`TickInPast`), an input for a later tick is queued.

        Returns
        -------
        int
            Sequence number of the input, as in ``frame.input_sequence``; 0 if the stream has ended. `receive` then
            raises the reason.

        Raises
        ------
        KeyError
            If a name is not an input of the stream.
        ValueError
            If the number of values is wrong.

        Examples
        --------
        >>> with session.tick(inputs=["motor"], outputs=["motor"]) as stream:
        ...     first, second = stream.send({"motor": 1.0}), stream.send()  # none: the values before
        ...     print(second - first)
        1
        """
        check.count("for_tick", for_tick)
        with self._send_lock:
            changes = self._changes(values)
            if self._outbox.closed:
                return 0
            self._sequence += 1
            self._sent.add(self._sequence, changes)
            self._acknowledged = self._received
            self._outbox.put(
                simulation_pb2.TickRequest(
                    input=input_pb2.TickInput(
                        sequence=self._sequence,
                        values=self._sent.newest,
                        acknowledged_output_sequence=self._received,
                        send_time_ns=time.time_ns(),
                        for_tick=for_tick,
                    )
                )
            )
            return self._sequence

    def step(self, values: Values = None, for_tick: int = 0) -> Frame:
        """Sends one input and waits for the tick that used it, or that ignored it in the safe state. For lockstep.

        Parameters
        ----------
        values : mapping or sequence, optional
            As for `send`.
        for_tick : int
            Lockstep: the required number of the tick. Default 0: any tick.

        Returns
        -------
        Frame

        Raises
        ------
        ValueOutOfRange, NotFinite, TickInPast, TickTooFar
            If the input was refused. The session did not tick.
        LeaseLost
            If another controller has taken the inputs over.
        SessionStateError
            If the session does not tick.
        SessionFaulted
            If the step failed.
        Draining
            If the server shuts down.

        Examples
        --------
        >>> with session.tick(inputs=["motor"], outputs=["motor"]) as stream:
        ...     for torque in (0.5, 1.0):
        ...         frame = stream.step({"motor": torque})
        ...         print(frame.tick, frame["motor"])
        1 0.5
        2 1.0
        """
        sequence = self.send(values, for_tick)
        while True:
            # In real time other frames may come first: more than the window allows, where the caller has read none for a while.
            if self._received - self._acknowledged >= self._acknowledge_after:
                self._acknowledged = self._received
                self._acknowledge(self._received)
            response = self._read()
            if response is None:
                if self._last_notice is not None and self._last_notice.reason == "DRAINING":
                    raise Draining("the server is shutting down", "UNAVAILABLE", "DRAINING")
                raise TactusError("the stream has ended; open a new one", "CANCELLED")
            if response.WhichOneof("message") == "frame":
                self._received = response.frame.sequence
                frame = Frame(response.frame, self._layout)
                if response.frame.flags & Flag.FAULT:
                    raise _fault(frame)
                if self._answers(response.frame, sequence):
                    return frame
            else:
                notice = response.notice
                self._hear(notice)
                if notice.reason == "INPUT_REFUSED" and notice.input_sequence == sequence:
                    raise error_of_notice(notice)

    def _answers(self, frame: state_pb2.StateFrame, sequence: int) -> bool:
        """Whether the tick used an input, or ignored it in the safe state."""
        if max(frame.input_sequence, frame.answered_sequence) >= sequence:
            return True
        if self._lockstep:
            return False
        own = [frame.group_modes[k] for k in self._groups if k < len(frame.group_modes)]
        return any(mode in (InputMode.SAFE, InputMode.RAMPING) for mode in own or [frame.input_mode])

    def close(self) -> None:
        """Ends the stream in order: the session still uses all sent inputs; frames not yet received are discarded.

        Raises
        ------
        TactusError
            If the stream ended in an error.

        Examples
        --------
        >>> stream = session.tick(inputs=["motor"])
        >>> frame = stream.step({"motor": 1.0})
        >>> stream.close()
        >>> print(stream.receive())
        None
        """
        if not self._outbox.closed:
            self._outbox.put(simulation_pb2.TickRequest(leave=simulation_pb2.TickLeave()))
        self._outbox.close()
        if self._interrupted and self._patience is None:
            self._patience = _PATIENCE
        try:
            while self._read() is not None:
                pass
        finally:
            self._release()

    def _release(self) -> None:
        self._ended = True
        self._outbox.close()
        close_channel(self._channel)

    def _hear(self, notice: simulation_pb2.TickNotice) -> None:
        if notice.reason == "INPUT_REFUSED":
            with self._send_lock:
                self._sent.forget(notice.input_sequence)
        super()._hear(notice)

    def _acknowledge(self, sequence: int) -> None:
        self._outbox.put(
            simulation_pb2.TickRequest(
                input=input_pb2.TickInput(acknowledge_only=True, acknowledged_output_sequence=sequence)
            )
        )

    def _changes(self, values: Values) -> dict[int, float]:
        """What an input changes, by positions."""
        if values is None:
            return {}
        values = check.by_name("values", values)
        if isinstance(values, Mapping):
            return {self.inputs.index(name): check.number(f"input {name!r}", value) for name, value in values.items()}
        if isinstance(values, (str, bytes)):
            raise check.wrong("values", values, "a mapping of names to numbers, or a number for each input")
        given = check.array("values", values).ravel().tolist()
        if len(given) != len(self.inputs):
            raise ValueError(f"{len(given)} values for {len(self.inputs)} inputs; give one value for each input")
        return dict(enumerate(given))


def resolve_inputs(patterns: str | Iterable[str], actuators: Sequence[str]) -> list[str]:
    """Names of actuators: plain names unchanged, globs replaced by the names they match, each name once."""
    names: dict[str, None] = {}
    for pattern in [patterns] if isinstance(patterns, str) else patterns:
        is_glob = any(letter in pattern for letter in "*?[")
        found = [name for name in actuators if fnmatch.fnmatchcase(name, pattern)] if is_glob else [pattern]
        # A pattern without a match is sent unchanged: the error of the server names the nearest actuator.
        names.update(dict.fromkeys(found or ([] if pattern == "*" else [pattern])))
    return list(names)


def _fault(frame: Frame) -> SessionFaulted:
    return SessionFaulted(
        f"the step failed; the last good tick is {frame.tick}",
        "FAILED_PRECONDITION",
        "SESSION_FAULTED",
        hint="reset the session to start again",
    )
