"""Calls of a connection, and those about recordings."""

from __future__ import annotations

import os
from typing import Any

from tactus import check, units
from tactus.download import download_recording
from tactus.transport import unary
from tactus.units import Duration
from tactus.v1 import simulation_pb2
from tactus.wire_errors import typed_errors


class ClientRecordings:
    """The part of `Client` with its calls and the recordings of the server."""

    stub: Any
    timeout: float

    def call(self, method: str, request: Any, timeout: Duration | None = None) -> Any:
        """Calls a method of the service by name. For calls that this class has no method for.

        Parameters
        ----------
        method : str
            Name of the method: ``"GetServerInfo"``.
        request : message
            The request message from ``tactus.v1.simulation_pb2``.
        timeout : str, timedelta or float, optional
            Deadline: ``"5s"``, or seconds as a float. Default: the timeout of the client.

        Returns
        -------
        message
            The response message.

        Raises
        ------
        TactusError
            If the server refuses the call or does not answer.

        Examples
        --------
        >>> from tactus.v1 import simulation_pb2
        >>> answer = client.call("GetServerInfo", simulation_pb2.GetServerInfoRequest(), timeout="2s")
        >>> print(answer.version == client.info().version)
        True
        """
        seconds = self.timeout if timeout is None else units.seconds("timeout", timeout)
        with typed_errors():
            return unary(getattr(self.stub, method), request, seconds)

    # ---- recordings; Session.record starts one ----

    def stop_recording(self, name: str, timeout: Duration = 60.0) -> simulation_pb2.Recording:
        """Ends a recording. Returns when the file is on the disk of the server.

        Parameters
        ----------
        name : str
        timeout : str, timedelta or float
            Deadline: ``"60s"``, or seconds as a float.

        Returns
        -------
        tactus.v1.Recording

        Raises
        ------
        RecordingUnknown

        Examples
        --------
        >>> name = session.record("crank_*").name
        >>> block = session.run(100, inputs={"motor": 1.0})
        >>> stopped = client.stop_recording(name)
        >>> print(stopped.name == name)
        True
        """
        request = simulation_pb2.StopRecordingRequest(name=check.text("name", name))
        stopped: simulation_pb2.Recording = self.call("StopRecording", request, timeout=timeout)
        return stopped

    def download_recording(self, name: str, path: str | os.PathLike[str], timeout: Duration = 600.0) -> int:
        """Downloads the file of a finished recording.

        If `path` exists, its content must be the beginning of the recording: an interrupted download continues there.

        Parameters
        ----------
        name : str
        path : str or os.PathLike
        timeout : str, timedelta or float
            Deadline: ``"60s"``, or seconds as a float.

        Returns
        -------
        int
            Length of the file, bytes.

        Raises
        ------
        RecordingUnknown, SessionStateError
        FileExistsError
            If `path` exists and is not the beginning of this recording. The file is left as it is.
        OSError
            If a chunk does not match its checksum, the download ends early, or the file cannot be written.

        Examples
        --------
        >>> name = session.record("crank_*").name
        >>> block = session.run(100, inputs={"motor": 1.0})
        >>> stopped = client.stop_recording(name)
        >>> size = client.download_recording(name, "run.mcap")
        >>> print(len(tactus.read_recording("run.mcap").signals), size > 1000)
        101 True
        """
        return download_recording(self.stub, check.text("name", name), path, units.seconds("timeout", timeout))

    def recordings(self) -> list[simulation_pb2.Recording]:
        """list of tactus.v1.Recording : running and finished recordings.

        `warning` has what a recording has warned of last, `warning_tick` when, and `gaps` and `lost_ticks` what is missing; streams
        of its session warn while it happens.

        Examples
        --------
        >>> name = session.record().name
        >>> print([recording.name for recording in client.recordings()].count(name))
        1
        """
        return list(self.call("ListRecordings", simulation_pb2.ListRecordingsRequest()).recordings)
