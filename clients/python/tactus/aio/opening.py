"""What is opened: awaited, or entered at once by ``async with``."""

from __future__ import annotations

import functools
from collections.abc import Callable, Coroutine, Generator
from types import TracebackType
from typing import Any, Generic, Optional, ParamSpec, Protocol, TypeVar


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


class Opening(Generic[T]):
    """A connection, a session or a stream that is about to be opened.

    ``client = await connect()`` opens it, and somebody closes it; ``async with connect() as client`` closes it at the end of
    the block.
    """

    def __init__(self, coroutine: Coroutine[Any, Any, T]) -> None:
        self._coroutine = coroutine
        self._opened: T | None = None

    def __await__(self) -> Generator[Any, None, T]:
        return self._coroutine.__await__()

    async def __aenter__(self) -> T:
        self._opened = await self._coroutine
        return self._opened

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        assert self._opened is not None
        await self._opened.__aexit__(kind, value, traceback)


def opening(function: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, Opening[T]]:
    """Makes a coroutine function one whose result may be awaited, or entered by ``async with``."""

    @functools.wraps(function)
    def begin(*arguments: P.args, **named: P.kwargs) -> Opening[T]:
        return Opening(function(*arguments, **named))

    return begin
