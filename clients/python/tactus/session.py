"""A handle to a session. A session runs one model."""

import uuid
import warnings

from tactus.errors import BestEffortWarning, Draining, SessionUnknown, Unreachable
from tactus.frame import Frame, Layout
from tactus.observation import Observation
from tactus.tick_stream import TickStream
from tactus.v1 import simulation_pb2


class Session:
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
    inputs : list of str
        Names of the actuators, in the order of the model.
    """

    def __init__(self, client, message, delete_on_exit):
        self._client = client
        self._delete_on_exit = delete_on_exit
        self.name = message.name
        self.model = message.model
        self.period = message.period_ns * 1e-9
        self.inputs = list(message.inputs)

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        if not self._delete_on_exit:
            return
        try:
            self.delete()
        except (SessionUnknown, Unreachable, Draining):
            pass  # the session is gone, as intended

    def __repr__(self):
        return f"<Session {self.name} of {self.model} on {self._client.address}>"

    def _act(self, method, request, request_id, **options):
        request.session = self.name
        request.request_id = request_id or uuid.uuid4().hex
        return self._client.call(method, request, **options)

    # ---- state ----

    def start(self, request_id=None):
        """Starts the clock. Returns ``tactus.v1.Session``, whose ``realtime_grants`` say what the system granted.

        Warns (`BestEffortWarning`) if the session asked for a real-time class and did not get it.
        """
        started = self._act("StartSession", simulation_pb2.StartSessionRequest(), request_id)
        for grant in started.realtime_grants:
            if grant.asked.startswith("SCHED_") and not grant.granted:
                warnings.warn(
                    f"session {self.name} runs at best effort: {grant.asked}: {grant.outcome}", BestEffortWarning, stacklevel=2
                )
        return started

    def pause(self, request_id=None):
        """Stops the clock after the current tick. Returns ``tactus.v1.Session``."""
        return self._act("PauseSession", simulation_pb2.PauseSessionRequest(), request_id)

    def reset(self, request_id=None):
        """Returns the session to tick 0 and the initial state; clears a fault. Returns ``tactus.v1.Session``."""
        return self._act("ResetSession", simulation_pb2.ResetSessionRequest(), request_id)

    def enter_safe_state(self, request_id=None):
        """Moves every actuator to its safe value. From the next tick on, inputs are ignored.

        Returns ``tactus.v1.Session``.
        """
        return self._act("EnterSafeState", simulation_pb2.EnterSafeStateRequest(), request_id)

    def clear_safe_state(self, request_id=None):
        """Leaves the safe state: actuators keep their values until the next input. Returns ``tactus.v1.Session``."""
        return self._act("ClearSafeState", simulation_pb2.ClearSafeStateRequest(), request_id)

    def step(self, ticks=1, request_id=None, timeout=600.0):
        """Runs ticks of a paused or lockstep session as fast as possible, with the inputs held.

        Parameters
        ----------
        ticks : int
            Number of ticks, 1 to 1 000 000.
        timeout : float
            Deadline of the call, s.

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
        return self._act("StepSession", simulation_pb2.StepSessionRequest(ticks=ticks), request_id, timeout=timeout)

    def delete(self):
        """Deletes the session. Its open streams end."""
        self._delete_on_exit = False
        self._client.call("DeleteSession", simulation_pb2.DeleteSessionRequest(session=self.name))

    def status(self):
        """Returns state, tick, clock, fault, groups and streams as ``tactus.v1.Session``."""
        return self._client.call("GetSession", simulation_pb2.GetSessionRequest(session=self.name))

    @property
    def state(self):
        """str : ``"READY"``, ``"RUNNING"``, ``"PAUSED"``, ``"FAULTED"``, ``"FINISHED"`` or ``"STOPPED"``."""
        return simulation_pb2.SessionState.Name(self.status().state).removeprefix("SESSION_STATE_")

    @property
    def state_hash(self):
        """str : hash over everything that decides the next tick, 16 hex digits; empty while the session runs."""
        return self.status().state_hash

    # ---- signals and timing ----

    def signals(self, *patterns):
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
        return list(self._client.call("ListSignals", request).signals)

    def read(self, *patterns):
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

    def timing(self, reset=False):
        """Returns the timing report as ``tactus.v1.TimingReport``. With `reset`, all counts then start at zero."""
        request = simulation_pb2.GetTimingReportRequest(session=self.name, reset=reset)
        return self._client.call("GetTimingReport", request)

    # ---- parameters ----

    def parameters(self, *names):
        """Returns parameters of the model as a list of ``tactus.v1.ParameterState``, with their current values.

        Parameters
        ----------
        *names : str
            Default: all parameters.

        Raises
        ------
        ParameterUnknown
        """
        request = simulation_pb2.GetParametersRequest(session=self.name, names=names)
        return list(self._client.call("GetParameters", request).parameters)

    def set_parameters(self, values=None, request_id=None, **named):
        """Sets parameters together between two ticks. If one value is refused, none is set.

        Parameters
        ----------
        values : dict of str to float
            Values by name, each in the unit of its parameter.
        **named : float
            Further values as keywords: ``session.set_parameters(damping=2.5)``.

        Returns
        -------
        int
            The first tick that uses the values.

        Raises
        ------
        ParameterUnknown, NotFinite, ValueOutOfRange
        """
        request = simulation_pb2.SetParametersRequest()
        for name, value in {**(values or {}), **named}.items():
            request.values.add(name=name, value=value)
        return self._act("SetParameters", request, request_id).first_tick

    # ---- recordings and snapshots ----

    def record(self, *signals, name="", every=1):
        """Starts a recording in a file of the server. The inputs are always recorded.

        Parameters
        ----------
        *signals : str
            Names or globs of signals to record besides the inputs. Default: none; a replay needs the inputs only.
        name : str
            Name of the recording. Default: chosen by the server.
        every : int
            Record the signals of every n-th tick.

        Returns
        -------
        tactus.v1.Recording
            Name and file. `Client.stop_recording` ends the recording.

        Raises
        ------
        SignalUnknown, RecordingExists, LimitExceeded
        """
        request = simulation_pb2.StartRecordingRequest(name=name, signals=signals, signals_every=every)
        return self._act("StartRecording", request, None)

    def save_snapshot(self):
        """Returns everything that decides the next tick, as of the last tick.

        Returns
        -------
        tactus.v1.SessionSnapshot
            ``SerializeToString()`` gives the content of a file of ``tactus snapshot``.
        """
        return self._client.call("SaveSnapshot", simulation_pb2.SaveSnapshotRequest(session=self.name))

    def restore_snapshot(self, snapshot, force=False, request_id=None):
        """Sets the session to a snapshot and leaves it paused.

        All further ticks have the same bits as if the saved session had continued.

        Parameters
        ----------
        snapshot : tactus.v1.SessionSnapshot or bytes
        force : bool
            Restore a snapshot that another program saved. The following ticks may then have other bits.

        Returns
        -------
        tactus.v1.Session

        Raises
        ------
        SnapshotIncompatible
        """
        request = simulation_pb2.RestoreSnapshotRequest(force=force)
        if isinstance(snapshot, bytes):
            request.snapshot.ParseFromString(snapshot)
        else:
            request.snapshot.CopyFrom(snapshot)
        return self._act("RestoreSnapshot", request, request_id)

    # ---- streams ----

    def tick(
        self,
        inputs=("*",),
        outputs=("*",),
        credit_window=8,
        output_divisor=1,
        expected_input_hash=0,
        expected_output_hash=0,
        on_notice=None,
        controller="",
        takeover="",
        leave_safe_state=False,
    ):
        """Opens a control stream: inputs to the session and frames from it, at every tick. See `TickStream`."""
        arguments = {argument: value for argument, value in locals().items() if argument != "self"}
        return TickStream(self._client, self, **arguments)

    def observe(
        self,
        signals=("*",),
        every=1,
        delivery="latest",
        queue_depth=64,
        credit_window=8,
        expected_hash=0,
        on_notice=None,
    ):
        """Opens a stream of frames without inputs. See `Observation`."""
        arguments = {argument: value for argument, value in locals().items() if argument != "self"}
        return Observation(self._client, self, **arguments)
