"""`Session.run`: a block of ticks in as few calls as the limits of the server allow."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from tactus.block import Block
from tactus.errors import TactusError
from tactus.transport import messages
from tactus.v1 import simulation_pb2
from tactus.wire_errors import typed_errors

if TYPE_CHECKING:
    from tactus.session import Session

# A call has at most so many ticks and bytes of inputs. The server allows 100 000 ticks and 4 MiB.
_MAX_TICKS = 10_000
_MAX_BYTES = 1 << 20


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


def run_block(
    stub: Any,
    session: Session,
    names: list[str],
    rows: npt.NDArray[np.float64],
    outputs: Iterable[str],
    every: int,
    controller: str,
    timeout: float,
) -> Block:
    """Runs one tick for each row; see `Session.run`."""
    columns: list[str] | None = None
    ticks: list[int] = []
    values: list[bytes] = []

    def block() -> Block:
        found = columns or []
        table = np.frombuffer(b"".join(values), dtype="<f8").reshape(len(ticks), len(found))
        numbers = np.array(ticks, dtype=np.int64)
        return Block(found, numbers, numbers * session.period_ns * 1e-9, table, session.units)

    try:
        for start, length, distance in _calls(len(rows), len(names), every):
            request = simulation_pb2.RunSessionRequest(
                session=session.name,
                inputs=names,
                ticks=length,
                rows=rows[start : start + length].astype("<f8").tobytes(),
                outputs=outputs if distance else [],
                every=max(distance, 1),
                controller=controller or f"python, process {os.getpid()}",
            )
            with typed_errors():
                call = stub.RunSession(request, timeout=timeout)
                try:
                    for response in messages(call):
                        if distance and response.HasField("outputs") and columns is None:
                            columns = list(response.outputs.signals)
                        ticks += response.ticks
                        values.append(response.rows)
                finally:
                    call.cancel()  # Ctrl-C ends the block at the server, too
    except TactusError as failure:
        failure.block = block()
        raise
    return block()
