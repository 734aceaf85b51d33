"""The reference methods in this process: integrators that may adapt their steps, for results to compare with."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tactus import check, units
from tactus.errors import SessionFaulted
from tactus.input_rows import input_rows
from tactus.model_text import model_words


class Trajectory(NamedTuple):
    """The result of `offline`.

    Attributes
    ----------
    names : tuple of str
        Signals, in the order of the columns of `values`.
    time : numpy.ndarray, shape (rows,)
        s, the start first. A method that chooses its steps gives rows at its own times.
    values : numpy.ndarray, shape (rows, signals)
        SI units.
    units : dict of str to str
    figures : dict of str to float
        Steps, drift of the energy, J, and largest violations of the constraints, of the run.

    Examples
    --------
    >>> import tactus
    >>> run = tactus.offline("double_pendulum", integrator="ali3p", until="0.1s", outputs=["energy.total"])
    >>> len(run.time), run.column("energy.total").shape
    (101, (101,))
    """

    names: tuple[str, ...]
    time: npt.NDArray[np.float64]
    values: npt.NDArray[np.float64]
    units: dict[str, str]
    figures: dict[str, float]

    def column(self, name: str) -> npt.NDArray[np.float64]:
        """The values of a signal, shape (rows,).

        Raises
        ------
        KeyError

        Examples
        --------
        >>> run = tactus.offline("four_bar", integrator="newmark-tangent", until="0.1s", outputs=["energy.*"])
        >>> energy = run.column("energy.total")
        >>> bool(np.ptp(energy) < 1e-3 * abs(energy).max())
        True
        """
        if name not in self.names:
            raise KeyError(f"{name!r} is not among the outputs {', '.join(self.names)}")
        return self.values[:, self.names.index(name)]


def integrators() -> list[str]:
    """The names of all methods. ``tactus integrators`` tells of each and of its settings.

    Examples
    --------
    >>> import tactus
    >>> "newmark-tangent" in tactus.integrators()
    True
    """
    from tactus import _native

    return _native.integrators()


def offline(
    model: str | os.PathLike[str] | Mapping[str, Any],
    *,
    integrator: str,
    until: units.Duration,
    step: units.Duration = "1ms",
    inputs: npt.ArrayLike | Mapping[str, npt.ArrayLike] | None = None,
    outputs: str | Iterable[str] = ("*",),
    every: int = 1,
    parameters: Mapping[str, float] | None = None,
    initial_condition: str = "",
    **settings: float | bool | str,
) -> Trajectory:
    """Runs a method of ``tactus run --integrator`` in this process. Ctrl-C ends it, also within a step.

    Parameters
    ----------
    model : str, os.PathLike or dict
        As for `Simulation`.
    integrator : str
        See `integrators`.
    until, step : str, timedelta or float
        Durations: ``"2s"``, or seconds as a float. Methods that choose their steps take `step` as an upper bound.
    inputs : array_like or mapping, optional
        As for `Simulation.run`, with a row for each step. Default: the initial values of the actuators.
    outputs : iterable of str
        Names or globs of signals. Default: all.
    every : int
        Steps between two rows; the first and the last row are always there.
    parameters : dict of str to float, optional
    initial_condition : str
        Default: the initial state that the bodies declare.
    **settings
        Of the method, as ``tactus integrators`` names them.

    Returns
    -------
    Trajectory

    Raises
    ------
    ModelInvalid, ParameterUnknown, SignalUnknown, ValueOutOfRange, NotFinite, RequestInvalid
    SessionFaulted
        If a step of the method failed; the text says when, where and why. ``error.trajectory`` has the rows before.

    Examples
    --------
    >>> import tactus
    >>> run = tactus.offline("double_pendulum", integrator="ali3p", until="0.1s", outputs=["energy.total"])
    >>> run.values.shape
    (101, 1)
    """
    return run_method(model, integrator, units.duration(until), units.duration(step), inputs, outputs, every, parameters,
                      initial_condition, settings)


def run_method(
    model: str | os.PathLike[str] | Mapping[str, Any],
    integrator: str,
    until_ns: int,
    step_ns: int,
    inputs: npt.ArrayLike | Mapping[str, npt.ArrayLike] | None,
    outputs: str | Iterable[str],
    every: int,
    parameters: Mapping[str, float] | None = None,
    initial_condition: str = "",
    settings: Mapping[str, float | bool | str] | None = None,
    look: Callable[[], None] | None = None,
) -> Trajectory:
    """As `offline`, with durations in ns. `look` is called repeatedly; an exception that it raises ends the run, also within a step.

    Examples
    --------
    >>> run_method("double_pendulum", "ali3p", 2_000_000, 1_000_000, None, "energy.total", 1).time.tolist()
    [0.0, 0.001, 0.002]
    """
    from tactus import _native

    rows = np.empty((0, 0))
    if inputs is not None:
        built = _native.BuiltModel(*model_words(model), list(check.numbers("parameters", parameters).items()))
        is_constant = isinstance(inputs, Mapping) and all(np.ndim(column) == 0 for column in inputs.values())
        count = 1 if is_constant else -(-until_ns // step_ns)  # the last row is held
        names, table = input_rows(count, inputs, built.actuators)
        rows = np.tile(np.array(built.inputs, dtype=np.float64), (count, 1))
        rows[:, [built.actuator(name) for name in names]] = table
    words = [f"{key}={str(value).lower() if isinstance(value, bool) else value}" for key, value in (settings or {}).items()]
    _, signals, times, values, figures = _native.offline(
        *model_words(model), check.text("integrator", integrator), words, step_ns, until_ns,
        list(check.numbers("parameters", parameters).items()), check.text("initial_condition", initial_condition), rows,
        check.texts("outputs", outputs), check.count("every", every), look)
    failure = str(figures.pop("failure"))
    trajectory = Trajectory(tuple(name for name, _ in signals), times, values, dict(signals),
                            {key: float(value) for key, value in figures.items()})
    if failure:
        error = SessionFaulted(failure, "FAILED_PRECONDITION", "SESSION_FAULTED",
                               hint="a smaller step or another method may pass")
        error.trajectory = trajectory
        raise error
    return trajectory
