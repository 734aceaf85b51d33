"""A handle to a session. A session runs one model."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy.typing as npt

from tactus import check, units
from tactus.block import Block
from tactus.block_call import run_block
from tactus.errors import BestEffortWarning, Draining, SessionUnknown, TactusError, Unreachable
from tactus.frame import Frame, Layout
from tactus.input_rows import Rows, Ticks, input_rows, tick_count
from tactus.observation import Delivery, Observation
from tactus.road_surface import RoadSurface, road_request, road_surface
from tactus.session_analyses import SessionAnalyses
from tactus.session_records import SessionRecords
from tactus.stream import NoticeHandler
from tactus.tick_stream import TickStream
from tactus.units import Duration
from tactus.v1 import simulation_pb2, state_pb2

if TYPE_CHECKING:
    from tactus.client import Client


class Session(SessionRecords, SessionAnalyses):
    """A handle to a session of the server.

    `Client.create_session` makes a handle that deletes the session at the end of its ``with`` block. `Client.session`
    makes a handle that leaves the session alone. Methods with `request_id` take effect once for each id; without an id
    each call has a new one. Every method may raise `SessionUnknown` or `Unreachable`.

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
        try:
            self.delete()
        except (SessionUnknown, Unreachable, Draining):
            pass  # the session is gone, as intended

    def __repr__(self) -> str:
        try:
            state = self.state
        except TactusError as failure:
            state = failure.reason
        return f"<Session {self.name} of {self.model} on {self._client.address}: {state}>"

    # ---- state ----

    def start(self, request_id: str | None = None) -> simulation_pb2.Session:
        """Starts the clock. Warns (`BestEffortWarning`) if the session asked for a real-time class and did not get it.

        Returns ``tactus.v1.Session``, whose ``realtime_grants`` say what the system granted.
        """
        started: simulation_pb2.Session = self._act("StartSession", simulation_pb2.StartSessionRequest(), request_id)
        for grant in started.realtime_grants:
            if grant.asked.startswith("SCHED_") and not grant.granted:
                warnings.warn(
                    f"session {self.name} runs at best effort: {grant.asked}: {grant.outcome}",
                    BestEffortWarning,
                    stacklevel=2,
                )
        return started

    def pause(self, request_id: str | None = None) -> simulation_pb2.Session:
        """Stops the clock after the current tick. Returns ``tactus.v1.Session``."""
        return self._control("PauseSession", simulation_pb2.PauseSessionRequest(), request_id)

    def reset(self, request_id: str | None = None) -> simulation_pb2.Session:
        """Returns the session to tick 0 and the initial state; clears a fault. Returns ``tactus.v1.Session``."""
        return self._control("ResetSession", simulation_pb2.ResetSessionRequest(), request_id)

    def enter_safe_state(self, request_id: str | None = None) -> simulation_pb2.Session:
        """Moves every actuator to its safe value. From the next tick on, inputs are ignored.

        Returns ``tactus.v1.Session``.
        """
        return self._control("EnterSafeState", simulation_pb2.EnterSafeStateRequest(), request_id)

    def clear_safe_state(self, request_id: str | None = None) -> simulation_pb2.Session:
        """Leaves the safe state: actuators keep their values until the next input. Returns ``tactus.v1.Session``."""
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
            Number of ticks, or a duration: ``"2s"``.
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
        """
        if check.count("every", every) < 1:
            raise ValueError(f"every={every!r} must be above zero")
        names, rows = input_rows(tick_count(ticks, self.period_ns), inputs, self.inputs)
        patterns = check.texts("outputs", outputs)
        deadline = units.seconds("timeout", timeout)
        return run_block(self._client.stub, self, names, rows, patterns, every, controller, deadline, self._widths)

    def delete(self) -> None:
        """Deletes the session. Its open streams end."""
        self._delete_on_exit = False
        self._client.call("DeleteSession", simulation_pb2.DeleteSessionRequest(session=self.name))

    def status(self) -> simulation_pb2.Session:
        """Returns state, tick, clock, fault, groups and streams as ``tactus.v1.Session``."""
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

    # ---- signals and timing ----

    @property
    def units(self) -> dict[str, str]:
        """dict of str to str : unit of each signal."""
        if self._units is None:
            self._units = {signal.name: signal.unit for signal in self.signals()}
        return self._units

    def _units_of(self, outputs: tuple[str, ...]) -> dict[str, str]:
        """Units of some signals at least; the directory of a large model does not fit into an answer."""
        if self._units is not None:
            return self._units
        if outputs not in self._units_of_outputs:
            self._units_of_outputs[outputs] = {signal.name: signal.unit for signal in self.signals(*outputs)}
        return self._units_of_outputs[outputs]

    def signals(self, *patterns: str) -> list[state_pb2.Signal]:
        """Returns the directory of signals as a list of ``tactus.v1.Signal``.

        Parameters
        ----------
        *patterns : str
            Names or globs. Default: all signals.

        Raises
        ------
        SignalUnknown
        """
        request = simulation_pb2.ListSignalsRequest(session=self.name, patterns=patterns)
        response = self._client.call("ListSignals", request)
        return list(response.signals)

    def read(self, *patterns: str) -> Frame:
        """Returns the newest values of some signals.

        Parameters
        ----------
        *patterns : str
            Names or globs. Default: all signals.

        Returns
        -------
        Frame

        Raises
        ------
        SignalUnknown
        """
        request = simulation_pb2.ReadSignalsRequest(session=self.name, patterns=patterns or ["*"])
        response = self._client.call("ReadSignals", request)
        return Frame(response.frame, Layout(response.layout))

    def road(self, points: npt.ArrayLike, road: str = "") -> RoadSurface:
        """Returns the surface of a road under points: for pictures of the ground that the tyres roll on.

        Parameters
        ----------
        points : array_like, shape (n, 3)
            World frame, m; at most 10 000. Their height does not count.
        road : str
            Name of the road. Default: the only one of the model.

        Returns
        -------
        tactus.road_surface.RoadSurface
            Points on the surface, normals, heights and frictions as arrays.

        Raises
        ------
        RequestInvalid
            If there is no such road, or too many points.
        """
        return road_surface(self._client.call("QueryRoad", road_request(self.name, points, road)))

    def timing(self, reset: bool = False) -> state_pb2.TimingReport:
        """Returns the timing report as ``tactus.v1.TimingReport``. With `reset`, all counts then start at zero."""
        request = simulation_pb2.GetTimingReportRequest(session=self.name, reset=reset)
        report: state_pb2.TimingReport = self._client.call("GetTimingReport", request)
        return report

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
        """Opens a control stream: inputs to the session and frames from it, at every tick. See `TickStream`."""
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
        """Opens a stream of frames without inputs. See `Observation`."""
        arguments = {argument: value for argument, value in locals().items() if argument != "self"}
        stream = Observation(self._client, self, **arguments)
        stream.open()
        return stream
