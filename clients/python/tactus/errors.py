"""Exceptions of failed calls: one class for each machine-readable reason that a program may want to catch."""

import contextlib

import grpc

from tactus.v1 import simulation_pb2

_DETAIL_TRAILER = "tactus-error-bin"


class TactusError(Exception):
    """The server refused a call, or the call did not reach the server.

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
    findings : list of tactus.v1.Finding
        Findings on a model, each with severity, line, path, value, rule and hint. Empty for all other errors.
    """

    def __init__(self, message, code="UNKNOWN", reason="", field="", hint="", findings=()):
        self.code = code
        self.reason = reason or code
        self.field = field
        self.hint = hint
        self.findings = list(findings)
        text = f"{self.reason}: {message}"
        if field:
            text += f" (field {field})"
        if hint:
            text += f"; {hint}"
        for finding in self.findings:
            text += f"\n  line {finding.line}: {finding.path}: {finding.rule}"
        super().__init__(text)


class Unreachable(TactusError):
    """No server answers at the address, or the connection to it broke."""


class DeadlineExceeded(TactusError):
    """The server did not answer before the deadline of the call."""


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
    """Another controller took the inputs over; the inputs of this stream are refused from then on."""


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


class SafeStateWarning(UserWarning):
    """The session ignores inputs: it is in its safe state. The text says since when, why, and how to leave it."""


class EnergyGrowthWarning(UserWarning):
    """The energy of the motion grows without an input: the step is unstable or too long. The text says since when."""


class BestEffortWarning(UserWarning):
    """The system granted no real-time class to a session that asked for one: ticks may be late."""


_CLASS_OF_REASON = {
    "DRAINING": Draining,
    "LAYOUT_MISMATCH": LayoutMismatch,
    "LEASE_HELD": LeaseHeld,
    "LEASE_LOST": LeaseLost,
    "LIMIT_EXCEEDED": LimitExceeded,
    "MODEL_INVALID": ModelInvalid,
    "MODEL_UNKNOWN": ModelUnknown,
    "NOT_FINITE": NotFinite,
    "PARAMETER_UNKNOWN": ParameterUnknown,
    "RECORDING_EXISTS": RecordingExists,
    "RECORDING_UNKNOWN": RecordingUnknown,
    "REQUEST_INVALID": RequestInvalid,
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

# A notice carries no status code; these are the codes of the corresponding calls.
_CODE_OF_REASON = {"SESSION_DELETED": "ABORTED", "DRAINING": "UNAVAILABLE"}

# Errors of the transport carry no reason; the status code distinguishes them.
_CLASS_OF_CODE = {"UNAVAILABLE": Unreachable, "DEADLINE_EXCEEDED": DeadlineExceeded}


def _error(message, code, detail):
    kind = _CLASS_OF_REASON.get(detail.reason) if detail.reason else _CLASS_OF_CODE.get(code)
    hint = detail.hint
    if kind is Unreachable:
        hint = hint or "check the address and that the server runs (tactus serve)"
    return (kind or TactusError)(message, code, detail.reason, detail.field, hint, detail.findings)


def error_of_call(failure):
    """The `TactusError` for a `grpc.RpcError`, with the detail from its trailer."""
    detail = simulation_pb2.ErrorDetail()
    for key, value in failure.trailing_metadata() or ():
        if key == _DETAIL_TRAILER:
            detail.ParseFromString(value)
    return _error(failure.details(), failure.code().name, detail)


def error_of_notice(notice):
    """The `TactusError` for a notice about a refused input or about a session that does not tick."""
    detail = simulation_pb2.ErrorDetail()
    detail.CopyFrom(notice.detail)
    detail.reason = detail.reason or notice.reason
    code = _CODE_OF_REASON.get(detail.reason)
    if code is None:
        code = "FAILED_PRECONDITION" if detail.reason.startswith("SESSION_") else "INVALID_ARGUMENT"
    return _error(notice.message, code, detail)


@contextlib.contextmanager
def typed_errors():
    """A context manager that converts a `grpc.RpcError` of its block to a `TactusError`."""
    try:
        yield
    except grpc.RpcError as failure:
        raise error_of_call(failure) from None
