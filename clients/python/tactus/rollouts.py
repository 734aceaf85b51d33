"""Many runs of one model at once, on the cores of this machine."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Union

import numpy as np
import numpy.typing as npt

from tactus import check
from tactus.errors import SessionFaulted
from tactus.input_rows import Ticks, columns_by_name, tick_count
from tactus.simulation import Simulation
from tactus.tick_parts import tick_parts
from tactus.worker_threads import WorkerThreads

if TYPE_CHECKING:
    from tactus._native import SavedState

#: Parameters of each run: a mapping for each, or a mapping of names to a value or to one value for each run.
Parameters = Union[Sequence[Mapping[str, float]], Mapping[str, npt.ArrayLike]]


class Rollout(NamedTuple):
    """Results of `rollout`; run by run, each with the bits of the same run alone.

    Attributes
    ----------
    names : tuple of str
        Signal names in the order of the last axis of `values`.
    ticks : numpy.ndarray, shape (rows,), int64
        Number of ticks since the begin of the runs at each row.
    sim_time : numpy.ndarray, shape (rows,), float64
        Simulated time since the begin of the runs, s.
    values : numpy.ndarray, shape (runs, rows, signals), float64
        Outputs in SI units. NaN after the fault of a run.
    faults : tuple of str
        Why a run ended early; empty for a run that did not.
    state_hashes : tuple of str
        Hash of the last good state of each run.
    units : dict of str to str
        Unit of each signal.

    Examples
    --------
    >>> import tactus
    >>> result = tactus.rollout("motor_four_bar", 10, parameters={"rocker_mass": [1.0, 2.0]}, outputs=["crank_angle"])
    >>> result.names, result.values.shape, result.faults
    (('crank_angle',), (2, 10, 1), ('', ''))
    """

    names: tuple[str, ...]
    ticks: npt.NDArray[np.int64]
    sim_time: npt.NDArray[np.float64]
    values: npt.NDArray[np.float64]
    faults: tuple[str, ...]
    state_hashes: tuple[str, ...]
    units: dict[str, str]


def rollout(
    model: str | os.PathLike[str] | Mapping[str, Any],
    ticks: Ticks,
    *,
    inputs: npt.ArrayLike | Mapping[str, npt.ArrayLike] | None = None,
    parameters: Parameters = (),
    initial_states: Sequence[SavedState] = (),
    outputs: str | Iterable[str] = (),
    every: int = 1,
    workers: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    **options: Any,
) -> Rollout:
    """Runs a model many times: with other inputs, parameters or initial states.

    Ctrl-C ends all runs. A fault ends its own run only.

    Parameters
    ----------
    model : str, os.PathLike or dict
        As for `Simulation`.
    ticks : int, str or timedelta
        Number of ticks of each run, or a duration: ``"2s"``, and no float.
    inputs : array_like or dict of str to array_like, optional
        Shape (runs, ticks, number of actuators), or (ticks, number of actuators) for all runs. A table with named columns,
        such as a ``pandas.DataFrame``, is for all runs; its columns have the names of actuators. A dict has, for the name of
        an actuator, a value or an array of shape (ticks,) for all runs, or an array of shape (runs, ticks). Default:
        the inputs are held.
    parameters : sequence of dict, or dict of str to array_like, optional
        Parameters of the model for each run; in a dict a single value counts for all runs.
    initial_states : sequence of SavedState, optional
        A state for each run, from `Simulation.save`, also of another process. Default: the initial state of the model. A
        state brings the parameters with it that it was saved with; `parameters` are set after it.
    outputs : iterable of str
        Names or globs of signals. Default: none.
    every : int
        A row of outputs at every n-th tick.
    workers : int, optional
        Number of threads. Default: one for each core.
    progress : callable, optional
        Called in the thread of the caller after each run, with the number of finished runs and that of all runs.
    **options
        Further arguments of `Simulation`, for all runs.

    Returns
    -------
    Rollout

    Raises
    ------
    ValueError
        If the arguments are for different numbers of runs, or for none.
    ModelInvalid, ParameterUnknown, SignalUnknown, ValueOutOfRange, NotFinite, SnapshotIncompatible, RequestInvalid
        If an argument of a run is refused.

    Examples
    --------
    >>> import numpy as np, tactus
    >>> torques = np.linspace(-1, 1, 3)[:, np.newaxis, np.newaxis] * np.ones((1, 50, 1))
    >>> result = tactus.rollout("motor_four_bar", 50, inputs=torques, outputs=["crank_angle"], every=10)
    >>> result.values.shape
    (3, 5, 1)
    """
    if callable(inputs):
        raise TypeError("inputs is a function, which only Simulation.run accepts; give the inputs of all ticks")
    named = _columns(inputs, "inputs", 2) if isinstance(inputs, Mapping) else columns_by_name(inputs)
    table = None if inputs is None or named is not None else check.array("inputs", inputs)
    states = [] if initial_states is None else list(check.several("initial_states", initial_states))
    if not isinstance(parameters, Mapping):
        parameters = [] if parameters is None else [
            check.numbers(f"parameters[{k}]", entry) for k, entry in enumerate(check.several("parameters", parameters))]
    counts = {"inputs": _input_runs(table, named or {}),
              "parameters": _parameter_runs(parameters),
              "initial_states": len(states) or None}
    given = {name: count for name, count in counts.items() if count is not None}
    if not given:
        raise ValueError("nothing tells the number of runs: give parameters or initial_states for each run, or inputs of shape "
                         "(runs, ticks, number of actuators), by name (runs, ticks); other inputs count for all runs")
    if len(set(given.values())) != 1:
        raise ValueError(f"give inputs, parameters or initial_states for one number of runs, not for {given}")
    runs = next(iter(given.values()))
    if runs < 1:
        raise ValueError(f"{next(iter(given))} is for no run; give one value or row for each run")
    sets = _parameter_sets(parameters, runs)
    check.function("progress", progress)
    if check.count("every", every) < 1:
        raise ValueError(f"every={every!r} must be above zero")

    patterns = check.texts("outputs", outputs)
    first = Simulation(model, **options, parameters=sets[0] if sets else None)
    count = tick_count(ticks, first.period_ns)
    names = tuple(signal.name for signal in first.signals(*patterns)) if patterns else ()
    if names and every > count:
        raise ValueError(f"every={every} gives no row of {count} ticks; make it {count} or less")
    rows = count // every if names else 0
    values = np.full((runs, rows, len(names)), np.nan)
    stop = threading.Event()

    def run(index: int) -> tuple[str, str]:
        own = first if index == 0 else Simulation(model, **options, parameters=sets[index] if sets else None)
        if states:
            own.restore(states[index])
            if sets:
                own.set_parameters(sets[index])  # the state has brought the parameters that it was saved with
        own_inputs = ({name: column[index] if column.ndim == 2 else column for name, column in named.items()}
                      if named is not None else table if table is None or table.ndim < 3 else table[index])
        fault = _run(own, count, own_inputs, names, every, values[index], stop.is_set)
        return fault, own.state_hash

    threads = WorkerThreads(check.workers(workers))
    results = [("", "")] * runs
    try:
        for finished, (index, result) in enumerate(threads.finished(run, range(runs), stop), start=1):
            results[index] = result
            if progress is not None:
                progress(finished, runs)
    finally:
        stop.set()
        threads.close()
    numbers = np.arange(1, rows + 1, dtype=np.int64) * every
    return Rollout(names, numbers, numbers * first.period_ns * 1e-9, values, tuple(fault for fault, _ in results),
                   tuple(state_hash for _, state_hash in results), {name: first.units[name] for name in names})


def _input_runs(table: npt.NDArray[np.float64] | None, named: Mapping[str, npt.NDArray[np.float64]]) -> int | None:
    """The number of runs that the inputs are for; none if they count for any number."""
    if table is not None:
        return len(table) if table.ndim == 3 else None
    lengths = {name: len(column) for name, column in named.items() if column.ndim == 2}
    if len(set(lengths.values())) > 1:
        raise ValueError(f"inputs has arrays for different numbers of runs: {lengths}; give arrays for the same number of runs")
    return next(iter(lengths.values()), None)


def _parameter_runs(parameters: Parameters) -> int | None:
    """The number of runs that the parameters are for; none if they count for any number."""
    if not isinstance(parameters, Mapping):
        return len(parameters) or None
    lengths = {name: len(column) for name, column in _columns(parameters).items() if column.ndim}
    if len(set(lengths.values())) > 1:
        raise ValueError(f"parameters has columns for different numbers of runs: {lengths}; give columns of one length")
    return next(iter(lengths.values()), None)


def _parameter_sets(parameters: Parameters, runs: int) -> list[Mapping[str, float]]:
    """Parameters of each run; an empty list if there are none."""
    if not isinstance(parameters, Mapping):
        return list(parameters)
    columns = _columns(parameters)
    return [{name: float(column[i] if column.ndim else column) for name, column in columns.items()}
            for i in range(runs if columns else 0)]


def _columns(entries: Mapping[str, npt.ArrayLike], argument: str = "parameters",
             axes: int = 1) -> dict[str, npt.NDArray[np.float64]]:
    """The values of a mapping as arrays, each of at most `axes` axes."""
    columns = {name: check.array(f"{argument}[{check.text(f'a name of {argument}', name)!r}]", column)
               for name, column in entries.items()}
    for name, column in columns.items():
        if column.ndim > axes:
            allowed = "one for each run" if axes == 1 else "an array of shape (ticks,) or (runs, ticks)"
            raise ValueError(f"{argument}[{name!r}] has the shape {column.shape}; give one value, or {allowed}")
    return columns


def _run(
    simulation: Simulation,
    ticks: int,
    inputs: npt.NDArray[np.float64] | Mapping[str, npt.NDArray[np.float64]] | None,
    names: Sequence[str],
    every: int,
    values: npt.NDArray[np.float64],
    stopped: Callable[[], bool],
) -> str:
    """One run, in parts, into its rows. Returns why it ended early, or nothing."""
    columns = inputs if isinstance(inputs, Mapping) else {} if inputs is None else {"": inputs}
    for name, table in columns.items():
        if table.ndim and table.shape[:1] != (ticks,):
            word = f"inputs[{name!r}]" if isinstance(inputs, Mapping) else "inputs"
            raise ValueError(f"{word} has {len(table)} rows for {ticks} ticks")
    simulation._require_inputs(ticks, inputs)
    for start, length, rows in tick_parts(0, ticks, every):
        if stopped():
            break
        end = start + length
        if end % every:  # a last tick that is no multiple has no row here
            rows = 0
        at = values[start // every : end // every]
        try:
            part_of = {name: table[start:end] if table.ndim else table for name, table in columns.items()}
            block = simulation.run(length, part_of if isinstance(inputs, Mapping) else part_of.get(""),
                                   names if rows else [], rows or length)
            if rows:
                at[:] = block.values
        except SessionFaulted as failure:
            if rows and failure.block is not None:
                at[: len(failure.block)] = failure.block.values
            return str(failure)
    return ""
