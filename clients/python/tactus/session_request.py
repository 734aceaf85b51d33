"""The request that creates a session, from plain Python values."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from google.protobuf import json_format

from tactus import check, units
from tactus.model_text import json_text, whole_content
from tactus.units import Duration
from tactus.v1 import input_pb2, simulation_pb2


#: Words of `Client.create_session`.
Clock = Literal["real-time", "free-run", "scaled", "lockstep", "external"]
ParticipantRule = Literal["continue", "pause", "safe"]
Script = Iterable[tuple[int, Sequence[float]]]


def _words(enumeration: Any) -> dict[str, Any]:
    """The values of an enumeration by their words: ``"catch-up"`` is ``OVERRUN_POLICY_CATCH_UP``."""
    unspecified = enumeration.Name(0)
    prefix = unspecified.removesuffix("UNSPECIFIED")
    return {
        name.removeprefix(prefix).lower().replace("_", "-"): number
        for name, number in enumeration.items()
        if name != unspecified
    }


_CLOCKS = _words(simulation_pb2.ClockMode)
_PARTICIPANT_RULES = _words(simulation_pb2.ParticipantRule)
_OVERRUNS = _words(simulation_pb2.OverrunPolicy)


def create_session_request(
    model: str | Mapping[str, Any],
    *,
    name: str,
    clock: Clock,
    scale: float,
    period: Duration | None,
    iterations: int,
    solver: Mapping[str, float] | None,
    threads: int,
    initial_condition: str,
    parameters: Mapping[str, float] | None,
    scripted_inputs: Script,
    stop_tick: int,
    priority: int | None,
    cpus: Iterable[int],
    overrun: str,
    overrun_grace: int,
    overrun_max_consecutive: int,
    overrun_max_total: int,
    miss_limit: int | None,
    participants: Iterable[str],
    participant_timeout: Duration | None,
    participant_rule: ParticipantRule,
    request_id: str | None,
) -> simulation_pb2.CreateSessionRequest:
    """The ``tactus.v1.CreateSessionRequest`` for the arguments of `Client.create_session`, which documents them.

    Raises
    ------
    TypeError
        If an argument has a wrong type.
    ValueError
        If a clock, rule, policy or duration is unknown, or a clock that has no scale gets one.
    google.protobuf.json_format.ParseError
        If a model that is a dict does not have the fields of a model file.
    """
    for argument, value in (("name", name), ("initial", initial_condition), ("overrun", overrun)):
        check.text(argument, value)
    for argument, count in (
        ("iterations", iterations), ("threads", threads), ("overrun_grace", overrun_grace),
        ("overrun_max_consecutive", overrun_max_consecutive), ("overrun_max_total", overrun_max_total),
        ("miss_limit", 0 if miss_limit is None else miss_limit),
    ):
        check.natural(argument, count)
    check.count("stop_tick", stop_tick)
    check.count("priority", 0 if priority is None else priority, check.MOST_32)
    mode = _choice("clock", clock, _CLOCKS)
    if check.number("scale", scale) != 1.0 and clock != "scaled":
        raise ValueError(f'scale={scale!r} needs clock="scaled", and clock is {clock!r}')
    request = simulation_pb2.CreateSessionRequest(
        request_id=check.text("request_id", request_id or uuid.uuid4().hex),
        name=name,
        clock=mode,
        scale=scale if clock == "scaled" else 0.0,
        period_ns=units.period(period) if period is not None else 0,
        iterations=iterations,
        threads=threads,
        solver_settings=[
            simulation_pb2.SolverSetting(name=setting, value=value)
            for setting, value in check.numbers("solver", solver).items()
        ],
        initial_condition=initial_condition,
        parameters=[
            input_pb2.ParameterValue(name=parameter, value=value)
            for parameter, value in check.numbers("parameters", parameters).items()
        ],
        stop_tick=stop_tick,
        priority=priority,
        cpus=[check.count("cpus", core, check.MOST_32) for core in check.several("cpus", cpus)],
        overrun=_overrun_rule(overrun, overrun_grace, overrun_max_consecutive, overrun_max_total),
        miss_limit=miss_limit,
        participants=check.texts("participants", participants),
    )
    rule = _choice("participant_rule", participant_rule, _PARTICIPANT_RULES)
    if participant_timeout is not None:
        request.participant_timeout_ns = units.duration(participant_timeout)
        request.participant_rule = rule
    elif participant_rule != "continue":
        raise ValueError(f"participant_rule={participant_rule!r} has no effect without participant_timeout; give both")
    if isinstance(model, str):
        request.model_name = model
    elif not isinstance(model, Mapping):
        raise check.wrong("model", model, "the name of a model, or the content of a model file as a dict")
    else:
        json_format.Parse(json_text(whole_content(model)), request.model)
    for row in check.several("scripted_inputs", scripted_inputs):
        if not isinstance(row, Sequence) or len(row) != 2:
            raise check.wrong("scripted_inputs", row, "pairs of a tick and the values of all actuators")
        if isinstance(check.by_name("scripted_inputs", row[1]), Mapping):
            raise TypeError("scripted_inputs has values by name; give those of all actuators as a list, in the order of the model")
        values = [check.number("scripted_inputs", value) for value in check.several("scripted_inputs", row[1])]
        request.scripted_inputs.add(tick=check.count("scripted_inputs", row[0]), values=values)
    return request


def _choice(argument: str, word: str, choices: Mapping[str, Any]) -> Any:
    """The enum value of a word."""
    if not isinstance(word, str) or word not in choices:
        raise ValueError(f"{argument}={word!r} is unknown; choose one of {', '.join(choices)}")
    return choices[word]


def _overrun_rule(
    policy: str, grace_ticks: int, max_consecutive: int, max_total: int
) -> simulation_pb2.OverrunRule:
    """The rule for a text such as ``"catch-up 3"``."""
    word, _, burst = policy.partition(" ")
    if word not in _OVERRUNS or (burst != "") != (word == "catch-up") or (burst and not burst.isdecimal()):
        choices = ", ".join(f"'{known} N'" if known == "catch-up" else known for known in _OVERRUNS)
        raise ValueError(f"overrun policy {policy!r} is unknown; choose one of {choices}")
    return simulation_pb2.OverrunRule(
        policy=_OVERRUNS[word],
        burst=int(burst or 0),
        grace_ticks=grace_ticks,
        max_consecutive=max_consecutive,
        max_total=max_total,
    )
