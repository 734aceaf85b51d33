"""A handle to one session: one model being run."""

import uuid

from tactus.errors import Draining, SessionUnknown, Unreachable
from tactus.frame import Frame, Layout
from tactus.observation import Observation
from tactus.tick_stream import TickStream
from tactus.v1 import simulation_pb2


class Session:
    """Made by `Client.create_session` (deleted with the ``with`` block) or `Client.session` (left alone).

    Attributes
    ----------
    name : str
    model : str
    period : float
        Of the tick, s.
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
            pass  # the session is no more, which is what was wanted

    def __repr__(self):
        return f"<Session {self.name} of {self.model} on {self._client.address}>"

    def _act(self, method, request, request_id, **options):
        request.session = self.name
        request.request_id = request_id or uuid.uuid4().hex
        return self._client.call(method, request, **options)

    # ---- state; a call that is repeated with the same request id takes effect once ----

    def start(self, request_id=None):
        """Lets the clock run. Returns ``tactus.v1.Session``."""
        return self._act("StartSession", simulation_pb2.StartSessionRequest(), request_id)

    def pause(self, request_id=None):
        """Stops the clock after the tick that is running. Returns ``tactus.v1.Session``."""
        return self._act("PauseSession", simulation_pb2.PauseSessionRequest(), request_id)

    def reset(self, request_id=None):
        """Back to tick 0 and the initial state; clears a fault. Returns ``tactus.v1.Session``."""
        return self._act("ResetSession", simulation_pb2.ResetSessionRequest(), request_id)

    def enter_safe_state(self, request_id=None):
        """Takes every actuator to its safe value; inputs are left aside from the next tick on.

        Returns ``tactus.v1.Session``.
        """
        return self._act("EnterSafeState", simulation_pb2.EnterSafeStateRequest(), request_id)

    def clear_safe_state(self, request_id=None):
        """Leaves the safe state: actuators keep their values until the next input. Returns ``tactus.v1.Session``."""
        return self._act("ClearSafeState", simulation_pb2.ClearSafeStateRequest(), request_id)

    def step(self, ticks=1, request_id=None, timeout=600.0):
        """Runs some ticks of a paused or lockstep session with the inputs held.

        Parameters
        ----------
        ticks : int
            1 to 1 000 000.
        timeout : float
            Deadline, s: the steps take as long as they take.

        Returns
        -------
        tactus.v1.Session
        """
        return self._act("StepSession", simulation_pb2.StepSessionRequest(ticks=ticks), request_id, timeout=timeout)

    def delete(self):
        """Ends the session."""
        self._delete_on_exit = False
        self._client.call("DeleteSession", simulation_pb2.DeleteSessionRequest(session=self.name))

    def status(self):
        """State, tick, clock, fault and streams (``tactus.v1.Session``)."""
        return self._client.call("GetSession", simulation_pb2.GetSessionRequest(session=self.name))

    @property
    def state(self):
        """str : ``"READY"``, ``"RUNNING"``, ``"PAUSED"``, ``"FAULTED"``, ``"FINISHED"`` or ``"STOPPED"``."""
        return simulation_pb2.SessionState.Name(self.status().state).removeprefix("SESSION_STATE_")

    @property
    def state_hash(self):
        """str : 16 hex digits over all that decides the next tick; empty while the session runs."""
        return self.status().state_hash

    # ---- signals and timing ----

    def signals(self, *patterns):
        """list of ``tactus.v1.Signal`` : name, unit, frame, causality, description; of all or of some globs."""
        request = simulation_pb2.ListSignalsRequest(session=self.name, patterns=patterns)
        return list(self._client.call("ListSignals", request).signals)

    def read(self, *patterns):
        """The newest values of some signals.

        Parameters
        ----------
        *patterns : str
            Names or globs; none for all.

        Returns
        -------
        Frame
        """
        request = simulation_pb2.ReadSignalsRequest(session=self.name, patterns=patterns or ["*"])
        response = self._client.call("ReadSignals", request)
        return Frame(response.frame, Layout(response.layout))

    def timing(self, reset=False):
        """What the loop has measured (``tactus.v1.TimingReport``); with `reset` it counts anew afterwards."""
        request = simulation_pb2.GetTimingReportRequest(session=self.name, reset=reset)
        return self._client.call("GetTimingReport", request)

    # ---- parameters ----

    def parameters(self, *names):
        """list of ``tactus.v1.ParameterState`` : what may be changed while the session runs, with the values of now."""
        request = simulation_pb2.GetParametersRequest(session=self.name, names=names)
        return list(self._client.call("GetParameters", request).parameters)

    def set_parameters(self, values=None, request_id=None, **named):
        """Changes parameters together between two ticks, or none of them.

        Parameters
        ----------
        values : dict of str to float
        **named : float
            The same as keywords: ``session.set_parameters(damping=2.5)``.

        Returns
        -------
        int
            The first tick that uses them.

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
        """Begins to record into a file of the server: the inputs always, and some signals.

        Parameters
        ----------
        *signals : str
            Names or globs; none for the inputs alone, which is all that a replay needs.
        name : str
            Of the recording; chosen by the server if left out.
        every : int
            The signals of every n-th tick.

        Returns
        -------
        tactus.v1.Recording
            Name and file. `Client.stop_recording` ends it.
        """
        request = simulation_pb2.StartRecordingRequest(name=name, signals=signals, signals_every=every)
        return self._act("StartRecording", request, None)

    def save_snapshot(self):
        """All that decides the next tick, as of the last one (``tactus.v1.SessionSnapshot``).

        Its ``SerializeToString()`` is what `tactus snapshot` keeps in files.
        """
        return self._client.call("SaveSnapshot", simulation_pb2.SaveSnapshotRequest(session=self.name))

    def restore_snapshot(self, snapshot, force=False, request_id=None):
        """Sets the session to a snapshot and leaves it paused.

        The ticks that follow are bit for bit those that would have followed.

        Parameters
        ----------
        snapshot : tactus.v1.SessionSnapshot or bytes
        force : bool
            Although another binary made it.

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

    def tick(self, inputs=("*",), outputs=("*",), **options):
        """Opens the control stream: inputs in, states out, at every tick. See `TickStream`."""
        return TickStream(self._client, self, inputs, outputs, **options)

    def observe(self, signals=("*",), every=1, delivery="latest", **options):
        """Opens a stream of states. See `Observation`."""
        return Observation(self._client, self, signals, every, delivery, **options)
