"""Kinematic analysis and inverse dynamics: the motion of some joints is given, the rest of the mechanism and the loads follow."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tactus import check, units
from tactus.block import Block
from tactus.model_text import model_words, whole_content
from tactus.simulation import Simulation

_ANY_VELOCITY = 1e9  # m/s
_QUANTITIES = ("DRIVE_QUANTITY_VALUE", "DRIVE_QUANTITY_RATE", "DRIVE_QUANTITY_ACCELERATION")


class PrescribedMotion(NamedTuple):
    """A motion, and the loads that make it.

    Attributes
    ----------
    loads : dict of str to numpy.ndarray, shape (rows,)
        For each prescribed joint the torque, N m, or the force, N, with which an actuator in the joint would make the motion;
        positive along the displacement of the joint.
    block : Block
        The signals of `outputs`: positions, velocities, accelerations, reactions of joints.

    Examples
    --------
    >>> import numpy as np, tactus
    >>> start = tactus.Simulation("motor_four_bar")["crank_angle"]
    >>> held = tactus.prescribe("motor_four_bar", {"input": np.full(11, start)}, outputs="rocker_angle")
    >>> len(held.block), held.loads["input"].shape  # the torque that holds the crank where it is
    (10, (10,))
    """

    loads: dict[str, npt.NDArray[np.float64]]
    block: Block


def prescribe(
    model: str | os.PathLike[str] | Mapping[str, Any],
    motion: Mapping[str, npt.ArrayLike],
    *,
    outputs: str | Iterable[str] = (),
    inputs: Mapping[str, npt.ArrayLike] | None = None,
    period: units.Duration | None = None,
    ticks: int = 0,
    **options: Any,
) -> PrescribedMotion:
    """Moves joints along given displacements: inverse dynamics, and kinematic analysis where all freedoms are prescribed.

    Each tick satisfies the constraints of position, velocity and acceleration; the loads are those of the equations of motion
    at its end. A drive in each joint makes the motion; what the joint held before (springs, actuators) acts besides.

    Parameters
    ----------
    model : str, os.PathLike or dict
        A built-in model, a file, or the content of a model file.
    motion : dict of str to array_like, shape (ticks + 1,) or (ticks + 1, 3)
        For each joint, an angle, rad, or a travel, m, at tick 0 and at the end of each tick. The first value is that of the
        declared state. Three columns: displacement, rate and acceleration. Default of the last two: from a cubic spline
        through the displacements, which needs scipy. If the motion begins with a rate, the mechanism begins with
        the velocities that have this rate and are nearest to the declared ones.
    outputs : iterable of str
        Names or globs of signals. Default: none.
    inputs : dict of str to array_like, optional
        Values of actuators of the model, as for `Simulation.run`.
    period : str, timedelta or float, optional
        Period of a tick. Default: that of the model.
    ticks : int
        Number of ticks, where `motion` is empty.
    **options
        Further arguments of `Simulation`.

    Returns
    -------
    PrescribedMotion

    Raises
    ------
    ValueError
        If a table has a wrong shape, or begins elsewhere than the declared state of the model.
    ModelInvalid
        If a joint is unknown or has no displacement.
    SessionFaulted
        If the mechanism cannot follow.

    Examples
    --------
    >>> import numpy as np, tactus
    >>> start = tactus.Simulation("motor_four_bar", period="1ms")["crank_angle"]
    >>> t = 1e-3 * np.arange(501)
    >>> turn = np.column_stack([start + 0.5 * t**2, t, np.ones(501)])  # 1 rad/s^2 from rest
    >>> motion = tactus.prescribe("motor_four_bar", {"input": turn}, period="1ms", outputs=["crank_angle"])
    >>> round(motion.block["crank_angle"][-1] - start, 9)
    0.125
    """
    content = _content(model)
    declared = Simulation(content, period=period, **options)  # refuses a model that is not valid, with all findings
    joints = {str(joint.get("name", "")): joint for joint in content.get("joints", ())}
    tables: dict[str, npt.NDArray[np.float64]] = {}
    if not isinstance(motion, Mapping):
        raise check.wrong("motion", motion, "a mapping of names of joints to displacements")
    for name, entry in motion.items():
        check.text("a name of motion", name)
        table = check.array(f"motion[{name!r}]", entry)
        if not np.isfinite(table).all():
            raise ValueError(f"motion[{name!r}] has values that are not finite")
        if table.ndim == 1 and len(table) > 1:
            table = _with_rates(table, declared.period)
        if table.ndim != 2 or table.shape[1] != 3 or len(table) < 2:
            raise ValueError(f"motion[{name!r}] has the shape {np.shape(entry)}; give (ticks + 1,) or (ticks + 1, 3) numbers")
        _begins_as_declared(name, table[0, 0], declared)
        tables[name] = table
    lengths = {len(table) - 1 for table in tables.values()}
    if len(lengths) > 1:
        raise ValueError(f"the tables of motion have different numbers of ticks: {sorted(lengths)}")
    count = lengths.pop() if lengths else check.count("ticks", ticks)

    content["drives"] = list(content.get("drives", ()))
    content["actuators"] = list(content.get("actuators", ()))
    if inputs is not None and not isinstance(inputs, Mapping):
        raise check.wrong("inputs", inputs, "a mapping of names of actuators to values")
    rows: dict[str, npt.ArrayLike] = dict(inputs or {})
    for name, table in tables.items():
        target = "travel" if _slides(joints.get(name, {})) else "angle"
        content["drives"].append({"name": f"{name}__drive", target: {"joint": name}, "input": {}})
        for column, quantity in enumerate(_QUANTITIES):
            actuator = f"{name}__{quantity.rpartition('_')[2].lower()}"
            content["actuators"].append({
                "name": actuator, "initial": table[0, column], "drive_input": {"drive": f"{name}__drive", "quantity": quantity}})
            rows[actuator] = table[1:, column]
    # The rates of the motion are those of the mechanism, however far they are from the declared velocities.
    content["assembly"] = dict(content.get("assembly", {})) | {"velocity": _ANY_VELOCITY}
    simulation = Simulation(content, period=period, **options)
    patterns = check.texts("outputs", outputs)
    wanted = [signal.name for signal in simulation.signals(*patterns)] if patterns else []
    loads = {name: f"{name}__drive.{'tension' if _slides(joints[name]) else 'moment'}" for name in tables}
    block = simulation.run(count, rows, [*wanted, *loads.values()])
    # The multiplier of the row acts on body 1 along the displacement; an actuator in the joint turns body 2.
    found = {name: -block[signal] for name, signal in loads.items()}
    kept = Block(wanted, block.ticks, block.sim_time, block.values[:, : len(wanted)], block.units)
    return PrescribedMotion(found, kept)


def _content(model: str | os.PathLike[str] | Mapping[str, Any]) -> dict[str, Any]:
    if isinstance(model, Mapping):
        return whole_content(model)
    from tactus import _native

    content: dict[str, Any] = json.loads(_native.model_content(*model_words(model)))
    return content


def _begins_as_declared(joint: str, first: float, declared: Simulation) -> None:
    for displacement, unit in (("angle", "rad"), ("travel", "m")):
        signal = f"{joint}.{displacement}"
        # A larger difference would make the assembly of the driven mechanism fail, or jump.
        if signal in declared.units and abs(declared[signal] - first) > 1e-6:
            raise ValueError(f"motion[{joint!r}] begins at {first:.9g} {unit}, and the declared state of the model has "
                             f"{declared[signal]:.9g} {unit}; begin there, or choose another initial state")


def _slides(joint: Mapping[str, Any]) -> bool:
    return "prismatic" in joint or "point_on_line" in joint


def _with_rates(values: npt.NDArray[np.float64], seconds: float) -> npt.NDArray[np.float64]:
    """Displacement, rate and acceleration from a cubic spline through displacements."""
    from scipy.interpolate import CubicSpline

    times = seconds * np.arange(len(values))
    spline = CubicSpline(times, values)
    return np.column_stack([values, spline(times, 1), spline(times, 2)])
