"""The connection to a server: its models, sessions and recordings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from google.protobuf import json_format

from tactus import check, units
from tactus.channel import Credentials, choose_credentials
from tactus.client_recordings import ClientRecordings
from tactus.errors import ModelInvalid, ModelReplacedWarning, warn_of
from tactus.model_source import Model, model_source
from tactus.session import Session
from tactus.session_records import snapshot_message
from tactus.session_request import Clock, ParticipantRule, Script, create_session_request
from tactus.transport import close_channel, open_channel, wait_for_server
from tactus.units import Duration
from tactus.v1 import simulation_pb2, simulation_pb2_grpc, snapshot_pb2
from tactus.wire_errors import findings_of, without_lines


class Client(ClientRecordings):
    """A connection to one server, made by `connect`. Any number of threads may use it.

    In the examples of the methods ``client`` is a connection, and ``session`` a session of ``motor_four_bar`` in lockstep.

    Attributes
    ----------
    address : str
    timeout : float
        Deadline of every call that is not a stream, s.
    credentials : Credentials
        What every connection of this client uses, those of its streams, too.
    stub : tactus.v1.SimulationStub
        All methods of the service, for calls that this class has no method for.

    Examples
    --------
    >>> import tactus
    >>> with tactus.connect("127.0.0.1:50051") as client:
    ...     client.model("motor_four_bar")["name"], any(model.name == "sedan" for model in client.models())
    ('motor_four_bar', True)
    """

    def __init__(self, address: str, timeout: Duration = 5.0, credentials: Credentials | None = None) -> None:
        self.address = check.text("address", address) if isinstance(address, str) else address
        self.timeout = units.seconds("timeout", timeout)
        self.credentials = choose_credentials() if credentials is None else credentials
        self._channel = open_channel(address, self.credentials)
        self.stub = simulation_pb2_grpc.SimulationStub(self._channel)

    def open(self, wait: Duration = 0.0) -> None:
        """Waits for the server to start, and checks that it answers; `connect` has done it.

        Examples
        --------
        >>> client = tactus.Client("127.0.0.1:50051")
        >>> client.open(wait="2s")
        >>> client.close()
        """
        try:
            seconds = units.seconds("wait", wait)
            if seconds > 0:
                wait_for_server(self._channel, seconds)
            self.info()
        except BaseException:
            self.close()
            raise

    def __reduce__(self) -> tuple[object, ...]:  # a copy would share the connection
        raise TypeError("a Client cannot be copied or pickled: connect in each process, and open a session by its name")

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Client of {self.address}>"

    def close(self) -> None:
        """Closes the connection. Open streams have their own connections and stay open.

        Examples
        --------
        >>> other = tactus.connect("127.0.0.1:50051")
        >>> other.close()
        """
        close_channel(self._channel)

    def info(self) -> simulation_pb2.ServerInfo:
        """tactus.v1.ServerInfo : version, commit, compiler, flags and host report of the server.

        Examples
        --------
        >>> info = client.info()
        >>> print(info.version, info.compiler == tactus.build_info().compiler)
        0.1.0 True
        """
        info: simulation_pb2.ServerInfo = self.call("GetServerInfo", simulation_pb2.GetServerInfoRequest())
        return info

    # ---- models ----

    def models(self) -> list[simulation_pb2.ModelInfo]:
        """list of tactus.v1.ModelInfo : built-in models and models that clients have loaded.

        Examples
        --------
        >>> names = [model.name for model in client.models()]
        >>> print("sedan" in names, "motor_four_bar" in names)
        True True
        """
        return list(self.call("ListModels", simulation_pb2.ListModelsRequest()).models)

    def model(self, name: str) -> dict[str, Any]:
        """Returns a model as a dict, in the form of a JSON model file.

        Parameters
        ----------
        name : str
            ``"four_bar"``, ``"chain:n=8"``, or the name of a loaded model.

        Returns
        -------
        dict

        Raises
        ------
        ModelUnknown

        Examples
        --------
        >>> content = client.model("motor_four_bar")
        >>> print([body["name"] for body in content["bodies"]])
        ['crank', 'coupler', 'rocker']
        """
        model = self.call("GetModel", simulation_pb2.GetModelRequest(name=check.text("name", name))).model
        description: dict[str, Any] = json_format.MessageToDict(model, preserving_proto_field_name=True)
        return description

    def validate_model(self, model: Model) -> simulation_pb2.ValidateModelResponse:
        """Checks a model without storing it on the server.

        Parameters
        ----------
        model : str, os.PathLike or dict
            A file (``.json`` or ``.txtpb``), or the content of a model file.

        Returns
        -------
        tactus.v1.ValidateModelResponse
            ``valid`` and all ``findings``. Findings on a dict have the line 0.

        Examples
        --------
        >>> answer = client.validate_model({"name": "nothing"})
        >>> print(answer.valid, len(answer.findings) > 0)
        False True
        """
        request = simulation_pb2.ValidateModelRequest(**model_source(model))
        answer: simulation_pb2.ValidateModelResponse = self.call("ValidateModel", request)
        if isinstance(model, Mapping):
            for finding in answer.findings:
                finding.line = 0
        return answer

    def load_model(self, model: Model, replace: bool = False) -> simulation_pb2.LoadModelResponse:
        """Checks a model and stores it on the server under its name.

        Parameters
        ----------
        model : str, os.PathLike or dict
            A file (``.json`` or ``.txtpb``), or the content of a model file.
        replace : bool, optional
            True: the model may take the place of a loaded model of its name. Default: it does so with a
            `ModelReplacedWarning`.

        Returns
        -------
        tactus.v1.LoadModelResponse
            Name and size of the model, warnings, how far the initial state was moved to satisfy the constraints, and
            whether the model ``replaced`` another one.

        Raises
        ------
        ModelInvalid
            If the model violates rules. The error holds all findings, those on a file with their lines.

        Examples
        --------
        >>> content = client.model("motor_four_bar") | {"name": "light_four_bar", "gravity": [0, -1.62, 0]}
        >>> loaded = client.load_model(content, replace=True)
        >>> print(loaded.info.name)
        light_four_bar
        """
        with without_lines(model):
            loaded: simulation_pb2.LoadModelResponse = self.call(
                "LoadModel", simulation_pb2.LoadModelRequest(**model_source(model))
            )
        if loaded.replaced and not replace:
            warn_of(f"model {loaded.info.name} was replaced; sessions that run the former model continue with it",
                    ModelReplacedWarning)
        return loaded

    def unload_model(self, name: str) -> None:
        """Removes a loaded model from the server and frees its name. Sessions that run the model continue.

        Parameters
        ----------
        name : str
            The name of a model that a client has loaded.

        Raises
        ------
        ModelUnknown
            If there is no model of this name.
        RequestInvalid
            If the model is built in.
        NotPermitted
            If another identity has loaded the model and this client is no administrator.

        Examples
        --------
        >>> import tactus
        >>> with tactus.connect("127.0.0.1:50051") as client:
        ...     name = client.load_model({**client.model("four_bar"), "name": "my_four_bar"}).info.name
        ...     client.unload_model(name)
        ...     name in [model.name for model in client.models()]
        False
        """
        self.call("UnloadModel", simulation_pb2.UnloadModelRequest(name=check.text("name", name)))

    # ---- sessions ----

    def create_session(
        self,
        model: str | Mapping[str, Any],
        *,
        name: str = "",
        clock: Clock = "real-time",
        scale: float = 1.0,
        period: Duration | None = None,
        iterations: int = 0,
        solver: Mapping[str, float] | None = None,
        threads: int = 0,
        initial: str | snapshot_pb2.SessionSnapshot | bytes = "",
        parameters: Mapping[str, float] | None = None,
        scripted_inputs: Script = (),
        stop_tick: int = 0,
        priority: int | None = None,
        cpus: Iterable[int] = (),
        overrun: str = "skip",
        overrun_grace: int = 0,
        overrun_max_consecutive: int = 0,
        overrun_max_total: int = 0,
        miss_limit: int | None = None,
        participants: Iterable[str] = (),
        participant_timeout: Duration | None = None,
        participant_rule: ParticipantRule = "continue",
        request_id: str | None = None,
    ) -> Session:
        """Creates a session. As a context manager, the session is deleted at the end of the block.

        Parameters
        ----------
        model : str or dict
            Name of a model (``"chain:n=8"``), or the content of a model file.
        name : str
            Name of the session. Default: chosen by the server.
        clock : {"real-time", "free-run", "scaled", "lockstep", "external"}
        scale : float
            Clock ``"scaled"``: simulated seconds per second.
        period : str, timedelta or float, optional
            Period of a tick: ``"1ms"``, ``"500Hz"``, or seconds as a float. Default: that of the model.
        iterations : int
            Newton iterations of a step, or as a setting in ``solver``, not both. Default 0: that of the model.
        solver : dict of str to float or bool, optional
            Settings of the solver by name: ``{"full_newton": True, "velocity_passes": 3}``. ``tactus integrators``
            lists them at ``ali3p``. Default: what the model recommends.
        threads : int
            Threads that share a step. Default 0: one.
        initial : str, tactus.v1.SessionSnapshot or bytes
            Name of an initial condition of the model, or a snapshot, from which the session begins paused. Default: the
            initial state that the bodies declare.
        parameters : dict of str to float, optional
            Parameters of the model whose values shall differ from those that it declares.
        scripted_inputs : iterable of (int, sequence of float)
            The tick that first uses the values, and one value for each actuator of the model.
        stop_tick : int
            The session finishes after this tick. Default 0: never.
        priority : int, optional
            SCHED_FIFO priority of the tick thread, 1 to 99; 0: the normal scheduling class. Default: that of the server
            with the clocks real-time and scaled, otherwise 0. `Session.start` warns if the system grants none.
        cpus : iterable of int
            Cores for the tick thread. Default: any core.
        overrun : str
            What a clock with deadlines does when a deadline passes before its tick can start: ``"stop"``, ``"skip"``,
            ``"catch-up 3"``, ``"slip"`` or ``"safe"``.
        overrun_grace : int
            Number of ticks after each start whose overdue deadlines do not count towards the limits.
        overrun_max_consecutive, overrun_max_total : int
            The session stops after more consecutive overdue deadlines than this, or after more since the start. Default
            0: no limit.
        miss_limit : int, optional
            Number of ticks in a row without an input of a controller after which the controller is lost and its
            actuators do what the model declares for this case. 0: never. Default: 20 with the clocks real-time,
            scaled and external, else 0.
        participants : iterable of str
            Lockstep: groups of actuators that must have a controller before a tick can run.
        participant_timeout : str, timedelta or float, optional
            Lockstep: maximum wait for participants, ``"10ms"`` or seconds as a float. Default: wait forever.
        participant_rule : {"continue", "pause", "safe"}
            Lockstep: what happens after `participant_timeout`. The tick runs without the late input, or the session
            pauses without a tick, or the tick runs and the session enters the safe state.
        request_id : str, optional
            A repeated call with the same id returns the first session, creates nothing and restores no snapshot again.
            Default: a new id.

        Returns
        -------
        Session

        Raises
        ------
        ModelUnknown, ModelInvalid, ParameterUnknown, SessionExists, RequestInvalid, LimitExceeded, SnapshotIncompatible
        TypeError, ValueError
            If an argument has a wrong type; if a clock, rule, policy or duration is unknown, a clock that has no scale
            gets one, or the model is a file. Nothing is sent.

        Examples
        --------
        >>> with client.create_session("motor_four_bar", clock="lockstep", parameters={"rocker_mass": 2.0}) as heavy:
        ...     block = heavy.run("50ms", outputs=["crank_angle"])
        ...     print(len(block))
        50
        """
        arguments = {argument: value for argument, value in locals().items() if argument not in ("self", "initial")}
        if not isinstance(initial, (str, bytes, snapshot_pb2.SessionSnapshot)):
            raise check.wrong("initial", initial, "the name of an initial condition, a snapshot or its bytes")
        snapshot = None if isinstance(initial, str) else snapshot_message("initial", initial)
        arguments["initial_condition"] = initial if isinstance(initial, str) else ""
        if isinstance(model, str) and model.endswith((".json", ".txtpb")):
            raise ValueError(f"model={model!r} is a file; give it to load_model, and its name to create_session")
        try:
            request = create_session_request(**arguments)
        except json_format.ParseError:
            findings = findings_of(self.validate_model(model).findings)
            raise ModelInvalid(
                "the model is not valid", "INVALID_ARGUMENT", "MODEL_INVALID", "model", "", findings
            ) from None
        session = Session(self, self.call("CreateSession", request), delete_on_exit=True)
        if snapshot is not None:
            session._begin_with(snapshot, request.request_id, is_new=not request_id)
        return session

    def session(self, name: str) -> Session:
        """Returns a handle to an existing session. The session stays when the handle is closed.

        Raises
        ------
        SessionUnknown

        Examples
        --------
        >>> same = client.session(session.name)  # of another program, for example
        >>> print(same.model)
        motor_four_bar
        """
        found = self.call("GetSession", simulation_pb2.GetSessionRequest(session=check.text("name", name)))
        return Session(self, found, delete_on_exit=False)

    def sessions(self) -> list[simulation_pb2.Session]:
        """list of tactus.v1.Session : all sessions of the server with their states.

        Examples
        --------
        >>> found = [one.model for one in client.sessions() if one.name == session.name]
        >>> print(found)
        ['motor_four_bar']
        """
        sessions: list[simulation_pb2.Session] = []
        token = ""
        while True:
            page = self.call("ListSessions", simulation_pb2.ListSessionsRequest(page_token=token))
            sessions += page.sessions
            token = page.next_page_token
            if not token:
                return sessions
