"""How trajectories depend on parameters of the model."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tactus import check
from tactus.errors import SessionFaulted
from tactus.input_rows import Rows, Ticks, input_rows, tick_count
from tactus.rollouts import rollout
from tactus.simulation import Simulation


class Sensitivity(NamedTuple):
    """Derivatives of signals with respect to parameters over a trajectory.

    Attributes
    ----------
    signals, parameters : tuple of str
    sim_time : numpy.ndarray, shape (rows,)
        Simulated time, s.
    nominal : numpy.ndarray, shape (rows, signals)
        The signals with the nominal parameters.
    values : numpy.ndarray, shape (rows, signals, parameters)
        Derivatives, in the unit of the signal over that of the parameter, both SI.
    error : numpy.ndarray, shape (rows, signals, parameters)
        What the values may be off by. Linearized: their difference from differences of runs. Differences: those of two steps.
        Large at a kink or an impact.
    sides : tuple of int
        For each parameter: 0 if it was varied to both sides, 1 if only larger values are allowed, -1 if only smaller ones.

    Examples
    --------
    >>> import tactus
    >>> tactus.sensitivity("motor_four_bar", "100ms", ["rocker_mass"], outputs="crank_angle").values.shape
    (100, 1, 1)
    """

    signals: tuple[str, ...]
    parameters: tuple[str, ...]
    sim_time: npt.NDArray[np.float64]
    nominal: npt.NDArray[np.float64]
    values: npt.NDArray[np.float64]
    error: npt.NDArray[np.float64]
    sides: tuple[int, ...]

    def to(self, signal: str, parameter: str) -> npt.NDArray[np.float64]:
        """The derivative of one signal with respect to one parameter over the rows.

        Raises
        ------
        ValueError
            If a name is not among `signals` or `parameters`.

        Examples
        --------
        >>> result = tactus.sensitivity("motor_four_bar", "50ms", ["rocker_mass", "gravity_y"], outputs="crank_angle")
        >>> result.to("crank_angle", "rocker_mass").shape  # rad/kg, in each row
        (50,)
        """
        for kind, name, known in (("signals", signal, self.signals), ("parameters", parameter, self.parameters)):
            if name not in known:
                raise ValueError(f"{name!r} is not among the {kind} of this result: {', '.join(known)}")
        column: npt.NDArray[np.float64] = self.values[:, self.signals.index(signal), self.parameters.index(parameter)]
        return column


def sensitivity(
    model: str | os.PathLike[str] | Mapping[str, Any],
    ticks: Ticks,
    parameters: Iterable[str],
    *,
    outputs: str | Iterable[str],
    inputs: Rows = None,
    every: int = 1,
    method: str = "linearized",
    relative_step: float = 1e-3,
    nominal: Mapping[str, float] | None = None,
    **options: Any,
) -> Sensitivity:
    """Derivatives of signals with respect to parameters, along the ticks of the server.

    Linearized: the equations of motion, linearized at each tick and integrated by the rule of the tick. Differences: central
    ones of two steps, h and h/2, extrapolated, of five runs for the first parameter and four more for each other one, on all
    cores. Differences are computed in both cases: they check the linearized values. All begin in the declared state of
    the varied parameters. A parameter at a limit, or for which the model allows no smaller or no larger value, is varied to
    the other side only, by three runs; these differences have second order, too.

    Parameters
    ----------
    model : str, os.PathLike or dict
        As for `Simulation`.
    ticks : int, str or timedelta
        Number of ticks, or a duration: ``"2s"``, and no float.
    parameters : iterable of str
        Parameters of the model.
    outputs : iterable of str
        Names or globs of signals.
    inputs : array_like or mapping, optional
        As for `Simulation.run`.
    every : int
        A row at every n-th tick.
    method : {"linearized", "differences"}
        Linearized values have no step to choose. They take a few ms a tick for a vehicle, fail at a singular pose, and do
        not know sums over the run (``energy.input``, ``energy.dissipated``, ``energy.total``) and figures of the solver.
    relative_step : float
        h over the magnitude of the parameter; h itself where the parameter is zero.
    nominal : dict of str to float, optional
        Values of parameters about which to differentiate. Default: those that the model declares.
    **options
        Further arguments of `Simulation`.

    Returns
    -------
    Sensitivity

    Raises
    ------
    ParameterUnknown, SignalUnknown, ValueOutOfRange
        Also where a step leaves the range of a parameter on both sides; try a smaller `relative_step`.
    SessionFaulted
        If a run failed.
    AnalysisFailed
        Linearized: at a singular pose.

    Examples
    --------
    >>> import tactus
    >>> result = tactus.sensitivity("motor_four_bar", "100ms", ["rocker_mass"], outputs=["crank_angle", "crank_rate"])
    >>> bool(abs(result.error).max() < 1e-3 * abs(result.values).max())
    True
    """
    names = check.texts("parameters", parameters)
    if not names:
        raise ValueError("parameters is empty; name one parameter or more")
    patterns = check.texts("outputs", outputs)
    if not patterns:
        raise ValueError("outputs is empty; name one signal or more")
    if method not in ("linearized", "differences"):
        raise ValueError(f'method={method!r} must be "linearized" or "differences"')
    if not 0 < check.number("relative_step", relative_step) < 1:
        raise ValueError(f"relative_step={relative_step!r} must lie between 0 and 1")
    first = Simulation(model, parameters=check.numbers("nominal", nominal), **options)
    first._native.set_parameters([(name, first.parameters.get(name, 0.0)) for name in names])  # refuses unknown names
    count = tick_count(ticks, first.period_ns)
    driven, rows = input_rows(count, inputs, first.inputs)
    table = np.tile(np.array(first._native.inputs(), dtype=np.float64), (count, 1))
    table[:, first._indices(driven)] = rows

    base = {name: float(value) for name, value in first.parameters.items()}
    steps = [relative_step * (abs(base[name]) or 1.0) for name in names]
    sides = [first._native.parameter_side(name, step) for name, step in zip(names, steps)]
    shares = [(1.0, -1.0, 0.5, -0.5) if side == 0 else (0.5 * side, 1.0 * side, 0.25 * side) for side in sides]
    sets = [base] + [base | {name: base[name] + share * step} for name, step, own in zip(names, steps, shares)
                     for share in own]
    runs = rollout(model, count, inputs=table, parameters=sets, outputs=patterns, every=every, **options)
    for fault, values in zip(runs.faults, sets):
        if fault:
            changed = {name: values[name] for name in names}
            raise SessionFaulted(f"the run with {changed} failed: {fault}", "FAILED_PRECONDITION", "SESSION_FAULTED")
    derivatives = np.empty((*runs.values.shape[1:], len(names)))
    error = np.empty_like(derivatives)
    start = 1
    for k, (step, side, own) in enumerate(zip(steps, sides, shares)):
        derivatives[..., k], error[..., k] = _difference(runs.values[0], runs.values[start : start + len(own)], step, side)
        start += len(own)
    if method == "linearized":
        linearized = first._native.sensitivity(count, names, steps, sides, list(runs.names), table, every)
        derivatives, error = linearized, abs(linearized - derivatives)
    return Sensitivity(tuple(runs.names), tuple(names), np.arange(every, count + 1, every) * first.period, runs.values[0],
                       derivatives, error, tuple(sides))


def _difference(nominal: npt.NDArray[np.float64], runs: npt.NDArray[np.float64], step: float,
                side: int) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """A derivative, extrapolated from second-order differences of two steps, and the difference of these two."""
    if side == 0:
        coarse = (runs[0] - runs[1]) / (2 * step)
        fine = (runs[2] - runs[3]) / step
    else:
        half, whole, quarter = runs - nominal
        coarse = (4 * half - whole) / (side * step)
        fine = (4 * quarter - half) / (0.5 * side * step)
    return (4 * fine - coarse) / 3, abs(fine - coarse)
