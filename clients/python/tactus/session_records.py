"""What of a session can be set and kept: parameters, recordings, snapshots."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from google.protobuf import message

from tactus import check
from tactus.errors import SnapshotIncompatible
from tactus.v1 import simulation_pb2, snapshot_pb2

if TYPE_CHECKING:
    from tactus.client import Client


class SessionRecords:
    """The part of `Session` with its parameters, recordings and snapshots."""

    name: str
    _client: Client

    def _act(self, method: str, request: Any, request_id: str | None, **options: Any) -> Any:
        request.session = self.name
        request.request_id = check.text("request_id", request_id or uuid.uuid4().hex)
        return self._client.call(method, request, **options)

    def _control(self, method: str, request: Any, request_id: str | None, **options: Any) -> simulation_pb2.Session:
        session: simulation_pb2.Session = self._act(method, request, request_id, **options)
        return session

    # ---- parameters ----

    def parameters(self, *names: str) -> list[simulation_pb2.ParameterState]:
        """Returns parameters of the model as a list of ``tactus.v1.ParameterState``, with their current values.

        Parameters
        ----------
        *names : str
            Default: all parameters.

        Raises
        ------
        ParameterUnknown

        Examples
        --------
        >>> for one in session.parameters("rocker_mass"):
        ...     print(one.name, one.value, one.unit)
        rocker_mass 0.6 kg
        """
        request = simulation_pb2.GetParametersRequest(session=self.name, names=names)
        response = self._client.call("GetParameters", request)
        return list(response.parameters)

    def set_parameters(
        self, values: Mapping[str, float] | None = None, request_id: str | None = None, **named: float
    ) -> int:
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

        Examples
        --------
        >>> stepped = session.step(10)
        >>> first = session.set_parameters(rocker_mass=2.0, gravity_y=-1.62)
        >>> print(first)
        11
        """
        request = simulation_pb2.SetParametersRequest()
        for name, value in {**check.numbers("values", values), **check.numbers("parameters", named)}.items():
            request.values.add(name=name, value=value)
        response = self._act("SetParameters", request, request_id)
        first_tick: int = response.first_tick
        return first_tick

    # ---- recordings and snapshots ----

    def record(self, *signals: str, name: str = "", every: int = 1) -> simulation_pb2.Recording:
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
        SignalUnknown, RecordingExists, RecordingFolderUnusable, LimitExceeded

        Examples
        --------
        >>> recording = session.record("crank_*", every=10)
        >>> block = session.run(100, inputs={"motor": 1.0})
        >>> stopped = client.stop_recording(recording.name)
        >>> print(stopped.name == recording.name)
        True
        """
        request = simulation_pb2.StartRecordingRequest(name=check.text("name", name), signals=check.texts("signals", signals),
                                                       signals_every=check.natural("every", every))
        started: simulation_pb2.Recording = self._act("StartRecording", request, None)
        return started

    def save_snapshot(self) -> snapshot_pb2.SessionSnapshot:
        """Returns everything that decides the next tick, as of the last tick.

        Returns
        -------
        tactus.v1.SessionSnapshot
            ``SerializeToString()`` gives the content of a file of ``tactus snapshot``.

        Examples
        --------
        >>> block = session.run(100, inputs={"motor": 1.0})
        >>> saved = session.save_snapshot()
        >>> with client.create_session("motor_four_bar", clock="lockstep", initial=saved) as twin:
        ...     print(twin.state_hash == session.state_hash)
        True
        """
        request = simulation_pb2.SaveSnapshotRequest(session=self.name)
        saved: snapshot_pb2.SessionSnapshot = self._client.call("SaveSnapshot", request)
        return saved

    def restore_snapshot(
        self, snapshot: snapshot_pb2.SessionSnapshot | bytes, force: bool = False, request_id: str | None = None
    ) -> simulation_pb2.Session:
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

        Examples
        --------
        >>> saved = session.save_snapshot()
        >>> block = session.run(100, inputs={"motor": 1.0})
        >>> restored = session.restore_snapshot(saved)
        >>> print(restored.tick)
        0
        """
        request = simulation_pb2.RestoreSnapshotRequest(snapshot=snapshot_message("snapshot", snapshot), force=force)
        return self._control("RestoreSnapshot", request, request_id)


def snapshot_message(argument: str, snapshot: snapshot_pb2.SessionSnapshot | bytes) -> snapshot_pb2.SessionSnapshot:
    """The message of a snapshot or of its bytes.

    Raises
    ------
    SnapshotIncompatible
        If the bytes are no snapshot, or there are none.
    TypeError
    """
    if isinstance(snapshot, str):
        raise TypeError(f"{argument} is of type str, {len(snapshot)} characters; give what save_snapshot returned, or the bytes of its "
                        'file, which open(path, "rb") reads')
    if not isinstance(snapshot, (bytes, snapshot_pb2.SessionSnapshot)):
        raise check.wrong(argument, snapshot, "what save_snapshot returned, or its bytes")
    found: snapshot_pb2.SessionSnapshot
    try:
        found = snapshot_pb2.SessionSnapshot.FromString(snapshot) if isinstance(snapshot, bytes) else snapshot
        is_empty, is_snapshot = not found.ByteSize(), bool(found.model_hash)
    except message.DecodeError:
        is_empty = is_snapshot = False
    if not is_snapshot:
        problem = "is empty" if is_empty else "cannot be read: it is damaged, or no snapshot"
        raise SnapshotIncompatible(f"the snapshot {problem}", "INVALID_ARGUMENT", "SNAPSHOT_INCOMPATIBLE", argument,
                                   "give all bytes of a file of tactus snapshot, or those of SerializeToString()")
    return found
