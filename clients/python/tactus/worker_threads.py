"""Jobs on several threads, for a caller whom Ctrl-C may interrupt at any place."""

from __future__ import annotations

import concurrent.futures
import contextlib
import queue
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

_LOOK_INTERVAL = 0.05  # s; a caller that waits for a result looks for interrupts so often


class _Batch(NamedTuple):
    work: Callable[[Any], Any]
    items: list[Any]
    stop: threading.Event
    results: queue.SimpleQueue[tuple[int, Any, BaseException | None] | None]
    ended: threading.Event


class WorkerThreads:
    """Threads that do the jobs of one caller.

    Python interrupts the main thread between any two of its instructions. Events, conditions and futures are Python code:
    an interrupt may leave the lock of one taken, and other threads wait for this lock for ever. Therefore another thread
    owns the pool. The caller shares with both queues in C, and events that only one side sets and nobody waits for.

    Examples
    --------
    >>> threads = WorkerThreads(2)
    >>> sorted(threads.finished(abs, [-1, -2, -3], threading.Event()))
    [(0, 1), (1, 2), (2, 3)]
    >>> threads.close()
    """

    def __init__(self, count: int) -> None:
        self._batches: queue.SimpleQueue[_Batch | None] = queue.SimpleQueue()
        self._finalizer = weakref.finalize(self, self._batches.put, None)
        # A daemon: if an interrupt falls into `start`, this thread may never begin, and the end of the process does not wait for it.
        self._owner = threading.Thread(target=_own, args=(self._batches, count), daemon=True)
        self._owner.start()

    def finished(self, work: Callable[[Item], Result], items: Iterable[Item], stop: threading.Event) -> Iterator[tuple[int, Result]]:
        """Does the work of each item; yields the number of the item and the result, in the order in which they are finished.

        An exception of a job is raised. After it, after an interrupt, and when the generator is closed, `stop` is set, jobs
        that have not begun are left out, and the others are waited for.

        Parameters
        ----------
        work : callable
            Called in a thread of the pool with an item.
        items : iterable
            Arguments of `work`.
        stop : threading.Event
            Tells a long job to end: `work` may ask ``stop.is_set()``.
        """
        batch = _Batch(work, list(items), stop, queue.SimpleQueue(), threading.Event())
        is_sent = False
        try:
            self._batches.put(batch)
            is_sent = True
            while (entry := _next(batch.results)) is not None:
                number, result, failure = entry
                if failure is not None:
                    raise failure
                yield number, result
        finally:
            stop.set()
            while is_sent and not batch.ended.is_set():
                with contextlib.suppress(queue.Empty):
                    batch.results.get(timeout=_LOOK_INTERVAL)

    def close(self) -> None:
        """Ends the threads, after the jobs that they have begun."""
        self._finalizer()
        self._owner.join()


def _next(results: queue.SimpleQueue[Any]) -> Any:
    # A signal interrupts a wait only in the thread that takes the signal, and only after the wait has begun. Without a
    # timeout, Ctrl-C just before the wait, or taken by another thread, would have no effect until the next job ends.
    while True:
        with contextlib.suppress(queue.Empty):
            return results.get(timeout=_LOOK_INTERVAL)


def _own(batches: queue.SimpleQueue[_Batch | None], count: int) -> None:
    with concurrent.futures.ThreadPoolExecutor(count) as pool:
        for batch in iter(batches.get, None):
            concurrent.futures.wait([pool.submit(_attempt, batch, number) for number in range(len(batch.items))])
            batch.ended.set()
            batch.results.put(None)


def _attempt(batch: _Batch, number: int) -> None:
    if batch.stop.is_set():
        return
    try:
        batch.results.put((number, batch.work(batch.items[number]), None))
    except BaseException as failure:  # raised in the thread of the caller
        batch.results.put((number, None, failure))
