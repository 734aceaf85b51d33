"""The control stream: inputs in, states out, at every tick."""

import collections.abc
import fnmatch
import threading
import time

import numpy as np

from tactus.channel import close_channel
from tactus.errors import Draining, SessionFaulted, TactusError, error_of_notice
from tactus.frame import Flag, Frame, InputMode, Layout
from tactus.stream import Outbox, Stream
from tactus.v1 import input_pb2, simulation_pb2


class TickStream(Stream):
    """Made by `Session.tick`; a context manager and an iterator over frames.

    In lockstep, `step` sends one input and returns the frame of the tick that used it. In real time, iterate and
    answer with `send`. One thread may send while another receives.

    Credit is given back by itself: each input carries the newest frame received, and a reader that does not send
    acknowledges in between.

    Parameters
    ----------
    inputs : iterable of str
        Actuators, names or globs; in real time empty for a stream that only listens.
    outputs : iterable of str
        Signals, names or globs.
    credit_window : int
        Frames that the server may send ahead of what was received.
    output_divisor : int
        A frame every n ticks.
    expected_input_hash, expected_output_hash : int
        Hashes that the layouts must have; 0 for whatever results.
    on_notice : callable, optional
        Called with each ``tactus.v1.TickNotice`` by the thread that receives: refused inputs, pauses, faults.
    controller : str
        Who this is, for those who watch.
    takeover : str
        A reason to take the inputs from whoever holds them; empty: only if they are free.

    Raises
    ------
    SessionUnknown, SignalUnknown, LayoutMismatch, LeaseHeld

    Attributes
    ----------
    inputs, outputs : Layout
        Order of the values sent, and of those in a frame.
    period : float
        Of the tick, s.
    """

    def __init__(
        self,
        client,
        session,
        inputs,
        outputs,
        credit_window=8,
        output_divisor=1,
        expected_input_hash=0,
        expected_output_hash=0,
        on_notice=None,
        controller="",
        takeover="",
    ):
        super().__init__(client.address, on_notice)
        self._outbox = Outbox()
        self._send_lock = threading.Lock()
        self._sequence = 0
        self._outbox.put(
            simulation_pb2.TickRequest(
                open=simulation_pb2.TickOpen(
                    session=session.name,
                    inputs=_resolve_inputs(inputs, session.inputs),
                    outputs=[outputs] if isinstance(outputs, str) else outputs,
                    expected_input_layout_hash=expected_input_hash,
                    expected_output_layout_hash=expected_output_hash,
                    credit_window=credit_window,
                    output_divisor=output_divisor,
                    packed=True,
                    controller=controller,
                    takeover=bool(takeover),
                    takeover_reason=takeover,
                )
            )
        )
        self._call = self._stub.Tick(iter(self._outbox))
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

        # Inputs that a first send by name leaves out keep the value that the session holds now.
        self._values = session.read(*self.inputs.names).values.tolist() if self.inputs.names else []

    def __enter__(self):
        return self

    def __exit__(self, kind, *exception):
        if kind is None:
            self.close()
        else:
            self.cancel()
            self._release()

    def send(self, values=None, for_tick=0):
        """Sends a complete set of input values.

        Parameters
        ----------
        values : mapping or sequence, optional
            Name to value, others stay as they were; or all of them in the order of ``inputs.names``; or nothing, to
            send the same again.
        for_tick : int
            The tick that is to use it first; 0 for the next one. A tick that is over refuses it (`TickInPast`), a later
            one has it wait.

        Returns
        -------
        int
            Sequence number that comes back in ``frame.input_sequence``; 0 if the stream has ended, and then `receive`
            says why.

        Raises
        ------
        KeyError
            For a name that is not among the inputs of the stream.
        ValueError
            If the count is wrong.
        """
        with self._send_lock:
            self._values = self._merged(values)
            if self._outbox.closed:
                return 0
            self._sequence += 1
            self._acknowledged = self._received
            self._outbox.put(
                simulation_pb2.TickRequest(
                    input=input_pb2.TickInput(
                        sequence=self._sequence,
                        values=self._values,
                        acknowledged_output_sequence=self._received,
                        send_time_ns=time.time_ns(),
                        for_tick=for_tick,
                    )
                )
            )
            return self._sequence

    def step(self, values=None, for_tick=0):
        """Lockstep: sends one input and waits for the tick that used it, or that left it aside for the safe state.

        Parameters
        ----------
        values : mapping or sequence, optional
            As for `send`.
        for_tick : int
            The tick that it must be; 0 for whichever it is.

        Returns
        -------
        Frame

        Raises
        ------
        ValueOutOfRange, NotFinite, TickInPast, TickTooFar
            If the input was refused; nothing ticked.
        SessionStateError
            If the session does not tick; `SessionFaulted` if the step failed.
        Draining
            If the server shuts down.
        """
        held = self._values
        sequence = self.send(values, for_tick)
        while True:
            response = self._read()
            if response is None:
                if self._last_notice is not None and self._last_notice.reason == "DRAINING":
                    raise Draining("the server shuts down", "UNAVAILABLE", "DRAINING")
                raise TactusError("the stream has ended", "CANCELLED")
            if response.WhichOneof("message") == "frame":
                self._received = response.frame.sequence
                frame = Frame(response.frame, self._layout)
                if response.frame.flags & Flag.FAULT:
                    raise _fault(frame)
                if self._answers(response.frame, sequence):
                    return frame
            else:
                notice = response.notice
                if self._on_notice:
                    self._on_notice(notice)
                if notice.reason == "INPUT_REFUSED" and notice.input_sequence == sequence:
                    self._values = held
                    raise error_of_notice(notice)

    def _answers(self, frame, sequence):
        """Whether the tick used an input, or would have used it were it not for the safe state."""
        if max(frame.input_sequence, frame.answered_sequence) >= sequence:
            return True
        return not self._lockstep and frame.input_mode in (InputMode.SAFE, InputMode.RAMPING)

    def close(self):
        """Ends the stream in order: what was sent is still used, frames on their way are discarded.

        Raises
        ------
        TactusError
            If the stream ended in an error.
        """
        self._outbox.close()
        try:
            while self._read() is not None:
                pass
        finally:
            self._release()

    def _release(self):
        self._ended = True
        self._outbox.close()
        close_channel(self._channel)

    def _acknowledge(self, sequence):
        self._outbox.put(
            simulation_pb2.TickRequest(
                input=input_pb2.TickInput(acknowledge_only=True, acknowledged_output_sequence=sequence)
            )
        )

    def _merged(self, values):
        if values is None:
            return self._values
        if isinstance(values, collections.abc.Mapping):
            merged = list(self._values)
            for name, value in values.items():
                merged[self.inputs.index(name)] = float(value)
            return merged
        merged = np.asarray(values, dtype=float).ravel().tolist()
        if len(merged) != len(self.inputs):
            raise ValueError(f"the stream takes {len(self.inputs)} values, not {len(merged)}")
        return merged


def _resolve_inputs(patterns, actuators):
    """Names as they stand, globs as the actuators that they match, each once."""
    names = {}
    for pattern in [patterns] if isinstance(patterns, str) else patterns:
        is_glob = "*" in pattern or "?" in pattern
        found = [name for name in actuators if fnmatch.fnmatchcase(name, pattern)] if is_glob else [pattern]
        # What matches nothing goes to the server as it is: its answer names the nearest actuator.
        names.update(dict.fromkeys(found or ([] if pattern == "*" else [pattern])))
    return list(names)


def _fault(frame):
    return SessionFaulted(
        f"the step failed; the last good tick is {frame.tick}",
        "FAILED_PRECONDITION",
        "SESSION_FAULTED",
        hint="reset the session to begin anew",
    )
