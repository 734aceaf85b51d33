"""The values that an input of some actuators leaves as they are: those that a stream has sent and the server has not refused."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

# So many of the last inputs can be forgotten; a refusal arrives after a few ticks.
_MOST = 256


class SentValues:
    """The values of all inputs of a stream, and what each of the last inputs changed.

    Attributes
    ----------
    newest : list of float
        In the order of the inputs of the stream.

    Examples
    --------
    >>> sent = SentValues([0.0, 0.0])
    >>> sent.add(1, {0: float("nan")})
    >>> sent.add(2, {1: 5.0})
    >>> sent.forget(1)
    >>> sent.newest
    [0.0, 5.0]
    """

    def __init__(self, values: list[float]) -> None:
        self.newest = list(values)
        self._before = list(values)  # the oldest entry of the changes
        self._changes: deque[tuple[int, Mapping[int, float]]] = deque()

    def add(self, sequence: int, changes: Mapping[int, float]) -> None:
        """Changes values by their positions with an input."""
        self._changes.append((sequence, changes))
        self.newest = _changed(self.newest, changes)
        if len(self._changes) > _MOST:
            self._before = _changed(self._before, self._changes.popleft()[1])

    def forget(self, sequence: int) -> None:
        """Takes back what an input changed and no later one has changed again."""
        kept = [entry for entry in self._changes if entry[0] != sequence]
        if len(kept) == len(self._changes):
            return
        self._changes = deque(kept)
        self.newest = self._before
        for _, changes in kept:
            self.newest = _changed(self.newest, changes)


def _changed(values: list[float], changes: Mapping[int, float]) -> list[float]:
    changed = list(values)
    for position, value in changes.items():
        changed[position] = value
    return changed
