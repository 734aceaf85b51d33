"""What is opened: awaited, or entered at once by ``async with``."""

from __future__ import annotations

import functools
from collections.abc import Callable, Coroutine, Generator
from types import TracebackType
from typing import TYPE_CHECKING, Any, Generic, Optional, ParamSpec, Protocol, TypeVar


class _Closable(Protocol):
    async def __aexit__(
        self,
        kind: Optional[type[BaseException]],
        value: Optional[BaseException],
        traceback: Optional[TracebackType],
        /,
    ) -> None: ...


P = ParamSpec("P")
T = TypeVar("T", bound=_Closable)


class Awaited:
    """What the objects of `tactus.aio` say where a word of asyncio is missing: ``with``, ``for`` and ``in`` cannot wait."""

    if not TYPE_CHECKING:  # a type checker finds these without them

        def __enter__(self):
            raise TypeError(f"a {type(self).__name__} of tactus.aio is entered by `async with`, not by `with`")

        def __exit__(self, *exception):
            raise AssertionError

        def __iter__(self):
            if hasattr(self, "__aiter__"):
                raise TypeError(f"a {type(self).__name__} of tactus.aio is read by `async for`, not by `for`")
            raise TypeError(f"a {type(self).__name__} cannot be iterated over")

        def __contains__(self, name):
            raise TypeError(f"`in` cannot wait for a {type(self).__name__} of tactus.aio; await one of its methods")


class Opening(Generic[T]):
    """A connection, a session or a stream that is about to be opened.

    ``client = await connect()`` opens it, and somebody closes it; ``async with connect() as client`` closes it at the end of
    the block.
    """

    def __init__(self, coroutine: Coroutine[Any, Any, T], call: str) -> None:
        self._coroutine: Coroutine[Any, Any, T] | None = coroutine
        self._call = call
        self._opened: T | None = None

    def __reduce__(self) -> tuple[object, ...]:
        raise TypeError(f"{self._call}(...) cannot be copied or pickled: await it once, or connect in each process")

    def __repr__(self) -> str:
        return f"<{self._call}(...), not awaited>"

    def _once(self) -> Coroutine[Any, Any, T]:
        if self._coroutine is None:
            raise RuntimeError(f"{self._call}(...) was awaited before: keep the object that it returned then")
        coroutine, self._coroutine = self._coroutine, None
        return coroutine

    def __await__(self) -> Generator[Any, None, T]:
        return self._once().__await__()

    async def __aenter__(self) -> T:
        self._opened = await self._once()
        return self._opened

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        assert self._opened is not None
        await self._opened.__aexit__(kind, value, traceback)

    if not TYPE_CHECKING:  # a type checker finds these without them

        def _refuse(self, kind, what):
            if self._coroutine is not None:
                self._coroutine.close()  # without a second warning that it was never awaited
            raise kind(f"{self._call}(...) {what}: write `async with {self._call}(...) as x`, or `x = await {self._call}(...)`")

        def __getattr__(self, name):
            if name.startswith("_"):
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            self._refuse(AttributeError, f"is not opened yet and has no {name}")

        def __enter__(self):
            self._refuse(TypeError, "is not entered by `with`")

        def __exit__(self, *exception):
            raise AssertionError

        def __iter__(self):
            self._refuse(TypeError, "is not opened yet and cannot be iterated over")

        __aiter__ = __iter__


class Sent(int):
    """The sequence number of an input. `await` returns it at once: sending does not wait.

    Examples
    --------
    >>> Sent(3) + 1
    4
    """

    def __await__(self) -> Generator[Any, None, int]:
        return int(self)
        yield


class Done:
    """The result of a call that does not wait. `await` returns at once."""

    def __await__(self) -> Generator[Any, None, None]:
        return
        yield


def opening(function: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, Opening[T]]:
    """Makes a coroutine function one whose result may be awaited, or entered by ``async with``."""

    @functools.wraps(function)
    def begin(*arguments: P.args, **named: P.kwargs) -> Opening[T]:
        return Opening(function(*arguments, **named), function.__name__)

    return begin
