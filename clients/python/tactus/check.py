"""Types of arguments, checked before anything is sent: an error names the argument, what it is, and what it should be."""

from __future__ import annotations

import operator
import os
import types
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt


# Maximum number of characters of a value that an error shows.
_SHOWN = 200


def wrong(argument: str, value: object, wanted: str) -> TypeError:
    """The error for an argument of a wrong type."""
    if isinstance(value, types.CoroutineType):
        value.close()  # the error says more than the warning that it was never awaited
        return TypeError(f"{argument} is a coroutine that was not awaited: write `await` before the call of {value.__name__}")
    shown = repr(value)
    shown = shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}..."
    return TypeError(f"{argument}={shown} is of type {type(value).__name__}; give {wanted}")


#: The maximum of a count that the native module and the wire hold in 64 and in 32 bits, and the largest hash.
MOST, MOST_32, MOST_HASH = 2**63 - 1, 2**31 - 1, 2**64 - 1


def text(argument: str, value: Any) -> str:
    """The value, if it is valid Unicode text without a NUL."""
    if not isinstance(value, str):
        raise wrong(argument, value, "a text")
    if "\0" in value or not value.isascii() and any("\ud800" <= letter <= "\udfff" for letter in value):
        raise ValueError(f"{argument}={value!r} has a NUL or an unpaired surrogate; give valid Unicode text")
    return value


def count(argument: str, value: Any, most: int = MOST) -> int:
    """The value, if it is a whole number, also one of NumPy; 2.0 is none."""
    if isinstance(value, bool):
        raise wrong(argument, value, "a whole number")
    try:
        whole = operator.index(value)
    except TypeError:
        raise wrong(argument, value, "a whole number") from None
    if abs(whole) > most:
        raise ValueError(f"{argument}={value!r} is too large; the maximum is {most}")
    return whole


def natural(argument: str, value: Any, most: int = 2**32 - 1) -> int:
    """The value, if it is a whole number from 0 to `most`, which is what the wire holds."""
    if not 0 <= count(argument, value, most):
        raise ValueError(f"{argument}={value!r} must not be below zero")
    return operator.index(value)


def path(argument: str, value: Any) -> str:
    """The text of a path; an empty one would be the present folder."""
    if not isinstance(value, (str, os.PathLike)):
        raise wrong(argument, value, "a path")
    if not os.fspath(value):
        raise ValueError(f"{argument} is empty; give a path")
    return os.fspath(value)


def function(argument: str, value: Any) -> None:
    """Refuses what cannot be called, and is not None."""
    if value is not None and not callable(value):
        raise wrong(argument, value, "a function")


def workers(value: Any) -> int:
    """The number of threads, by default one for each core."""
    if value is None:
        return len(os.sched_getaffinity(0))
    if count("workers", value) < 1:
        raise ValueError(f"workers={value!r} must be above zero; None is one thread for each core")
    return count("workers", value)


def number(argument: str, value: Any) -> float:
    """The value, if it is a number, also one of NumPy, True or False."""
    if isinstance(value, (str, bytes)) or not hasattr(value, "__float__"):
        raise wrong(argument, value, "a number")
    try:
        return float(value)
    except TypeError:  # an array of several numbers
        raise wrong(argument, value, "one number") from None
    except OverflowError:
        raise ValueError(f"{argument} is too large for a number of double precision") from None


def array(argument: str, values: Any) -> npt.NDArray[np.float64]:
    """The values as an array, if they are numbers; texts that look like numbers, and None, are none."""
    try:
        found = np.asarray(values)
    except ValueError:  # of NumPy: "inhomogeneous shape"
        raise ValueError(f"{argument} has rows of different lengths") from None
    if found.dtype.kind in "biuf":
        return np.asarray(found, dtype=np.float64)
    if found.dtype.kind == "O" and found.ndim:
        each = [number(f"a value of {argument}", value) for value in found.flat]
        return np.array(each, dtype=np.float64).reshape(found.shape)
    if not found.ndim:
        raise wrong(argument, values, "numbers")
    kind = {"U": "str", "S": "bytes"}.get(found.dtype.kind, found.dtype.name)
    raise TypeError(f"{argument} has values of type {kind}; give numbers")


def numbers(argument: str, values: Any) -> dict[str, float]:
    """The values, if they are a mapping of names to numbers; none is an empty one."""
    if values is None:
        return {}
    if not isinstance(values, Mapping):
        raise wrong(argument, values, "a mapping of names to numbers")
    return {text(f"a name of {argument}", name): number(f"{argument}[{name!r}]", value) for name, value in values.items()}


def by_name(argument: str, values: Any) -> Any:
    """Inputs of one tick: a row of a table, such as a ``pandas.Series`` whose labels are texts, becomes a mapping; all else stays.

    Raises
    ------
    TypeError
        If the value is a whole table.
    ValueError
        If two values of a row have one name.

    Examples
    --------
    >>> by_name("inputs", [1.0, 2.0])
    [1.0, 2.0]
    """
    if isinstance(values, Mapping):
        return values
    if hasattr(type(values), "columns"):  # of a row it may be a label
        raise TypeError(f"{argument} is a whole table of type {type(values).__name__}; give a row of it for one tick: table.iloc[0]")
    labels = getattr(values, "index", None)
    if labels is None or callable(labels):  # that of a list is a method
        return values
    names = list(labels)
    if not names or not all(isinstance(name, str) for name in names):
        return values
    if len(set(names)) != len(names):
        raise ValueError(f"{argument} has two values of one name: {', '.join(names)}; rename one or drop it")
    return dict(zip(names, values))


def several(argument: str, values: Any) -> Iterable[Any]:
    """The values, if they can be iterated and are no text."""
    if isinstance(values, (str, bytes)) or not hasattr(values, "__iter__"):
        raise wrong(argument, values, "a list")
    return values  # type: ignore[no-any-return]


def texts(argument: str, values: Any) -> list[str]:
    """The values as a list, if they are texts, or one text."""
    if isinstance(values, str):
        return [values]
    return [text(f"an entry of {argument}", value) for value in several(argument, values)]
