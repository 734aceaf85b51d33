"""Inputs of a block of ticks: one row for each tick."""

from __future__ import annotations

import datetime
import operator
from collections.abc import Mapping, Sequence
from typing import Union

import numpy as np
import numpy.typing as npt

from tactus import check, units

#: A number of ticks, or a duration: ``"2s"``, a ``timedelta``.
Ticks = Union[int, str, datetime.timedelta]
#: One row for each tick; or a column, or a constant, for each of some actuators; or none to hold the inputs. A table with
#: named columns, such as a ``pandas.DataFrame``, counts as a mapping.
Rows = Union[npt.ArrayLike, Mapping[str, npt.ArrayLike], None]

_MOST_TICKS = 2**63 - 1  # a tick has 63 bits


def tick_count(ticks: Ticks, period_ns: int) -> int:
    """The number of ticks of a block.

    Parameters
    ----------
    ticks : int, str or timedelta
        A number of ticks, or a duration: ``"2s"``.
    period_ns : int
        Period of a tick, ns.

    Raises
    ------
    TypeError
        If the value is none of these, such as a float, which could be either.
    ValueError
        If the number is not above zero or has more than 63 bits, or the duration is not a whole number of ticks.
    """
    if isinstance(ticks, (str, datetime.timedelta)):
        count, rest = divmod(units.duration(ticks), period_ns)
        if rest:
            raise ValueError(f"ticks={ticks!r} is not a whole number of ticks of {period_ns} ns")
        return count
    wanted = 'a whole number of ticks, or a duration such as "2s"'
    if isinstance(ticks, (bool, np.bool_)):
        raise check.wrong("ticks", ticks, wanted)
    try:
        whole = operator.index(ticks)
    except TypeError:
        raise check.wrong("ticks", ticks, wanted) from None
    if whole < 1:
        raise ValueError(f"ticks={ticks!r} must be above zero")
    if whole > _MOST_TICKS:
        raise ValueError(f"ticks={ticks!r} must be at most {_MOST_TICKS}")
    return whole


def input_rows(
    ticks: int, inputs: Rows, actuators: Sequence[str]
) -> tuple[list[str], npt.NDArray[np.float64]]:
    """Names of the driven actuators, and their values at each tick.

    Parameters
    ----------
    ticks : int
        Number of ticks.
    inputs : array_like or mapping, optional
        An array of shape (ticks, number of actuators); with one actuator also (ticks,). Or a mapping of names of
        actuators to a value, or to an array of shape (ticks,). Or a table whose columns have the names of actuators, in
        any order, such as a ``pandas.DataFrame``. Default: no actuator is driven.
    actuators : sequence of str
        All actuators, in the order of the model.

    Returns
    -------
    names : list of str
    rows : numpy.ndarray, shape (ticks, len(names)), float64

    Raises
    ------
    TypeError
        If a name is no text, or a value is no number.
    ValueError
        If the shape is wrong.
    """
    if inputs is None:
        return [], np.empty((ticks, 0))
    if callable(inputs):
        raise TypeError("inputs is a function, which only Simulation.run accepts; in a session, send the inputs of each tick "
                        "through a stream: session.tick(...).step(...)")
    named = columns_by_name(inputs)
    if named is not None:
        unknown = [name for name in named if name not in actuators]
        if unknown:
            raise ValueError(f"inputs has columns that are no actuators: {', '.join(unknown)}; the actuators are "
                             f"{', '.join(actuators) or 'none'}. Drop the columns or rename them, or give an array")
        inputs = named
    if isinstance(inputs, Mapping):
        names = list(inputs)
        rows = np.empty((ticks, len(names)))
        for i, (name, column) in enumerate(inputs.items()):
            values = check.array(f"inputs[{check.text('a name of inputs', name)!r}]", column)
            if values.shape not in ((), (ticks,)):
                raise ValueError(f"inputs[{name!r}] has the shape {values.shape}; give one value, or {ticks} values")
            rows[:, i] = values
        return names, rows
    table = check.array("inputs", inputs)
    if table.ndim == 1 and len(actuators) == 1:
        table = table[:, np.newaxis]
    if table.shape != (ticks, len(actuators)):
        raise ValueError(
            f"inputs has the shape {np.shape(inputs)}; give one row for each of {ticks} ticks and one column for each "
            f"of {len(actuators)} actuators ({', '.join(actuators)}), or a mapping of names"
        )
    return list(actuators), np.ascontiguousarray(table)


def columns_by_name(table: object) -> dict[str, npt.NDArray[np.float64]] | None:
    """The columns of a table with named columns, such as a ``pandas.DataFrame``; none for anything else.

    Raises
    ------
    ValueError
        If two columns have one name.

    Examples
    --------
    >>> columns_by_name([[1.0, 2.0]]) is None
    True
    """
    names = [] if isinstance(table, Mapping) else list(getattr(table, "columns", ()))
    if not names or not all(isinstance(name, str) for name in names):
        return None
    if len(set(names)) != len(names):
        raise ValueError(f"inputs has two columns of one name: {', '.join(names)}; rename one or drop it")
    return {name: check.array(f"inputs[{name!r}]", table[name]) for name in names}  # type: ignore[index]
