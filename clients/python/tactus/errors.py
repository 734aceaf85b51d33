"""Exceptions of failed calls: one class for each machine-readable reason that a program may want to catch."""

from __future__ import annotations

import dataclasses
import sys
import warnings
from collections.abc import Iterable
from types import FrameType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tactus.block import Block
    from tactus.offline_run import Trajectory


@dataclasses.dataclass(frozen=True)
class Finding:
    """One problem of a model.

    Attributes
    ----------
    severity : str
        ``"error"``: the model cannot run. ``"warning"``: it can.
    line : int
        Line of the file, from 1; 0 if there is no file.
    path : str
        Path of the field: ``"joints[2].revolute.axis_1"``.
    value, rule, hint : str
        The value found, the rule that the value violates, and what to write instead. The hint may be empty.

    Examples
    --------
    >>> import tactus
    >>> [finding] = tactus.build.Model("empty").check()
    >>> finding.severity, finding.path
    ('error', 'bodies')
    """

    severity: str
    line: int
    path: str
    value: str
    rule: str
    hint: str

    def __str__(self) -> str:
        line = f"line {self.line}: " if self.line else ""
        warning = "warning: " if self.severity == "warning" else ""
        field = f"{self.path} = {self.value}" if self.path else self.value
        return f"{line}{warning}{field}: {self.rule}{f' ({self.hint})' if self.hint else ''}"


class TactusError(Exception):
    """A call was refused, or did not reach the server.

    Attributes
    ----------
    code : str
        Name of the gRPC status code: ``"NOT_FOUND"``.
    reason : str
        Machine-readable cause: ``"SESSION_UNKNOWN"``. The status code if the server gave no cause.
    field : str
        The offending field of the request. May be empty.
    hint : str
        What to do instead. May be empty.
    findings : list of Finding
        Findings on a model. Empty for all other errors.
    block : Block or None
        `Session.run` and `Simulation.run`: the rows of the ticks before the error.
    trajectory : Trajectory or None
        `offline`: the rows before the error.
    """

    def __init__(
        self,
        message: str,
        code: str = "UNKNOWN",
        reason: str = "",
        field: str = "",
        hint: str = "",
        findings: Iterable[Finding] = (),
    ) -> None:
        self._message = message
        self.code = code
        self.reason = reason or code
        self.field = field
        self.hint = hint
        self.findings = list(findings)
        self.block: Block | None = None
        self.trajectory: Trajectory | None = None
        text = f"{self.reason}: {message}"
        if field:
            text += f" (field {field})"
        if hint and " " not in hint and self.reason.endswith("_UNKNOWN"):  # the hint of a server is the nearest name alone
            is_told = any(f"{mark}{hint}{mark}" in message for mark in "\"'")
            text += "" if is_told else f'; did you mean "{hint}"?'
        elif hint:
            text += f"; {hint}"
        for finding in self.findings:
            text += f"\n  {finding}"
        super().__init__(text)

    def __reduce__(self) -> tuple[Any, ...]:
        # The default calls the class with the whole text, which would get a second prefix.
        words = (self._message, self.code, self.reason, self.field, self.hint, self.findings)
        return type(self), words, self.__dict__


class Unreachable(TactusError):
    """No server answers at the address, or the connection to it broke."""


class DeadlineExceeded(TactusError):
    """The server did not answer before the deadline of the call."""


class NotAuthenticated(TactusError):
    """The server wants a token, or a certificate with a name, and the call had none or a wrong one."""


class NotPermitted(TactusError):
    """The identity of the client may not do this: its role is too low, or the session belongs to another identity."""


class Draining(TactusError):
    """The server is shutting down."""


class ModelInvalid(TactusError):
    """A model violates rules; ``findings`` lists all violations."""


class ModelUnknown(TactusError):
    """There is no built-in or loaded model of this name."""


class SessionUnknown(TactusError):
    """The server has no session of this name."""


class SessionExists(TactusError):
    """The server already has a session of this name."""


class SessionDeleted(TactusError):
    """The session was deleted while it was in use."""


class SessionStateError(TactusError):
    """The state of the session does not allow the call."""


class SessionFaulted(SessionStateError):
    """A step failed because its result is not finite. The session keeps its last good state until it is reset."""


class SessionStopped(SessionStateError):
    """The overrun rule of the session ended the run. The state is good, and the session can be started again."""


class SignalUnknown(TactusError):
    """A name or glob matches no signal; the hint names the nearest signal."""


