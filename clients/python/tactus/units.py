"""Durations, periods and frequencies as people write them, in the grammar of ``proto/text/duration.h``.

A number is written in decimal notation, at most 18 significant digits, without a sign. Its unit follows without a
blank: ns, us, ms, s, min or h for a duration, Hz, kHz or MHz for a frequency.
"""

from __future__ import annotations

import datetime
import math
import re
from fractions import Fraction
from typing import Any, Union

import numpy as np

#: A duration: ``"1ms"``, a ``timedelta``, or a float, in seconds. No ``int``: its unit would be unclear.
Duration = Union[str, float, datetime.timedelta]

_DURATIONS = {"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9, "min": 60 * 10**9, "h": 3_600 * 10**9}
_HERTZ = {"Hz": 1, "kHz": 10**3, "MHz": 10**6}
_QUANTITY = re.compile(r"((?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]{1,3})?)([A-Za-z]+)")
_MAX_DIGITS = 18
_LONGEST = 2**63 - 1


def duration(value: Duration) -> int:
    """Whole nanoseconds of a duration.

    Parameters
    ----------
    value : str, timedelta or float
        ``"250us"``, ``"1ms"``, ``"0.5s"``, ``"2min"``, a ``datetime.timedelta``, or a float, in seconds. No ``int``: its
        unit is open.

    Returns
    -------
    int
        Nanoseconds, rounded to the nearest whole number.

    Raises
    ------
    TypeError
        If the value is none of these, such as an ``int``.
    ValueError
        If a text is not a duration, or the duration is not above zero.

    Examples
    --------
    >>> from tactus import units
    >>> units.duration("1ms"), units.duration(0.5)
    (1000000, 500000000)
    """
    if isinstance(value, str):
        number, unit = _split(value)
        if unit not in _DURATIONS:
            raise ValueError(
                f"{value!r} is not a duration; write a number and a unit ({', '.join(_DURATIONS)}), for example 10s"
            )
        return _rounded(number * _DURATIONS[unit], value)
    exact = _exact_seconds(value, '"%sms"')
    return _rounded(exact * 10**9, value)


def seconds(argument: str, value: Duration) -> float:
    """Seconds of a duration that may be zero or without end: how long a call may take.

    Parameters
    ----------
    argument : str
        Name of the argument, for the error.
    value : str, timedelta or number
        As for `duration`; an ``int`` is in seconds, too, as for every ``timeout`` of Python.

    Raises
    ------
    TypeError
        If the value is none of these.
    ValueError
        If a text is not a duration, or the duration is below zero.

    Examples
    --------
    >>> from tactus import units
    >>> units.seconds("timeout", "250ms")
    0.25
    """
    if type(value) is float and 0 <= value:  # by far the most frequent; it may be infinite
        return value
    try:
        if isinstance(value, str):
            return duration(value) / 10**9
        if isinstance(value, int) and not isinstance(value, bool):
            exact = Fraction(value)
        else:
            exact = _exact_seconds(value, '"%ss"')
    except (TypeError, ValueError) as error:
        raise type(error)(f"{argument}: {error}") from None
    if exact < 0:
        raise ValueError(f"{argument}={value!r} is below zero")
    try:
        return float(exact)
    except OverflowError:
        raise ValueError(f"{argument} is too large for a number of seconds") from None


def period(value: Duration) -> int:
    """Whole nanoseconds of a period.

    Parameters
    ----------
    value : str, timedelta or float
        A duration (``"1ms"``), a frequency (``"500Hz"``, ``"1kHz"``), a ``datetime.timedelta``, or a float, in seconds. No
        ``int``: its unit would be unclear.

    Returns
    -------
    int
        Nanoseconds. Only a number of seconds is rounded.

    Raises
    ------
    TypeError
        If the value is none of these, such as an ``int``.
    ValueError
        If a text is neither a duration nor a frequency, if the period is not above zero, or if it is not a whole number
        of nanoseconds: ticks would drift from the wall clock.

    Examples
    --------
    >>> from tactus import units
    >>> units.period("500Hz"), units.period("1ms")
    (2000000, 1000000)
    """
    if not isinstance(value, str):
        return duration(value)
    number, unit = _split(value)
    if unit in _DURATIONS:
        exact = number * _DURATIONS[unit]
    elif unit in _HERTZ:
        if number == 0:
            raise ValueError(f"{value!r}: a frequency must be above zero")
        exact = Fraction(10**9) / (number * _HERTZ[unit])
    else:
        raise ValueError(
            f"{value!r} is not a period; write a duration ({', '.join(_DURATIONS)}) or a frequency "
            f"({', '.join(_HERTZ)}), for example 1ms or 500Hz"
        )
    nanoseconds = _rounded(exact, value)
    if nanoseconds != exact:
        raise ValueError(f"{value!r} is not a whole number of nanoseconds; the nearest period is {nanoseconds}ns")
    return nanoseconds


def frequency(value: str | float) -> float:
    """Hertz of a frequency.

    Parameters
    ----------
    value : str or float
        ``"60Hz"``, ``"0.5Hz"``, ``"2kHz"``, or a number of hertz.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If a text is not a frequency, or the frequency is not above zero.

    Examples
    --------
    >>> from tactus import units
    >>> units.frequency("2kHz")
    2000.0
    """
    try:
        if isinstance(value, str):
            exact, unit = _split(value)
            number = float(exact)
        else:
            number, unit = float(value), "Hz"
    except OverflowError:
        raise ValueError("the frequency is too large for a number") from None
    if unit not in _HERTZ:
        raise ValueError(
            f"{value!r} is not a frequency; write a number and a unit ({', '.join(_HERTZ)}), for example 60Hz"
        )
    hertz = number * _HERTZ[unit]
    if not 0 < hertz < math.inf:
        raise ValueError(f"{value!r}: a frequency must be above zero")
    return hertz


def _exact_seconds(value: Any, hint: str) -> Fraction:
    """The seconds of a ``timedelta`` or of a float, exactly. The hint has a place for a number."""
    if isinstance(value, datetime.timedelta):
        nanoseconds = getattr(value, "nanoseconds", 0)  # of a pandas.Timedelta, below whole microseconds
        return Fraction(value // datetime.timedelta(microseconds=1), 10**6) + Fraction(nanoseconds, 10**9)
    if isinstance(value, int) and not isinstance(value, bool):
        raise TypeError(f"{value!r} has no unit; write {hint % value}, or {value}.0 for seconds")
    if not hasattr(value, "__float__") or isinstance(value, (bool, np.integer, np.ndarray)):
        kind = type(value).__name__
        raise TypeError(f'{value!r} is no duration but of type {kind}; write "1ms", a timedelta, or a float of seconds')
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(f"{value!r} is not a finite number of seconds")
    return Fraction(number)


def _split(text: str) -> tuple[Fraction, str]:
    """The number, exactly, and the unit of a text; the unit is empty if the text is not a number with a unit."""
    found = _QUANTITY.fullmatch(text)
    if not found:
        return Fraction(0), ""
    digits = re.split("[eE]", found[1])[0].replace(".", "").lstrip("0")
    return (Fraction(found[1]), found[2]) if len(digits) <= _MAX_DIGITS else (Fraction(0), "")


def _rounded(exact: Fraction, value: object) -> int:
    """The nearest whole number, half up."""
    nanoseconds = math.floor(2 * exact + 1) // 2
    if nanoseconds < 1:
        raise ValueError(f"{value!r} is too short; the shortest duration is 1ns")
    if nanoseconds > _LONGEST:
        raise ValueError(f"{value!r} is too long; the longest duration is 292 years")
    return nanoseconds
