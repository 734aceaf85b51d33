"""One case of a sweep, from its plan to its row."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tactus.errors import SessionFaulted
from tactus.offline_run import offline
from tactus.simulation import Simulation
from tactus.sweep_plan import Case, Plan

# Stop criteria are looked at after so many rows.
_PART = 256


def run_case(plan: Plan, case: Case) -> dict[str, Any]:
    """Runs a case.

    Returns
    -------
    dict
        ``index``, ``id``, ``seed``, ``values``, ``metrics``, ``end`` (simulated time, s), ``stopped`` (number of the
        stop criterion, or -1), ``fault``, ``state_hash`` and ``model_hash``.

    Raises
    ------
    TactusError
        If the model, a name or a value is refused: the plan is wrong for all cases alike.
    """
    content = plan.content
    chosen: dict[str, dict[str, Any]] = {key: dict(content.get(key, {})) for key in ("parameters", "settings")}
    inputs = dict(plan.inputs)
    constants: dict[str, float] = {}
    single = {key: content[key] for key in ("period", "initial_condition") if key in content}
    for name, value in case.values.items():
        root, dot, rest = name.partition(".")
        if root == "inputs":
            constants[rest] = value
            inputs.pop(rest, None)
        elif dot:
            chosen[root][rest] = value
        else:
            single[root] = value
    names = sorted(set().union(*(metric.expression.names for metric in plan.metrics.values()),
                               *(expression.names for expression in plan.stop.values())) - {"t"})
    every = int(content.get("every", 1))
    integrator = content.get("integrator", "")
    options = {"parameters": chosen["parameters"], "initial_condition": single.get("initial_condition", "")}
    simulation = Simulation(content["model"], period=single.get("period"), threads=int(content.get("threads", 1)),
                            **options, **({} if integrator else chosen["settings"]))
    step_ns = plan.step_ns if integrator else simulation.period_ns
    count = -(-plan.until_ns // step_ns)
    time = np.arange(1, count + 1) * (step_ns * 1e-9)
    noise = np.random.Generator(np.random.PCG64(case.seed))
    driven: dict[str, npt.ArrayLike] = {**constants}
    for name in sorted(inputs):
        driven[name] = np.broadcast_to(np.asarray(inputs[name]({"t": time, "noise": noise.standard_normal(count)}),
                                                  dtype=np.float64), time.shape)
    fault, state_hash = "", ""
    if integrator:
        try:
            run = offline(content["model"], integrator=integrator, until=f"{plan.until_ns}ns",
                          step=f"{plan.step_ns}ns", inputs=driven or None, outputs=names, every=every, **options,
                          **chosen["settings"])
            rows, table = run.time, run.values
        except SessionFaulted as failure:
            fault, rows, table = str(failure), np.empty(0), np.empty((0, len(names)))
        stopped, end = _first_stop(plan, rows, dict(zip(names, table.T)))
    else:
        rows, table, stopped, fault = _ticks(plan, simulation, count, driven, names, every)
        end = len(rows)
        state_hash = simulation.state_hash
    if stopped >= 0:
        rows, table = rows[:end], table[:end]
    columns = dict(zip(names, table.T))
    metrics = {name: float("nan") if fault else metric(rows, columns) for name, metric in plan.metrics.items()}
    return {"index": case.number, "id": case.id, "seed": case.seed, "values": case.values, "metrics": metrics,
            "end": float(rows[-1]) if len(rows) else 0.0, "stopped": stopped, "fault": fault,
            "state_hash": state_hash, "model_hash": simulation._native.model_hash}


def _first_stop(plan: Plan, time: npt.NDArray[np.float64],
                columns: dict[str, npt.NDArray[np.float64]]) -> tuple[int, int]:
    """The criterion that is met first, and the number of rows up to there; -1 for none."""
    best = (-1, len(time))
    for k, expression in plan.stop.items():
        met = np.flatnonzero(np.broadcast_to(np.asarray(expression({**columns, "t": time})), time.shape))
        if len(met) and met[0] + 1 < best[1] + (best[0] < 0):
            best = (int(k), int(met[0]) + 1)
    return best


def _ticks(plan: Plan, simulation: Simulation, count: int, driven: dict[str, npt.ArrayLike], names: list[str],
           every: int) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], int, str]:
    times, tables = [np.empty(0)], [np.empty((0, len(names)))]
    part = _PART * every
    for start in range(0, count, part):
        length = min(part, count - start)
        rows = {name: values if np.ndim(values) == 0 else np.asarray(values)[start : start + length]
                for name, values in driven.items()}
        fault = ""
        try:
            block = simulation.run(length, rows or None, names, every)
        except SessionFaulted as failure:
            if failure.block is None:
                return np.concatenate(times), np.concatenate(tables), -1, str(failure)
            block, fault = failure.block, str(failure)
        order = [block.names.index(name) for name in names]
        stopped, end = _first_stop(plan, block.sim_time, dict(zip(names, block.values[:, order].T)))
        times.append(block.sim_time[:end])
        tables.append(block.values[:end, order])
        if stopped >= 0 or fault:
            return np.concatenate(times), np.concatenate(tables), stopped, "" if stopped >= 0 else fault
    return np.concatenate(times), np.concatenate(tables), -1, ""
