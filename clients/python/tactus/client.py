"""The first thing a program opens: models, sessions and what the server is."""

import json
import os
import pathlib
import uuid
import zlib

import grpc
from google.protobuf import json_format

from tactus import units
from tactus.channel import close_channel, open_channel
from tactus.errors import typed_errors
from tactus.session import Session
from tactus.v1 import model_pb2, simulation_pb2, simulation_pb2_grpc

_CLOCKS = {
    "real-time": simulation_pb2.CLOCK_MODE_REAL_TIME,
    "free-run": simulation_pb2.CLOCK_MODE_FREE_RUN,
    "scaled": simulation_pb2.CLOCK_MODE_SCALED,
    "lockstep": simulation_pb2.CLOCK_MODE_LOCKSTEP,
    "external": simulation_pb2.CLOCK_MODE_EXTERNAL,
}
_PARTICIPANT_RULES = {
    "continue": simulation_pb2.PARTICIPANT_RULE_CONTINUE,
    "pause": simulation_pb2.PARTICIPANT_RULE_PAUSE,
    "safe": simulation_pb2.PARTICIPANT_RULE_SAFE,
}


_OVERRUNS = {
    "stop": simulation_pb2.OVERRUN_POLICY_STOP,
    "skip": simulation_pb2.OVERRUN_POLICY_SKIP,
    "catch-up": simulation_pb2.OVERRUN_POLICY_CATCH_UP,
    "slip": simulation_pb2.OVERRUN_POLICY_SLIP,
}


def connect(address="127.0.0.1:50051", timeout=5.0, wait=0.0):
    """Connects to a server on this host.

    Parameters
    ----------
    address : str
        ``"127.0.0.1:50051"`` or ``"unix:/path"``.
    timeout : float
        Deadline of every call that is not a stream, s.
    wait : float
        How long a server may take to appear, s; 0: it must be there.

    Returns
    -------
    Client
        A context manager: the connection closes with the block.

    Raises
    ------
    Unreachable
        If no server answers.
    """
    return Client(address, timeout, wait)


