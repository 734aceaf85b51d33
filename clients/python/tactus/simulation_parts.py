"""What a simulation shows of its model and of its state."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tactus import check
from tactus.errors import RequestInvalid

# Values of a body in the state: r, p, v, omega, a, alpha.
_STRIDE = 19
_ENDS = (3, 7, 10, 13, 16)
# Arguments of a simulation that are no settings.
_ARGUMENTS = ("period", "initial_condition", "parameters", "threads")


class Signal(NamedTuple):
    """An entry of the directory of signals: SI unit, frame of reference, and the range of an input."""

    name: str
    unit: str
    frame: str
    is_input: bool
    description: str
    minimum: float
    maximum: float


class Body(NamedTuple):
    """Views of the state of a body. They show every later tick.

    Attributes
    ----------
    r : numpy.ndarray, shape (3,)
        Position of the center of mass, world frame, m.
    p : numpy.ndarray, shape (4,)
        Euler parameters, scalar first.
    v, a : numpy.ndarray, shape (3,)
        Velocity, m/s, and acceleration, m/s^2, world frame.
    omega, alpha : numpy.ndarray, shape (3,)
        Angular velocity, rad/s, and angular acceleration, rad/s^2, body frame.
    """

    r: npt.NDArray[np.float64]
    p: npt.NDArray[np.float64]
    v: npt.NDArray[np.float64]
    omega: npt.NDArray[np.float64]
    a: npt.NDArray[np.float64]
    alpha: npt.NDArray[np.float64]


def body_of(state: npt.NDArray[np.float64], index: int) -> Body:
    """Views of a body, from 0, in the values of a state."""
    r, p, v, omega, a, alpha = np.split(state[_STRIDE * index : _STRIDE * (index + 1)], _ENDS)
    return Body(r, p, v, omega, a, alpha)


def setting_values(settings: Mapping[str, float], known: Iterable[str]) -> list[tuple[str, float]]:
    """The settings of the solver by name, as numbers. An unknown name is refused whatever its value is.

    Raises
    ------
    RequestInvalid
        Names the nearest argument of a simulation.

    Examples
    --------
    >>> setting_values({"iterations": 3, "full_newton": True}, ["iterations", "full_newton"])
    [('iterations', 3.0), ('full_newton', 1.0)]
    """
    names = [*known]
    for name in settings:
        if name in names:
            continue
        near = [other for other in (*names, *_ARGUMENTS) if other.startswith(name)]
        near = near or difflib.get_close_matches(name, (*names, *_ARGUMENTS), n=1)
        raise RequestInvalid(f"there is no argument and no solver setting '{name}'", "INVALID_ARGUMENT", "REQUEST_INVALID", name,
                             f"did you mean '{near[0]}'?" if near else "`tactus integrators` lists the settings at ali3p")
    return list(check.numbers("settings", settings).items())
