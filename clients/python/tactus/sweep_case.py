"""One case of a sweep, from its plan to its row."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from tactus.builds import build_info
from tactus.errors import SessionFaulted, TactusError
from tactus.expression import is_met
from tactus.model_text import model_words
from tactus.offline_run import Trajectory, run_method
from tactus.simulation import Simulation
from tactus.sweep_plan import Case, Plan
from tactus.tick_parts import tick_parts

# At most so many cases are tried before a sweep, spread over all.
_TRIALS = 32
# Reasons that do not depend on the values of a case.
_OF_ALL_CASES = ("MODEL_UNKNOWN", "PARAMETER_UNKNOWN", "SIGNAL_UNKNOWN")


class Cancelled(Exception):
    """A case that was ended from outside."""


def try_plan(plan: Plan, cases: list[Case]) -> None:
    """Makes one step of a case, so that a wrong name is an error before anything is written.

    Raises
    ------
    TactusError
        If a name is wrong, or if every case that was tried is refused.
    ValueError
        If the cases have no row for metrics.
    """
    refused: TactusError | None = None
    for case in cases[:: -(-len(cases) // _TRIALS)]:
        try:
            _first_step(_Run(plan, case))
            break
        except TactusError as error:
            if error.reason in _OF_ALL_CASES:
                raise
            refused = refused or error
    else:
        if refused:
            raise refused
    for name in dict.fromkeys(plan.variables.get("initial_condition", [])):
        try:
            _Run(plan, case._replace(values={**case.values, "initial_condition": name}))
        except TactusError as error:
            if error.field == "initial_condition":
                raise


def run_case(plan: Plan, case: Case, cancelled: Callable[[], bool] = lambda: False) -> dict[str, Any]:
    """Runs a case.

    Parameters
    ----------
    plan : Plan
    case : Case
    cancelled : callable
        Called repeatedly during the run; True ends the case.

    Returns
    -------
    dict
        ``index``, ``id``, ``seed``, ``values``, ``metrics``, ``end`` (simulated time, s), ``stopped`` (number of the
        stop criterion, or -1), ``fault``, ``state_hash`` (of the state at ``end``), ``model_hash`` and ``build``. A case
        whose values are refused has the reason as its ``fault``.

    Raises
    ------
    TactusError
        If a name is wrong: the plan is wrong for all cases alike.
    ValueError
        If the case has no row for metrics.
    Cancelled
    """
    row: dict[str, Any] = {"index": case.number, "id": case.id, "seed": case.seed, "values": case.values,
                           "build": build_info()._asdict()}
    try:
        return row | _Run(plan, case).result(cancelled)
    except TactusError as error:
        if error.reason in _OF_ALL_CASES:
            raise
        reason = "; ".join(line.strip() for line in str(error).splitlines())
        return row | {"metrics": dict.fromkeys(plan.metrics, float("nan")), "end": 0.0, "stopped": -1, "fault": reason,
                      "state_hash": "", "model_hash": ""}


class _Run:
    """A case with its model, before its first step."""

    def __init__(self, plan: Plan, case: Case) -> None:
        content = plan.content
        chosen: dict[str, dict[str, Any]] = {key: dict(content.get(key, {})) for key in ("parameters", "settings")}
        inputs = dict(plan.inputs)
        constants: dict[str, float] = {}
        single = {key: content[key] for key in ("period", "initial_condition") if key in content}
        for name, value in case.values.items():
            root, dot, rest = name.partition(".")
            if root == "inputs":
                constants[rest] = float(value)  # NumPy has no whole numbers above 64 bits
                inputs.pop(rest, None)
            elif dot:
                chosen[root][rest] = value
            else:
                single[root] = value
        self.plan = plan
        self.names = sorted(set().union(*(metric.expression.names for metric in plan.metrics.values()),
                                        *(expression.names for expression in plan.stop.values())) - {"t"})
        self.settings = chosen["settings"]
        self.options = {"parameters": chosen["parameters"], "initial_condition": single.get("initial_condition", "")}
        if plan.integrator:  # it has a step and settings of its own: the model may have none for a tick
            from tactus import _native

            built = _native.BuiltModel(*model_words(content["model"]), list(chosen["parameters"].items()))
            built.initial_condition(self.options["initial_condition"])
            self.model_hash = built.hash
            step_ns, mistake = plan.step_ns, ""
        else:
            self.simulation = Simulation(content["model"], period=single.get("period"), threads=plan.threads, **self.options,
                                         **self.settings)
            self.model_hash = self.simulation._native.model_hash
            step_ns = self.simulation.period_ns
            mistake = plan.mistake_of_every(step_ns)
        if mistake:
            raise plan.refusal([mistake])
        self.count = plan.ticks(step_ns)
        time = np.arange(1, self.count + 1) * (step_ns * 1e-9) if inputs else np.empty(0)
        noise = np.random.Generator(np.random.PCG64(case.seed))
        self.driven: dict[str, npt.ArrayLike] = {**constants}
        for name in sorted(inputs):
            values = inputs[name]({"t": time, "noise": noise.standard_normal(self.count)})
            self.driven[name] = np.broadcast_to(np.asarray(values, dtype=np.float64), time.shape)

    def rows(self, start: int, length: int) -> dict[str, npt.ArrayLike] | None:
        """Inputs of some steps."""
        return {name: values if np.ndim(values) == 0 else np.asarray(values)[start : start + length]
                for name, values in self.driven.items()} or None

    def offline(self, until_ns: int, inputs: dict[str, npt.ArrayLike] | None, every: int,
                cancelled: Callable[[], bool] = lambda: False) -> Trajectory:
        """A run of the reference method of the plan."""
        def look() -> None:
            if cancelled():
                raise Cancelled

        plan = self.plan
        return run_method(plan.content["model"], plan.integrator, until_ns, plan.step_ns, inputs, self.names, every,
                          settings=self.settings, look=look, **self.options)

    def result(self, cancelled: Callable[[], bool]) -> dict[str, Any]:
        plan, names = self.plan, self.names
        fault, state_hash = "", ""
        if plan.integrator:
            try:
                run = self.offline(plan.until_ns, self.driven or None, plan.every, cancelled)
            except SessionFaulted as failure:
                if failure.trajectory is None:
                    raise
                fault, run = str(failure), failure.trajectory
            rows, table = run.time, run.values
            stopped, count = _first_stop(plan, rows, dict(zip(names, table.T)))
            if stopped >= 0:  # a fault after the stop does not count
                fault, rows, table = "", rows[:count], table[:count]
            end = float(rows[-1]) if len(rows) else 0.0
        else:
            rows, table, stopped, fault = _ticks(self, cancelled)
            end, state_hash = self.simulation.sim_time, self.simulation.state_hash
        columns = dict(zip(names, table.T))
        metrics = {name: float("nan") if fault else metric(rows, columns) for name, metric in plan.metrics.items()}
        return {"metrics": metrics, "end": end, "stopped": stopped, "fault": fault,
                "state_hash": state_hash, "model_hash": self.model_hash}


def _first_step(run: _Run) -> None:
    plan = run.plan
    with contextlib.suppress(SessionFaulted):
        if not plan.integrator:
            run.simulation.run(1, run.rows(0, 1), run.names)
        elif plan.until_ns % plan.step_ns == 0:
            run.offline(plan.step_ns, run.rows(0, 1), 1)
        else:  # refused before its first step by all methods that cannot end between two steps
            run.offline(plan.until_ns, run.driven or None, 1)


def _first_stop(plan: Plan, time: npt.NDArray[np.float64],
                columns: dict[str, npt.NDArray[np.float64]]) -> tuple[int, int]:
    """The criterion that is met first, and the number of rows up to there; -1 for none."""
    best = (-1, len(time))
    for k, expression in plan.stop.items():
        met = np.flatnonzero(np.broadcast_to(is_met(expression({**columns, "t": time})), time.shape))
        if len(met) and met[0] + 1 < best[1] + (best[0] < 0):
            best = (int(k), int(met[0]) + 1)
    return best


def _ticks(run: _Run, cancelled: Callable[[], bool]) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], int, str]:
    """Rows of a case, its stop criterion, or -1, and its fault. The simulation ends with the tick of its end."""
    plan, names, simulation = run.plan, run.names, run.simulation
    times, tables = [np.empty(0)], [np.empty((0, len(names)))]
    stopped, fault = -1, ""
    simulation._require_inputs(run.count, run.driven or None)
    for start, length, every in tick_parts(0, run.count, plan.every):
        if cancelled():
            raise Cancelled
        saved = simulation.save() if plan.stop and every else None
        try:
            block = simulation.run(length, run.rows(start, length), names if every else [], every or length)
        except SessionFaulted as failure:
            fault = str(failure)
            if failure.block is None:
                break
            block = failure.block
        if every:
            order = [block.names.index(name) for name in names]
            stopped, end = _first_stop(plan, block.sim_time, dict(zip(names, block.values[:, order].T)))
            times.append(block.sim_time[:end])
            tables.append(block.values[:end, order])
        if stopped >= 0 and saved is not None:
            fault = ""
            until = int(block.ticks[end - 1]) - start
            if until < length:  # the same ticks again, up to the stop
                simulation.restore(saved)
                simulation.run(until, run.rows(start, until))
        if stopped >= 0 or fault:
            break
    return np.concatenate(times), np.concatenate(tables), stopped, fault
