"""Metrics of a run: one number from the values of an expression over time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from tactus.expression import Expression

Array = npt.NDArray[np.float64]


def _settling(time: Array, values: Array, options: Mapping[str, float]) -> float:
    """Time, s, after which the values stay within `band` of `to`, by default the last value; NaN if they never do."""
    outside = ~(np.abs(values - options.get("to", values[-1])) <= options["band"])  # NaN is outside
    if outside[-1]:
        return float("nan")
    last = np.flatnonzero(outside)
    return float(time[last[-1] + 1]) if len(last) else float(time[0])


def _crossing(time: Array, values: Array, options: Mapping[str, float]) -> float:
    """First time, s, at which the values cross `level`, on a straight line between two rows.

    NaN if they never do, or if rows without a value lie between both sides of the level.
    """
    above = values - options["level"]
    known = np.flatnonzero(~np.isnan(above))
    cross = np.flatnonzero(np.diff(above[known] < 0))
    if not len(cross):
        return float("nan")
    k = known[cross[0]]
    if known[cross[0] + 1] != k + 1:
        return float("nan")
    return float(time[k] + (time[k + 1] - time[k]) * above[k] / (above[k] - above[k + 1]))


def _mean(time: Array, values: Array) -> float:
    """The mean over time: that of the rows where they are evenly spaced, else the integral by trapezoids over its length."""
    steps = np.diff(time)
    # Each time is a product, or a sum, that is rounded a few times.
    if len(steps) < 2 or np.ptp(steps) <= 16 * np.spacing(np.abs(time).max()):
        return float(values.mean())
    return float(np.sum(steps * (values[1:] + values[:-1])) / (2 * (time[-1] - time[0])))


_KINDS: dict[str, tuple[Callable[[Array, Array, Mapping[str, float]], float], set[str], set[str]]] = {
    "min": (lambda t, y, o: float(y.min()), set(), set()),
    "max": (lambda t, y, o: float(y.max()), set(), set()),
    "mean": (lambda t, y, o: _mean(t, y), set(), set()),
    "rms": (lambda t, y, o: float(np.sqrt(_mean(t, y**2))), set(), set()),
    "final": (lambda t, y, o: float(y[-1]), set(), set()),
    "settling": (_settling, {"band"}, {"to"}),
    "crossing": (_crossing, {"level"}, set()),
}


class Metric:
    """A metric of a plan.

    Parameters
    ----------
    entry : dict
        One of ``min``, ``max``, ``mean``, ``rms``, ``final``, ``settling`` (with ``band``, and ``to``) and ``crossing``
        (with ``level``), with an expression over signals and ``t``: ``{"settling": "crank_rate", "band": 0.1}``. ``mean``
        and ``rms`` are over time: rows that are not evenly spaced count by the time between them (trapezoids).

    Raises
    ------
    ValueError

    Examples
    --------
    >>> import numpy as np
    >>> time = np.array([0.0, 1.0, 2.0])
    >>> Metric({"crossing": "2 * x", "level": 3})(time, {"x": time})
    1.5
    """

    def __init__(self, entry: Any) -> None:
        kinds = [kind for kind in _KINDS if isinstance(entry, dict) and kind in entry]
        if len(kinds) != 1:
            raise ValueError(f"{entry!r} must have one of {', '.join(_KINDS)}")
        self._run, required, optional = _KINDS[kinds[0]]
        options = {key: value for key, value in entry.items() if key != kinds[0]}
        if not required <= set(options) <= required | optional:
            raise ValueError(f"{kinds[0]} takes {', '.join(sorted(required | optional)) or 'no options'}, not "
                             f"{', '.join(options) or 'none'}")
        if not all(type(value) in (int, float) and np.isfinite(value) for value in options.values()):
            raise ValueError(f"{entry!r}: the options are finite numbers")
        if options.get("band", 0) < 0:
            raise ValueError(f"band = {options['band']!r}: write at least 0")
        self.options: dict[str, float] = options
        self.expression = Expression(str(entry[kinds[0]]))

    def __call__(self, time: Array, columns: Mapping[str, Array]) -> float:
        """The metric of rows at times, s; NaN without rows."""
        if not len(time):
            return float("nan")
        values = np.broadcast_to(np.asarray(self.expression({**columns, "t": time}), dtype=np.float64), time.shape)
        with np.errstate(all="ignore"):  # NaN and infinity give NaN
            return self._run(time, values, self.options)
