"""Analyses of a state of a `Simulation` or of a `Session`: linear systems, modes, frequency response, equilibrium, trim."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tactus import check
from tactus.private_file import draft_of, private_file

if TYPE_CHECKING:
    from tactus._native import EquilibriumPoint, LinearPoint, SavedState, TrimPoint
    from tactus.session_analysis import RemotePoint

# Largest rate of a state at an equilibrium, as `tactus analyse` has it: a ten thousandth of gravity.
_AT_REST = 1e-3


class Mode(NamedTuple):
    """A mode of a linear system.

    Attributes
    ----------
    kind : str
        ``"oscillation"``, ``"growing oscillation"``, ``"decay"``, ``"growth"`` or ``"rigid motion"``.
    eigenvalue : complex
        1/s
    omega : float
        Undamped angular frequency, rad/s.
    damping : float
        Damping ratio; below zero: the mode grows.
    shape : numpy.ndarray, shape (6 * bodies,), complex128
        Motion of each body: translation, m, and rotation, rad, on world axes. The largest value is 1.
    state : numpy.ndarray, shape (states,), complex128
        The eigenvector in the states of the system, on the scale of the shape.

    Examples
    --------
    >>> import tactus
    >>> simulation = tactus.Simulation("motor_four_bar")
    >>> simulation.restore(simulation.equilibrium().saved)
    >>> [mode.kind for mode in simulation.linearize().modes()]
    ['oscillation']
    """

    kind: str
    eigenvalue: complex
    omega: float
    damping: float
    shape: npt.NDArray[np.complex128]
    state: npt.NDArray[np.complex128]

    @property
    def frequency(self) -> float:
        """float : undamped, Hz."""
        return self.omega / (2 * np.pi)


class LinearSystem:
    """The linear system about a state: ``dx/dt = rate + A dx + B du``, ``dy = C dx + D du``.

    The same numbers as ``tactus analyse linearize``. `Simulation.linearize` and `Session.linearize` make it. It can be pickled.

    Attributes
    ----------
    A, B, C, D : numpy.ndarray, float64
        Of shape (states, states), (states, inputs), (outputs, states), (outputs, inputs).
    states, inputs, outputs : list of str
        Names. A state is called as the signal that it equals.
    units : dict of str to str
        Unit of each state and output.
    state, rate : numpy.ndarray, shape (states,)
        The point of linearization and its rate.
    output : numpy.ndarray, shape (outputs,)
        Outputs at the point.
    coordinates : int
        Length of the first part of the states, the independent coordinates; their rates follow.
    tick : int
        The tick after which the state is.
    state_hash : str
        Hash over everything that decides the next tick.

    Examples
    --------
    >>> import tactus
    >>> system = tactus.Simulation("spatial_pendulum").linearize(outputs=["energy.total"])
    >>> system.A.shape == (len(system.states), len(system.states))
    True
    """

    def __init__(self, native: LinearPoint | RemotePoint) -> None:
        self._native = native
        self.A, self.B, self.C, self.D = native.A, native.B, native.C, native.D
        self.states = [name for name, _ in native.states]
        self.inputs, self.outputs = native.inputs, native.outputs
        self.units = dict(native.states) | dict(zip(native.outputs, native.output_units))
        self.state, self.rate, self.output = native.state, native.rate, native.output
        self.coordinates = native.coordinates
        self.tick, self.state_hash = native.tick, native.state_hash

    def __repr__(self) -> str:
        return f"<LinearSystem: {len(self.states)} states, {len(self.inputs)} inputs, {len(self.outputs)} outputs>"

    @property
    def is_equilibrium(self) -> bool:
        """bool : whether the point is an equilibrium or a steady motion, so that modes and responses tell of it."""
        return self._native.unrest <= _AT_REST

    def modes(self) -> list[Mode]:
        """The modes, the slowest first.

        Examples
        --------
        >>> import tactus
        >>> modes = tactus.Simulation("cantilever:n=8").linearize().modes()
        >>> modes[0].kind, modes[0].frequency < modes[-1].frequency
        ('oscillation', True)
        """
        return [Mode(*entry) for entry in self._native.modes()]

    def response(self, frequencies: npt.ArrayLike) -> npt.NDArray[np.complex128]:
        """The frequency response.

        Parameters
        ----------
        frequencies : array_like, shape (n,)
            Hz

        Returns
        -------
        numpy.ndarray, shape (n, outputs, inputs), complex128
            In units of output over input. Not finite where a frequency is an undamped eigenvalue.

        Examples
        --------
        >>> import tactus
        >>> system = tactus.Simulation("motor_four_bar").linearize(outputs=["crank_angle"])
        >>> system.response([0.1, 1.0, 10.0]).shape
        (3, 1, 1)
        """
        values = check.array("frequencies", frequencies)
        if values.ndim != 1 or not np.isfinite(values).all():
            raise ValueError(f"frequencies = {frequencies!r}: give a list of finite numbers, Hz")
        return self._native.response((2 * np.pi * values).tolist())

    def to_mat(self, path: str | os.PathLike[str]) -> None:
        """Writes a ``.mat`` file of MATLAB (version 5) with A, B, C, D, names and the point. Needs scipy.

        If that fails, a file that was there stays as it is.

        Examples
        --------
        >>> import scipy.io, tactus, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     tactus.Simulation("motor_four_bar").linearize().to_mat(f"{folder}/system.mat")
        ...     scipy.io.loadmat(f"{folder}/system.mat")["A"].shape
        (2, 2)
        """
        import scipy.io

        names = {word: np.array(values, dtype=object)
                 for word, values in (("states", self.states), ("inputs", self.inputs), ("outputs", self.outputs))}
        content = {"A": self.A, "B": self.B, "C": self.C, "D": self.D, "state": self.state, "rate": self.rate,
                   "output": self.output, **names}
        with draft_of(path) as draft:
            scipy.io.savemat(os.fspath(private_file(draft)), content, appendmat=False, format="5")

    def to_scipy(self) -> Any:
        """The system as a ``scipy.signal.StateSpace``.

        Examples
        --------
        >>> import tactus
        >>> tactus.Simulation("motor_four_bar").linearize(outputs=["crank_angle"]).to_scipy().A.shape
        (2, 2)
        """
        import scipy.signal

        return scipy.signal.StateSpace(self.A, self.B, self.C, self.D)

    def to_control(self) -> Any:
        """The system as a ``control.StateSpace`` with names.

        Raises
        ------
        ImportError
            If the package python-control is not installed.
        """
        import control

        return control.ss(self.A, self.B, self.C, self.D, states=self.states, inputs=self.inputs, outputs=self.outputs)


class Pose(NamedTuple):
    """The rank of the constraints in a pose.

    Attributes
    ----------
    rows : int
        Constraint rows of the mechanism, those of drives included.
    rank : int
        Of the Jacobian; ``rows - rank`` rows are redundant, and their reactions one of many solutions.
    freedoms : int
        Free motions that are left.
    singular : bool
        Whether the rows have lost rank here, or so near that free motions have lost their digits.
    margin : float
        Smallest singular value that is not zero over the largest; the rows have units of m and rad. Along a path it falls
        towards a singular pose.

    Examples
    --------
    >>> import tactus
    >>> simulation = tactus.Simulation("motor_four_bar")
    >>> pose = simulation.pose()
    >>> pose.rows, pose.rank, pose.freedoms, pose.singular
    (20, 17, 1, False)
    """

    rows: int
    rank: int
    freedoms: int
    singular: bool
    margin: float


class Equilibrium(NamedTuple):
    """A pose at rest under all loads. ``simulation.restore(equilibrium.saved)`` goes there.

    Attributes
    ----------
    saved : SavedState
        The simulation of the search, moved to the pose.
    residual : float
        Largest force that is not balanced, over the largest load.
    violation : float
        Of the constraints, m.
    freedoms, redundant_rows : int
        Free motions; rows of the constraints that repeat others.
    indifferent, unstable : int
        Free motions without stiffness, which keep their place; directions in which the loads pull away.
    singular : bool
        Whether the constraints lose rank here: neither stability nor reactions are determined.

    Examples
    --------
    >>> import tactus
    >>> simulation = tactus.Simulation("motor_four_bar")
    >>> simulation.restore(simulation.equilibrium().saved)
    >>> before = simulation["crank_angle"]
    >>> simulation.step(1000)
    >>> bool(abs(simulation["crank_angle"] - before) < 1e-6)
    True
    """

    saved: SavedState
    residual: float
    violation: float
    freedoms: int
    redundant_rows: int
    indifferent: int
    unstable: int
    singular: bool


class Trim(NamedTuple):
    """Inputs and a state at which signals have given values. ``simulation.restore(trim.saved)`` goes there.

    Attributes
    ----------
    saved : SavedState
        The simulation of the search, moved to the state, with the inputs.
    inputs : dict of str to float
        Value of each actuator.
    out_of_range : tuple of str
        Actuators that the solution drives beyond their limits.
    residual : float
        Largest remainder, in its own units.
    iterations : int
    turning : tuple of float
        Rate at which the whole mechanism turns, rad/s, world axes; zero but in a steady turn.

    Examples
    --------
    >>> import tactus
    >>> trim = tactus.Simulation("motor_four_bar").trim({"crank_angle": 0.0}, free=["motor"])
    >>> sorted(trim.inputs)
    ['motor']
    """

    saved: SavedState
    inputs: dict[str, float]
    out_of_range: tuple[str, ...]
    residual: float
    iterations: int
    turning: tuple[float, float, float] = (0.0, 0.0, 0.0)


def equilibrium_of(point: EquilibriumPoint) -> Equilibrium:
    """The result of the native module."""
    return Equilibrium(*(getattr(point, name) for name in Equilibrium._fields))


def trim_of(point: TrimPoint, actuators: Sequence[str]) -> Trim:
    """The result of the native module."""
    x, y, z = point.turning
    return Trim(point.saved, dict(zip(actuators, point.inputs)), tuple(point.out_of_range), point.residual,
                point.iterations, (x, y, z))