class Client:
    """A connection to one server; see `connect`. May be used from several threads."""

    def __init__(self, address, timeout=5.0, wait=0.0):
        self.address = address
        self.timeout = timeout
        self._channel = open_channel(address)
        self._stub = simulation_pb2_grpc.SimulationStub(self._channel)
        try:
            if wait > 0:
                grpc.channel_ready_future(self._channel).result(timeout=wait)
        except grpc.FutureTimeoutError:
            pass  # the call below says so with an error of the right type
        try:
            self.info()
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()

    def close(self):
        """Closes the connection. Streams have connections of their own and live on."""
        close_channel(self._channel)

    def call(self, method, request, timeout=None):
        """Calls a method of the service by name, for what has no method here.

        Parameters
        ----------
        method : str
            Such as ``"GetServerInfo"``.
        request : message
            Of ``tactus.v1.simulation_pb2``.
        timeout : float, optional
            Deadline, s; that of the client if left out.

        Raises
        ------
        TactusError
        """
        with typed_errors():
            return getattr(self._stub, method)(request, timeout=self.timeout if timeout is None else timeout)

    def info(self):
        """Version, commit, compiler and flags of the server (``tactus.v1.ServerInfo``)."""
        return self.call("GetServerInfo", simulation_pb2.GetServerInfoRequest())

    # ---- models ----

    def models(self):
        """list of ``tactus.v1.ModelInfo`` : built-in models and those that clients have loaded."""
        return list(self.call("ListModels", simulation_pb2.ListModelsRequest()).models)

    def model(self, name):
        """The description of a model as a dict, in the form of a model file.

        Parameters
        ----------
        name : str
            ``"four_bar"``, ``"chain:n=8"``, or the name of a loaded model.
        """
        model = self.call("GetModel", simulation_pb2.GetModelRequest(name=name)).model
        return json_format.MessageToDict(model, preserving_proto_field_name=True)

    def validate_model(self, model):
        """All findings on a model (``tactus.v1.ValidateModelResponse``); the server does not keep it.

        Parameters
        ----------
        model : str, os.PathLike or dict
            A file (``.json`` or ``.txtpb``), or the description itself.
        """
        return self.call("ValidateModel", simulation_pb2.ValidateModelRequest(**_model_source(model)))

    def load_model(self, model):
        """Checks a model and keeps it on the server under its name.

        Parameters
        ----------
        model : str, os.PathLike or dict
            A file (``.json`` or ``.txtpb``), or the description itself.

        Returns
        -------
        tactus.v1.LoadModelResponse
            Name and size, warnings, and how far the initial state was moved to satisfy the constraints.

        Raises
        ------
        ModelInvalid
            With all findings, and their lines in the file.
        """
        return self.call("LoadModel", simulation_pb2.LoadModelRequest(**_model_source(model)))

    # ---- sessions ----

    def create_session(
        self,
        model,
        *,
        name="",
        clock="real-time",
        scale=1.0,
        period=None,
        iterations=0,
        initial_condition="",
        scripted_inputs=(),
        stop_tick=0,
        priority=0,
        cpus=(),
        overrun="skip",
        overrun_grace=0,
        overrun_in_row=0,
        overrun_in_all=0,
        miss_limit=None,
        participants=(),
        participant_timeout=None,
        participant_rule="continue",
        request_id=None,
    ):
        """Creates a session; as a context manager it is deleted with the block.

        Parameters
        ----------
        model : str or dict
            Name of a model (``"chain:n=8"``), or the description itself.
        name : str
            Of the session; chosen by the server if left out.
        clock : {"real-time", "free-run", "scaled", "lockstep"}
        scale : float
            Of the clock ``"scaled"``: simulated over real seconds.
        period : str or float, optional
            Of the tick, ``"1ms"`` or seconds; what the model recommends if left out.
        iterations : int
            Newton iterations of a step; 0 for what the model recommends.
        initial_condition : str
            One of the model's named ones.
        scripted_inputs : iterable of (int, sequence of float)
            Tick that first uses them, and a value for each actuator of the model.
        stop_tick : int
            The session ends by itself after this tick; 0 for never.
        priority : int
            Real-time class for the tick thread, 1 to 99; 0 for none.
        cpus : iterable of int
            Cores for the tick thread; empty for any.
        overrun : str
            What a clock with a grid does about grid points that pass before their tick can start: ``"stop"``,
            ``"skip"``, ``"catch-up 3"`` or ``"slip"``.
        overrun_grace : int
            Ticks after each start whose overruns are forgiven.
        overrun_in_row, overrun_in_all : int
            The session stops when more grid points than this pass in a row, or in all; 0 for no limit.
        miss_limit : int, optional
            Inputs of a controller that may be missing in a row, in ticks, before the actuators do what the model says
            about loss; 0 for any number; 20 if left out and the clock has a grid.
        participants : iterable of str
            Lockstep: groups of actuators that need a controller before there is a tick.
        participant_timeout : str or float, optional
            Lockstep: so long a tick waits for its participants, ``"10ms"`` or seconds; for ever if left out.
        participant_rule : {"continue", "pause", "safe"}
            What comes then: the tick goes on without who is late, the session pauses, or it goes into the safe state.
        request_id : str, optional
            A repeated call with the same id creates nothing and answers as the first did.

        Returns
        -------
        Session
        """
        if participant_rule not in _PARTICIPANT_RULES:
            raise ValueError(f"{participant_rule!r} is no rule: choose one of {', '.join(_PARTICIPANT_RULES)}")
        if clock not in _CLOCKS:
            raise ValueError(f"{clock!r} is no clock: choose one of {', '.join(_CLOCKS)}")
        request = simulation_pb2.CreateSessionRequest(
            request_id=request_id or uuid.uuid4().hex,
            name=name,
            clock=_CLOCKS[clock],
            scale=scale if clock == "scaled" else 0.0,
            period_ns=units.nanoseconds(period) if period is not None else 0,
            iterations=iterations,
            initial_condition=initial_condition,
            stop_tick=stop_tick,
            priority=priority,
            cpus=cpus,
            overrun=_overrun_rule(overrun, overrun_grace, overrun_in_row, overrun_in_all),
            miss_limit=miss_limit,
            participants=participants,
        )
        if participant_timeout is not None:
            request.participant_timeout_ns = units.nanoseconds(participant_timeout)
            request.participant_rule = _PARTICIPANT_RULES[participant_rule]
        if isinstance(model, str):
            request.model_name = model
        else:
            json_format.ParseDict(model, request.model)
        for tick, values in scripted_inputs:
            request.scripted_inputs.add(tick=tick, values=values)
        return Session(self, self.call("CreateSession", request), delete_on_exit=True)

    def session(self, name):
        """A handle to a session that runs already; it is left alone when the handle goes.

        Raises
        ------
        SessionUnknown
        """
        found = self.call("GetSession", simulation_pb2.GetSessionRequest(session=name))
        return Session(self, found, delete_on_exit=False)

    def sessions(self):
        """list of ``tactus.v1.Session`` : all sessions of the server and what they are doing."""
        return list(self.call("ListSessions", simulation_pb2.ListSessionsRequest()).sessions)

    # ---- recordings; Session.record begins one ----

    def stop_recording(self, name, timeout=60.0):
        """Ends a recording; returns when the disk of the server has it (``tactus.v1.Recording``).

        Raises
        ------
        RecordingUnknown
        """
        return self.call("StopRecording", simulation_pb2.StopRecordingRequest(name=name), timeout=timeout)

    def download_recording(self, name, path, timeout=600.0):
        """Fetches the file of a recording that has ended.

        What is at `path` already is taken for its beginning: a download that broke off goes on there.

        Parameters
        ----------
        name : str
        path : str or os.PathLike

        Returns
        -------
        int
            Length of the file.

        Raises
        ------
        RecordingUnknown, SessionStateError
        OSError
            If a chunk does not fit its checksum, or the file cannot be written.
        """
        path = pathlib.Path(path)
        position = path.stat().st_size if path.exists() else 0
        request = simulation_pb2.DownloadRecordingRequest(name=name, offset=position)
        total = position
        with typed_errors():
            for chunk in self._stub.DownloadRecording(request, timeout=timeout):
                if chunk.offset != position or zlib.crc32(chunk.data) != chunk.crc:
                    raise OSError(f"{name}: the bytes from {position} on do not fit their checksum; ask for them again")
                with path.open("ab") as file:
                    file.write(chunk.data)
                position += len(chunk.data)
                total = chunk.file_bytes
        if position != total:
            raise OSError(f"{name}: the download ended at byte {position} of {total}")
        return total

    def recordings(self):
        """list of ``tactus.v1.Recording`` : those that run and those that have ended."""
        return list(self.call("ListRecordings", simulation_pb2.ListRecordingsRequest()).recordings)


def _overrun_rule(policy, grace_ticks, most_in_row, most_in_all):
    """The rule that a text such as ``"catch-up 3"`` names."""
    word, _, burst = policy.partition(" ")
    if word not in _OVERRUNS or (burst != "") != (word == "catch-up") or (burst and not burst.isdecimal()):
        raise ValueError(f"{policy!r} is no overrun policy: choose stop, skip, slip or 'catch-up N'")
    return simulation_pb2.OverrunRule(
        policy=_OVERRUNS[word],
        burst=int(burst or 0),
        grace_ticks=grace_ticks,
        most_in_row=most_in_row,
        most_in_all=most_in_all,
    )


def _model_source(model):
    """The ``source`` of a request: a file goes over as text, so that findings carry its lines."""
    if isinstance(model, dict):
        # Through text and not through a message: the server names unknown fields, with all other findings.
        return {"json": json.dumps(model)}
    if isinstance(model, model_pb2.Model):
        return {"model": model}
    path = pathlib.Path(os.fspath(model))
    return {"text" if path.suffix == ".txtpb" else "json": path.read_text(encoding="utf-8")}
