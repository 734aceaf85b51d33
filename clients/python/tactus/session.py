"""A handle to a session. A session runs one model."""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import Iterable
from typing import TYPE_CHECKING

from tactus import check, units
from tactus.block import Block
from tactus.block_call import run_block
from tactus.errors import BestEffortWarning, Draining, SessionUnknown, SnapshotIncompatible, TactusError, Unreachable, warn_of
from tactus.input_rows import Rows, Ticks, input_rows, tick_count
from tactus.observation import Delivery, Observation
from tactus.session_analyses import SessionAnalyses
from tactus.session_records import SessionRecords
from tactus.session_signals import SessionSignals
from tactus.stream import NoticeHandler
from tactus.tick_stream import TickStream
from tactus.units import Duration
from tactus.v1 import simulation_pb2, snapshot_pb2

if TYPE_CHECKING:
    from tactus.client import Client


class Session(SessionRecords, SessionSignals, SessionAnalyses):
    """A handle to a session of the server.

    `Client.create_session` makes a handle that deletes the session at the end of its ``with`` block. `Client.session`
    makes a handle that leaves the session alone. Methods with `request_id` take effect once for each id; without an id
    each call has a new one. Every method may raise `SessionUnknown` or `Unreachable`.

    In the examples of the methods ``session`` is a new session of ``motor_four_bar`` in lockstep, with the period 1 ms.

    Attributes
    ----------
    name : str
    model : str
        The model as it was named when the session was created.
    period : float
        Period of a tick, s.
    period_ns : int
        Period of a tick, ns.
    inputs : list of str
        Names of the actuators, in the order of the model.

    Examples
    --------
    >>> import tactus
    >>> with tactus.connect("127.0.0.1:50051") as client:
    ...     with client.create_session("motor_four_bar", clock="lockstep", period="1ms") as session:
    ...         block = session.run("100ms", inputs={"motor": 1.0}, outputs=["crank_angle"], every=10)
    ...         session.state, len(block), session.units["crank_angle"]
    ('RUNNING', 10, 'rad')
    """

    def __init__(self, client: Client, message: simulation_pb2.Session, delete_on_exit: bool) -> None:
        self._client = client
        self._delete_on_exit = delete_on_exit
        self.name: str = message.name
        self.model: str = message.model
        self.period_ns: int = message.period_ns
        self.period: float = message.period_ns * 1e-9
        self.inputs: list[str] = list(message.inputs)
        self._units: dict[str, str] | None = None
        self._units_of_outputs: dict[tuple[str, ...], dict[str, str]] = {}  # by names and globs
        self._widths: dict[tuple[str, ...], int] = {}  # of rows of outputs, by names and globs

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *exception: object) -> None:
        if not self._delete_on_exit:
            return
        for _ in range(2):
            try:
                self.delete()
                return
            except (SessionUnknown, Unreachable, Draining):
                return  # the session is gone, as intended
            except TactusError as failure:
                # The server shuts down, or cut the connection. A second call tells them apart; cut off again, the server ends.
                if failure.code != "CANCELLED":
                    raise

    def __reduce__(self) -> tuple[object, ...]:  # a copy would share the connection and delete the session
        raise TypeError("a Session cannot be copied or pickled: connect in each process, and open it by client.session(name)")

    def __repr__(self) -> str:
        try:
            state = self.state
        except TactusError as failure:
            state = failure.reason
        except ValueError:
            state = "the connection is closed"
        return f"<Session {self.name} of {self.model} on {self._client.address}: {state}>"

    def _begin_with(self, snapshot: snapshot_pb2.SessionSnapshot, creation: str, is_new: bool) -> None:
        """Restores the snapshot that a session begins with, once for each id of its creation, and deletes the session if that fails.

        A session that may be the first one of a repeated creation stays: `is_new` is False.
        """
        try:
            self.restore_snapshot(snapshot, request_id=uuid.uuid5(uuid.NAMESPACE_OID, creation).hex)
        except BaseException as failure:
            if is_new or isinstance(failure, SnapshotIncompatible):
                with contextlib.suppress(TactusError):
                    self.delete()
            raise

    # ---- state ----

    def start(self, request_id: str | None = None) -> simulation_pb2.Session:
        """Starts the clock. Warns (`BestEffortWarning`) if the session asked for a real-time class and did not get it.

        Returns ``tactus.v1.Session``, whose ``realtime_grants`` say what the system granted.

        Examples
        --------
        >>> started = session.start()
        >>> print(session.state)
        RUNNING
        """
        started: simulation_pb2.Session = self._act("StartSession", simulation_pb2.StartSessionRequest(), request_id)
        for grant in started.realtime_grants:
            if grant.asked.startswith("SCHED_") and not grant.granted:
                warn_of(f"session {self.name} runs at best effort: {grant.asked}: {grant.outcome}", BestEffortWarning)
        return started

    def pause(self, request_id: str | None = None) -> simulation_pb2.Session:
        """Stops the clock after the current tick. Returns ``tactus.v1.Session``.

        Examples
        --------
        >>> started = session.start()
        >>> paused = session.pause()
        >>> print(session.state)
        PAUSED
        """
        return self._control("PauseSession", simulation_pb2.PauseSessionRequest(), request_id)

    def reset(self, request_id: str | None = None) -> simulation_pb2.Session:
        """Returns the session to tick 0 and the initial state; clears a fault. Returns ``tactus.v1.Session``.

        Examples
        --------
        >>> stepped = session.step(100)
        >>> fresh = session.reset()
        >>> print(stepped.tick, fresh.tick)
        100 0
        """
        return self._control("ResetSession", simulation_pb2.ResetSessionRequest(), request_id)

    def enter_safe_state(self, request_id: str | None = None) -> simulation_pb2.Session:
        """Moves every actuator to its safe value. From the next tick on, inputs are ignored.

        Returns ``tactus.v1.Session``.

        Examples
        --------
        >>> stepped = session.step(10)
        >>> safe = session.enter_safe_state()
        >>> frame = session.read("motor")
        >>> print(safe.tick, frame["motor"])
        10 0.0
        """
        return self._control("EnterSafeState", simulation_pb2.EnterSafeStateRequest(), request_id)

    def clear_safe_state(self, request_id: str | None = None) -> simulation_pb2.Session:
        """Leaves the safe state: actuators keep their values until the next input. Returns ``tactus.v1.Session``.

        Examples
        --------
        >>> safe = session.enter_safe_state()
        >>> driven = session.clear_safe_state()
        >>> block = session.run(10, inputs={"motor": 0.5}, outputs=["motor"])
        >>> print(block["motor"][-1])
        0.5
        """
        return self._control("ClearSafeState", simulation_pb2.ClearSafeStateRequest(), request_id)

    def step(self, ticks: int = 1, request_id: str | None = None, timeout: Duration = 600.0) -> simulation_pb2.Session:
        """Runs ticks of a paused or lockstep session as fast as possible, with the inputs held.

        Parameters
        ----------
        ticks : int
            Number of ticks, 1 to 1 000 000.
        timeout : str, timedelta or float
            Deadline of the call: ``"10s"``, or seconds as a float.

        Returns
        -------
        tactus.v1.Session

        Raises
        ------
        SessionStateError
            If the session runs or is faulted or finished.
        DeadlineExceeded
            If the ticks take longer than `timeout`. The server stops stepping.

        Examples
        --------
        >>> stepped = session.step(1000)
        >>> print(stepped.tick)
        1000
        """
        request = simulation_pb2.StepSessionRequest(ticks=check.count("ticks", ticks))
        return self._control("StepSession", request, request_id, timeout=timeout)

    def run(
        self,
        ticks: Ticks,
        inputs: Rows = None,
        outputs: str | Iterable[str] = (),
        every: int = 1,
        controller: str = "",
        timeout: Duration = 600.0,
    ) -> Block:
        """Runs a block of ticks of a session in lockstep, each with a row of inputs.

        The ticks have the same bits as with `TickStream.step` for each row, without a round trip for each tick. Ctrl-C
        ends the block after a tick. A long block is sent in several calls; another controller may come between two.

        Parameters
        ----------
        ticks : int, str or timedelta
            Number of ticks, or a duration: ``"2s"``, and no float.
        inputs : array_like or mapping, optional
            An array of shape (ticks, number of actuators), or a mapping of names of actuators to a value, or to an
            array of shape (ticks,), or a table whose columns have the names of actuators, such as a ``pandas.DataFrame``.
            Other actuators keep their values. Default: all inputs are held.
        outputs : iterable of str
            Names or globs of signals. Default: none.
        every : int
            A row of outputs at every n-th tick of the block.
        controller : str
            Name of this controller, shown to observers. Default: ``"python, process 1234"``.
        timeout : str, timedelta or float
            Deadline of each call: ``"10s"``, or seconds as a float.

        Returns
        -------
        Block

        Raises
        ------
        ValueError, SignalUnknown, ValueOutOfRange, NotFinite, LeaseHeld
            If an input or an output is refused. No tick of that call has run.
        SessionStateError
            If the session is not in lockstep, or a fault, a pause or the stop tick ends it. ``error.block`` has rows.

        Examples
        --------
        >>> torque = np.sin(np.linspace(0, 1, 500))
        >>> block = session.run(500, inputs={"motor": torque}, outputs=["crank_angle", "energy.*"], every=100)
        >>> print(block.ticks, block.units["crank_angle"])
        [100 200 300 400 500] rad
        """
        if check.count("every", every) < 1:
            raise ValueError(f"every={every!r} must be above zero")
        names, rows = input_rows(tick_count(ticks, self.period_ns), inputs, self.inputs)
        patterns = check.texts("outputs", outputs)
        deadline = units.seconds("timeout", timeout)
        return run_block(self._client.stub, self, names, rows, patterns, every, controller, deadline, self._widths)

    def delete(self) -> None:
        """Deletes the session. Its open streams end.

        Examples
        --------
        >>> own = client.create_session("four_bar", clock="lockstep")
        >>> own.delete()
        >>> print(own.name in [one.name for one in client.sessions()])
        False
        """
        self._delete_on_exit = False
        self._client.call("DeleteSession", simulation_pb2.DeleteSessionRequest(session=self.name))

    def status(self) -> simulation_pb2.Session:
        """Returns state, tick, clock, fault, groups and streams as ``tactus.v1.Session``.

        Examples
        --------
        >>> status = session.status()
        >>> print(status.tick, status.model)
        0 motor_four_bar
        """
        request = simulation_pb2.GetSessionRequest(session=self.name)
        found: simulation_pb2.Session = self._client.call("GetSession", request)
        return found

    @property
    def state(self) -> str:
        """str : ``"READY"``, ``"RUNNING"``, ``"PAUSED"``, ``"FAULTED"``, ``"FINISHED"`` or ``"STOPPED"``."""
        name: str = simulation_pb2.SessionState.Name(self.status().state)
        return name.removeprefix("SESSION_STATE_")

    @property
    def state_hash(self) -> str:
        """str : hash over everything that decides the next tick, 16 hex digits; empty while the session runs."""
        return self.status().state_hash

    # ---- streams ----

    def tick(
        self,
        inputs: str | Iterable[str] = ("*",),
        outputs: str | Iterable[str] = ("*",),
        credit_window: int = 8,
        output_divisor: int = 1,
        expected_input_hash: int = 0,
        expected_output_hash: int = 0,
        on_notice: NoticeHandler | None = None,
        controller: str = "",
        takeover: str = "",
        leave_safe_state: bool = False,
    ) -> TickStream:
        """Opens a control stream: inputs to the session and frames from it, at every tick. See `TickStream`.

        Examples
        --------
        >>> with session.tick(inputs=["motor"], outputs=["crank_rate"]) as stream:
        ...     frame = stream.step({"motor": 0.0})
        ...     for _ in range(100):
        ...         frame = stream.step({"motor": -0.5 * frame["crank_rate"]})  # a controller
        ...     print(frame.tick)
        101
        """
        arguments = {argument: value for argument, value in locals().items() if argument != "self"}
        stream = TickStream(self._client, self, **arguments)
        stream.open()
        return stream

    def observe(
        self,
        signals: str | Iterable[str] = ("*",),
        every: int = 1,
        delivery: Delivery = "latest",
        queue_depth: int = 64,
        credit_window: int = 8,
        expected_hash: int = 0,
        on_notice: NoticeHandler | None = None,
    ) -> Observation:
        """Opens a stream of frames without inputs. See `Observation`.

        Examples
        --------
        >>> with session.observe(["crank_angle"], every=10, delivery="queue") as frames:
        ...     block = session.run(30, inputs={"motor": 1.0})
        ...     print([frames.receive().tick for _ in range(4)])
        [0, 10, 20, 30]
        """
        arguments = {argument: value for argument, value in locals().items() if argument != "self"}
        stream = Observation(self._client, self, **arguments)
        stream.open()
        return stream
