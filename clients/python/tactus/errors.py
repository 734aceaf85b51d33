"""What a failed call raises: one class for each machine-readable reason that is worth catching on its own."""

import contextlib

import grpc

from tactus.v1 import simulation_pb2

_DETAIL_TRAILER = "tactus-error-bin"


class TactusError(Exception):
    """A call that the server refused, or that did not reach it.

    Attributes
    ----------
    code : str
        Name of the gRPC status code, ``"NOT_FOUND"``.
    reason : str
        Machine-readable cause, ``"SESSION_UNKNOWN"``; the status code where the server gave none.
    field : str
        The offending field of the request; may be empty.
    hint : str
        What to do about it; may be empty.
    findings : list of tactus.v1.simulation_pb2.Finding
        What is wrong with a model: severity, line, path, value, rule and hint of each.
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
    """No server answers at the address, or it vanished."""


class DeadlineExceeded(TactusError):
    """The server did not answer in time."""


class Draining(TactusError):
    """The server is shutting down."""


class ModelInvalid(TactusError):
    """A model breaks rules; ``findings`` lists all of them."""


class ModelUnknown(TactusError):
    """No model of that name is built in or loaded."""


class SessionUnknown(TactusError):
    """No session of that name runs on the server."""


class SessionExists(TactusError):
    """A session of that name runs already."""


class SessionDeleted(TactusError):
    """The session was deleted while it was in use."""


class SessionStateError(TactusError):
    """The session is in a state that does not allow this."""


class SessionFaulted(SessionStateError):
    """A step was not finite: the session keeps its last good state until it is reset."""


class SessionStopped(SessionStateError):
    """The overrun rule of the session ended its run: its state is good, and it can be started again."""


class SignalUnknown(TactusError):
    """A name or glob matches no signal; the hint names the nearest one."""


class LayoutMismatch(TactusError):
    """The layout of a stream is not the expected one."""


class LeaseHeld(TactusError):
    """Another stream holds the inputs of the session."""


class ValueOutOfRange(TactusError):
    """An input lies outside the range of its actuator."""


class NotFinite(TactusError):
    """An input is NaN or infinite."""


class TickInPast(TactusError):
    """The tick that an input names is over; it was not used."""


class TickTooFar(TactusError):
    """Too many inputs wait for their ticks, or in lockstep one is not for the next tick."""


class RequestInvalid(TactusError):
    """A request breaks a rule of the interface."""


class LimitExceeded(TactusError):
    """A request goes beyond a limit of the server."""


class SnapshotIncompatible(TactusError):
    """A snapshot does not fit the session: another model, other settings, another binary, or damaged."""


class ParameterUnknown(TactusError):
    """The model of the session has no parameter of that name; the hint names the nearest one."""


class RecordingUnknown(TactusError):
    """The server has no recording of that name."""


class RecordingExists(TactusError):
    """A recording of that name is there already."""


_CLASS_OF_REASON = {
    "DRAINING": Draining,
    "LAYOUT_MISMATCH": LayoutMismatch,
    "LEASE_HELD": LeaseHeld,
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

# Status codes that the calls have which a notice stands for.
_CODE_OF_REASON = {"SESSION_DELETED": "ABORTED", "DRAINING": "UNAVAILABLE"}

# Where nobody gave a reason, the status code tells the cases apart that come from the transport.
_CLASS_OF_CODE = {"UNAVAILABLE": Unreachable, "DEADLINE_EXCEEDED": DeadlineExceeded}


def _error(message, code, detail):
    kind = _CLASS_OF_REASON.get(detail.reason) if detail.reason else _CLASS_OF_CODE.get(code)
    return (kind or TactusError)(message, code, detail.reason, detail.field, detail.hint, detail.findings)


def error_of_call(failure):
    """The `TactusError` of a `grpc.RpcError`, with the detail from its trailer."""
    detail = simulation_pb2.ErrorDetail()
    for key, value in failure.trailing_metadata() or ():
        if key == _DETAIL_TRAILER:
            detail.ParseFromString(value)
    return _error(failure.details(), failure.code().name, detail)


def error_of_notice(notice):
    """The `TactusError` that a notice stands for: a refused input, or a session that does not tick."""
    detail = simulation_pb2.ErrorDetail()
    detail.CopyFrom(notice.detail)
    detail.reason = detail.reason or notice.reason
    code = _CODE_OF_REASON.get(detail.reason)
    if code is None:
        code = "FAILED_PRECONDITION" if detail.reason.startswith("SESSION_") else "INVALID_ARGUMENT"
    return _error(notice.message, code, detail)


@contextlib.contextmanager
def typed_errors():
    """Turns a `grpc.RpcError` of the block into a `TactusError`."""
    try:
        yield
    except grpc.RpcError as failure:
        raise error_of_call(failure) from None
