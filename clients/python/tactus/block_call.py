"""`Session.run`: a block of ticks in as few calls as the limits of the server allow."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from tactus.block import Block
from tactus.errors import TactusError
from tactus.transport import messages, unary
from tactus.v1 import simulation_pb2
from tactus.wire_errors import error_of_block, typed_errors

if TYPE_CHECKING:
    from tactus.session import Session

# A call has at most so many ticks and bytes of inputs. The server allows 100 000 ticks and 4 MiB.
_MAX_TICKS = 10_000
_MAX_BYTES = 1 << 20

# A block up to this size has one answer, which costs less than a stream. The server allows 1000 ticks and less than 256 KiB.
_SHORT_TICKS = 1000
_SHORT_BYTES = 128 << 10

_NO_TICKS = np.empty(0, dtype=np.int64)


def _calls(ticks: int, width: int, every: int) -> Iterator[tuple[int, int, int]]:
    """Start, length and distance of the rows of outputs of each call; distance 0: no row.

    Rows of outputs lie at every n-th tick of the block: each call but the last one ends at such a tick, or has no row.
    """
    limit = max(1, min(_MAX_TICKS, _MAX_BYTES // (8 * max(width, 1))))
    start = 0
    while start < ticks:
        if every <= limit:
            length = min(limit // every * every, ticks - start)
            yield start, length, every
        else:
            length = min(limit, every - start % every, ticks - start)
            yield start, length, length if (start + length) % every == 0 else 0
        start += length


def _is_short(ticks: int, every: int, outputs: list[str], widths: dict[tuple[str, ...], int]) -> bool:
    """Whether a call has one answer. The width of a row of globs is known after a first block with them."""
    width = widths.get(tuple(outputs), len(outputs))
    unknown = tuple(outputs) not in widths and any(mark in name for name in outputs for mark in "*?[")
    return ticks <= _SHORT_TICKS and not unknown and 8 * width * (ticks // every) <= _SHORT_BYTES


def _numbers(ticks: Sequence[int], distance: int) -> npt.NDArray[np.int64]:
    """Numbers of ticks as an array. Two rows lie `distance` ticks apart, or more if another client ticks in between."""
    if ticks and ticks[-1] - ticks[0] == distance * (len(ticks) - 1):
        return np.arange(ticks[0], ticks[-1] + 1, distance, dtype=np.int64)
    return np.array(ticks, dtype=np.int64)


def _counted_from(start: int, failure: TactusError) -> TactusError:
    """The refusal of a row of a call as one of the block: with the row of the block, and with the ticks that ran before."""
    if start and failure.field == "rows":
        (text,) = failure.args
        text = re.sub(r"row (\d+): ", lambda match: f"row {start + int(match[1])}: ", text, count=1)
        hint = failure.hint.replace("no tick has run", f"the {start} ticks before this call have run")
        failure.args = (text.replace(failure.hint, hint) if failure.hint else text,)
        failure.hint = hint
    return failure


def run_block(
    stub: Any,
    session: Session,
    names: list[str],
    rows: npt.NDArray[np.float64],
    outputs: list[str],
    every: int,
    controller: str,
    timeout: float,
    widths: dict[tuple[str, ...], int],
) -> Block:
    """Runs one tick for each row; see `Session.run`. `widths`: signals of each list of outputs, as far as they are known."""
    columns: list[str] = []
    is_named = False  # by the server, with the first rows
    ticks: list[npt.NDArray[np.int64]] = []
    values: list[bytes] = []
    start = 0

    def block(units: Mapping[str, str]) -> Block:
        numbers = ticks[0] if len(ticks) == 1 else np.concatenate([_NO_TICKS, *ticks])
        table = np.frombuffer(b"".join(values), dtype="<f8").reshape(len(numbers), len(columns))
        return Block(columns, numbers, numbers * session.period_ns * 1e-9, table, units)

    def take(response: simulation_pb2.RunSessionResponse, distance: int) -> None:
        nonlocal columns, is_named
        if distance and not is_named and response.HasField("outputs"):
            columns, is_named = list(response.outputs.signals), True
            widths[tuple(outputs)] = len(columns)
        ticks.append(_numbers(response.ticks, distance))
        values.append(response.rows)

    try:
        for start, length, distance in _calls(len(rows), len(names), every):
            if not start and not distance and outputs:  # calls without rows do not name the outputs: a wrong one is refused here
                columns = [signal.name for signal in session.signals(*outputs)]
            request = simulation_pb2.RunSessionRequest(
                session=session.name,
                inputs=names,
                ticks=length,
                rows=rows[start : start + length].astype("<f8").tobytes(),
                outputs=outputs if distance else [],
                every=max(distance, 1),
                controller=controller or f"python, process {os.getpid()}",
            )
            if _is_short(length, max(distance, 1), outputs if distance else [], widths):
                with typed_errors():
                    response = unary(stub.RunBlock, request, timeout)
                take(response, distance)
                if response.HasField("failure"):
                    raise error_of_block(response.failure)
                continue
            with typed_errors():
                call = stub.RunSession(request, timeout=timeout)
                try:
                    for response in messages(call):
                        take(response, distance)
                finally:
                    call.cancel()  # Ctrl-C ends the block at the server, too
    except TactusError as failure:
        units: dict[str, str] = {}
        with contextlib.suppress(TactusError, ValueError):  # the session or the connection may be gone: the rows are not
            units = session._units_of(tuple(outputs)) if columns else {}
        failure.block = block(units)
        raise _counted_from(start, failure)
    return block(session._units_of(tuple(outputs)) if columns else {})
