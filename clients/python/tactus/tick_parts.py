"""The ticks of a run in parts, so that a thread can look between two of them whether it is to end."""

from __future__ import annotations

import time
from collections.abc import Iterator

# Ticks of the first part, of which a large model needs some 10 ms each, and the most of a part.
_FIRST, _MOST = 16, 2048
# A part that takes less time, s, is followed by a longer one, and a part that takes more by a shorter one.
_SHORT, _LONG = 0.025, 0.1


class PartLength:
    """The length of the next part; it follows the time that the last one took.

    The bits of a run do not depend on its parts.

    Attributes
    ----------
    ticks : int
        Ticks of the next part.

    Examples
    --------
    >>> length = PartLength()
    >>> length.ticks
    16
    >>> length.took(0.001)
    >>> length.ticks
    32
    """

    def __init__(self) -> None:
        self.ticks = _FIRST

    def took(self, seconds: float) -> None:
        """Notes the duration of a part, s."""
        if seconds < _SHORT:
            self.ticks = min(2 * self.ticks, _MOST)
        elif seconds > _LONG:
            self.ticks = max(self.ticks // 2, 1)


def tick_parts(start: int, count: int, every: int) -> Iterator[tuple[int, int, int]]:
    """Parts of the ticks from `start` to `count`, with rows at each multiple of `every` and at the last tick.

    Yields
    ------
    begin, length : int
        Ticks before the part, and ticks of the part.
    every : int
        Ticks between two rows of the part; 0 if it has none.

    Examples
    --------
    >>> list(tick_parts(0, 25, 10))
    [(0, 10, 10), (10, 10, 10), (20, 5, 5)]
    >>> list(tick_parts(0, 20, 20))
    [(0, 16, 0), (16, 4, 4)]
    """
    length = PartLength()
    while start < count:
        rest = count - start
        if start % every == 0 and every <= min(length.ticks, rest):
            ticks, rows = min(length.ticks, rest) // every * every, every
        else:
            ticks = min(length.ticks, every - start % every, rest)
            rows = ticks if (start + ticks) % every == 0 or ticks == rest else 0
        begin = time.monotonic()
        yield start, ticks, rows
        length.took(time.monotonic() - begin)
        start += ticks
