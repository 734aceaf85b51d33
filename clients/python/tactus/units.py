"""Durations with units, in the grammar of the program ``tactus``."""

import re

_NANOSECONDS = {"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9, "min": 60 * 10**9, "h": 3_600 * 10**9}
_HERTZ = {"Hz": 1, "kHz": 1_000, "MHz": 1_000_000}


def nanoseconds(duration):
    """Converts a duration to whole nanoseconds.

    Parameters
    ----------
    duration : str or float
        A text with a unit (ns, us, ms, s, min, h, Hz, kHz, MHz), such as ``"1ms"``, ``"0.5s"`` or ``"500Hz"`` for its
        period; or a number of seconds.

    Returns
    -------
    int
        Above zero.

    Raises
    ------
    ValueError
        If a text has no unit, or if the duration is not above zero.
    """
    if isinstance(duration, str):
        found = re.fullmatch(r"\s*([0-9.]+(?:[eE][-+]?[0-9]+)?)\s*([A-Za-z]+)\s*", duration)
        if not found or found[2] not in _NANOSECONDS | _HERTZ:
            raise ValueError(f"{duration!r} is not a duration with a unit; write 250us, 1ms, 2s or 500Hz")
        value = float(found[1])
        if found[2] in _HERTZ:
            result = round(1e9 / (value * _HERTZ[found[2]])) if value > 0 else 0
        else:
            result = round(value * _NANOSECONDS[found[2]])
    else:
        result = round(float(duration) * 1e9)
    if result <= 0:
        raise ValueError(f"{duration!r} must be above zero, at least 1ns")
    return result


def seconds(duration):
    """Converts a duration to seconds. Arguments and errors as for `nanoseconds`."""
    return nanoseconds(duration) * 1e-9
