"""From the errors of gRPC and the notices of a stream to `TactusError`."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping

import grpc

from tactus.errors import CLASS_OF_REASON, Finding, ModelInvalid, TactusError, Unreachable, DeadlineExceeded
from tactus.v1 import simulation_pb2

_DETAIL_TRAILER = "tactus-error-bin"

_NAME_OF_CODE: dict[int, str] = {code.value[0]: code.name for code in grpc.StatusCode}

# A notice carries no status code; these are the codes of the corresponding calls.
_CODE_OF_REASON = {"SESSION_DELETED": "ABORTED", "LEASE_LOST": "ABORTED", "DRAINING": "UNAVAILABLE"}

# Errors of the transport carry no reason; the status code distinguishes them.
_CLASS_OF_CODE: dict[str, type[TactusError]] = {"UNAVAILABLE": Unreachable, "DEADLINE_EXCEEDED": DeadlineExceeded}


def _hint_on_unreachable(message: str) -> str:
    """What to do where no server answers. A peer that closes each new connection at once, or answers it with an alert of TLS
    ("Endpoint read failed"), does not accept plaintext or the certificate of this client; only the message of gRPC
    distinguishes these cases."""
    if "failed to connect" in message and ("Socket closed" in message or "Endpoint read failed" in message):
        return (
            "the server may want TLS (tls_ca), a client certificate (tls_cert, tls_key), or may refuse the certificate: "
            "revoked, expired or of another authority"
        )
    return "check the address and that the server runs (tactus serve)"


def findings_of(messages: Iterable[simulation_pb2.Finding]) -> list[Finding]:
    """The findings of a response or of an error."""
    return [
        Finding(
            "error" if message.severity == simulation_pb2.SEVERITY_ERROR else "warning",
            message.line,
            message.path,
            message.value,
            message.rule,
            message.hint,
        )
        for message in messages
    ]


def _error(message: str, code: str, detail: simulation_pb2.ErrorDetail) -> TactusError:
    kind = CLASS_OF_REASON.get(detail.reason) if detail.reason else _CLASS_OF_CODE.get(code)
    hint = detail.hint
    if kind is Unreachable:
        hint = hint or _hint_on_unreachable(message)
    elif code == "CANCELLED":
        hint = hint or "the server ends, or token, certificate or role of this client have changed: connect again"
    if detail.findings:
        message = "the model is not valid"  # the findings follow
    return (kind or TactusError)(message, code, detail.reason, detail.field, hint, findings_of(detail.findings))


def error_of_call(failure: grpc.RpcError) -> TactusError:
    """The `TactusError` for a `grpc.RpcError`, with the detail from its trailer."""
    detail = simulation_pb2.ErrorDetail()
    for key, value in failure.trailing_metadata() or ():
        if key == _DETAIL_TRAILER:
            detail.ParseFromString(value)
    return _error(failure.details(), failure.code().name, detail)


def error_of_notice(notice: simulation_pb2.TickNotice) -> TactusError:
    """The `TactusError` for a notice about a refused input, lost inputs, or a session that does not tick."""
    detail = simulation_pb2.ErrorDetail()
    detail.CopyFrom(notice.detail)
    detail.reason = detail.reason or notice.reason
    code = _CODE_OF_REASON.get(detail.reason)
    if code is None:
        code = "FAILED_PRECONDITION" if detail.reason.startswith("SESSION_") else "INVALID_ARGUMENT"
    return _error(notice.message, code, detail)


def error_of_block(failure: simulation_pb2.BlockFailure) -> TactusError:
    """The `TactusError` for a block of ticks that ended early."""
    return _error(failure.message, _NAME_OF_CODE.get(failure.code, "UNKNOWN"), failure.detail)


@contextlib.contextmanager
def typed_errors() -> Iterator[None]:
    """A context manager that converts a `grpc.RpcError` of its block to a `TactusError`."""
    try:
        yield
    except grpc.RpcError as failure:
        raise error_of_call(failure) from None
    except (ValueError, grpc.aio.UsageError) as failure:
        if "closed" not in str(failure).lower() or "channel" not in str(failure).lower():
            raise
        raise ValueError("the connection is closed; call connect again") from None


@contextlib.contextmanager
def without_lines(model: object) -> Iterator[None]:
    """A context manager for a call with a model: findings on a model that is no file name no line."""
    try:
        yield
    except ModelInvalid as failure:
        if not isinstance(model, Mapping):
            raise
        findings = [Finding(f.severity, 0, f.path, f.value, f.rule, f.hint) for f in failure.findings]
        raise ModelInvalid("the model is not valid", failure.code, failure.reason, failure.field, failure.hint,
                           findings) from None
