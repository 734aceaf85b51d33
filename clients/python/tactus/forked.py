"""Processes that were forked while a connection was open: gRPC works in none of them, and says nothing of it."""

from __future__ import annotations

import os
import weakref
from typing import Any

_open: weakref.WeakSet[Any] = weakref.WeakSet()
_is_forked = False


def note_open(channel: Any) -> None:
    """Notes a channel that was opened."""
    _open.add(channel)


def note_closed(channel: Any) -> None:
    """Notes that a channel is closed: a fork does no harm to it."""
    _open.discard(channel)


def require_own_process() -> None:
    """Refuses a call in a process that was forked while a connection was open.

    Raises
    ------
    RuntimeError
    """
    if _is_forked:
        raise RuntimeError("this process was forked while a connection of tactus was open, and gRPC does not work in it: start "
                           'processes by multiprocessing.get_context("spawn") or "forkserver", or before the first connection, and '
                           "connect in each of them")


def _after_fork() -> None:
    global _is_forked
    _is_forked = _is_forked or len(_open) > 0


os.register_at_fork(after_in_child=_after_fork)
