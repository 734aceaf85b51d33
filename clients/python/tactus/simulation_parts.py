"""What a simulation shows of its model and of its state."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

# Values of a body in the state: r, p, v, omega, a, alpha.
_STRIDE = 19
_ENDS = (3, 7, 10, 13, 16)


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