class LayoutMismatch(TactusError):
    """The layout of a stream differs from the expected layout."""


class LeaseHeld(TactusError):
    """Another controller holds the lease on the inputs."""


class LeaseLost(TactusError):
    """Another controller took the inputs over; the inputs of this stream are refused from then on.

    The stream stays open. In real time it can go on receiving frames; in lockstep, where frames answer inputs, observe the
    session instead.
    """


class ValueOutOfRange(TactusError):
    """An input lies outside the range of its actuator."""


class NotFinite(TactusError):
    """An input is NaN or infinite."""


class TickInPast(TactusError):
    """An input named a tick that is past. The input was not used."""


class TickTooFar(TactusError):
    """Too many inputs are queued for later ticks or, in lockstep, an input named another tick than the next one."""


class RequestInvalid(TactusError):
    """A request violates a rule of the interface."""


class LimitExceeded(TactusError):
    """A request exceeds a limit of the server."""


class SnapshotIncompatible(TactusError):
    """A snapshot does not match the session (model, settings or program differ), or it is damaged."""


class ParameterUnknown(TactusError):
    """The model of the session has no parameter of this name; the hint names the nearest parameter."""


class RecordingUnknown(TactusError):
    """The server has no recording of this name."""


class RecordingExists(TactusError):
    """The server already has a recording of this name."""


class RecordingFolderUnusable(TactusError):
    """The server cannot create a file in its folder of recordings. The text says why."""


class AnalysisFailed(TactusError):
    """An analysis has no result: a singular pose, no equilibrium, no trim. The text says why."""


class SafeStateWarning(UserWarning):
    """The session ignores inputs: it is in its safe state. The text says since when, why, and how to leave it."""


class RecordingWarning(UserWarning):
    """A recording of the session lacks ticks or signals, or will lack some: its disk is too slow, stuck or nearly full."""


class EnergyGrowthWarning(UserWarning):
    """The energy of the motion grows without an input: the step is unstable or too long. The text says since when."""


class ModelReplacedWarning(UserWarning):
    """A model took the place of a model of the same name. Sessions that run the former model continue with it."""


class MixedBuildsWarning(UserWarning):
    """Several builds of Tactus ran the cases of a sweep, so their bits may differ. The text gives the number of cases of each build."""


class BestEffortWarning(UserWarning):
    """The system granted no real-time class to a session that asked for one: ticks may be late."""


def warn_of(text: str, category: type[Warning]) -> None:
    """Issues a warning of a category at the first line outside this package."""
    depth = 1
    frame: FrameType | None = sys._getframe(0)
    while frame and frame.f_globals.get("__name__", "").startswith("tactus."):
        depth, frame = depth + 1, frame.f_back
    warnings.warn(text, category, stacklevel=depth)


CLASS_OF_REASON: dict[str, type[TactusError]] = {
    "ANALYSIS_FAILED": AnalysisFailed,
    "DRAINING": Draining,
    "LAYOUT_MISMATCH": LayoutMismatch,
    "LEASE_HELD": LeaseHeld,
    "LEASE_LOST": LeaseLost,
    "LIMIT_EXCEEDED": LimitExceeded,
    "MODEL_INVALID": ModelInvalid,
    "MODEL_UNKNOWN": ModelUnknown,
    "NOT_AUTHENTICATED": NotAuthenticated,
    "NOT_FINITE": NotFinite,
    "NOT_OWNER": NotPermitted,
    "PARAMETER_UNKNOWN": ParameterUnknown,
    "RECORDING_EXISTS": RecordingExists,
    "RECORDING_FOLDER": RecordingFolderUnusable,
    "RECORDING_UNKNOWN": RecordingUnknown,
    "REQUEST_INVALID": RequestInvalid,
    "ROLE_TOO_LOW": NotPermitted,
    "SESSION_DELETED": SessionDeleted,
    "SESSION_EXISTS": SessionExists,
    "SESSION_FAULTED": SessionFaulted,
    "SESSION_FINISHED": SessionStateError,
    "SESSION_STATE": SessionStateError,
    "SESSION_STOPPED": SessionStopped,
    "SESSION_UNKNOWN": SessionUnknown,
    "SIGNAL_UNKNOWN": SignalUnknown,
    "SNAPSHOT_INCOMPATIBLE": SnapshotIncompatible,
    "TICK_IN_PAST": TickInPast,
    "TICK_TOO_FAR": TickTooFar,
    "VALUE_OUT_OF_RANGE": ValueOutOfRange,
}
