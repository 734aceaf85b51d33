"""The request that creates a session, from plain Python values."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from google.protobuf import json_format

from tactus import units
from tactus.model_text import json_text
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
    period: str | float | None,
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
    participant_timeout: str | float | None,
    participant_rule: ParticipantRule,
    request_id: str | None,
) -> simulation_pb2.CreateSessionRequest:
    """The ``tactus.v1.CreateSessionRequest`` for the arguments of `Client.create_session`, which documents them.

    Raises
    ------
    ValueError
        If a clock, rule, policy or duration is unknown.
    google.protobuf.json_format.ParseError
        If a model that is a dict does not have the fields of a model file.
    """
    request = simulation_pb2.CreateSessionRequest(
        request_id=request_id or uuid.uuid4().hex,
        name=name,
        clock=_choice("clock", clock, _CLOCKS),
        scale=scale if clock == "scaled" else 0.0,
        period_ns=units.period(period) if period is not None else 0,
        iterations=iterations,
        threads=threads,
        solver_settings=[
            simulation_pb2.SolverSetting(name=setting, value=value) for setting, value in (solver or {}).items()
        ],
        initial_condition=initial_condition,
        parameters=[
            input_pb2.ParameterValue(name=parameter, value=value) for parameter, value in (parameters or {}).items()
        ],
        stop_tick=stop_tick,
        priority=priority,
        cpus=cpus,
        overrun=_overrun_rule(overrun, overrun_grace, overrun_max_consecutive, overrun_max_total),
        miss_limit=miss_limit,
        participants=participants,
    )
    rule = _choice("participant_rule", participant_rule, _PARTICIPANT_RULES)
    if participant_timeout is not None:
        request.participant_timeout_ns = units.duration(participant_timeout)
        request.participant_rule = rule
    if isinstance(model, str):
        request.model_name = model
    else:
        json_format.Parse(json_text(model), request.model)
    for tick, values in scripted_inputs:
        request.scripted_inputs.add(tick=tick, values=values)
    return request


def _choice(argument: str, word: str, choices: Mapping[str, Any]) -> Any:
    """The enum value of a word."""
    if word not in choices:
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
