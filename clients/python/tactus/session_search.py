"""What a search from the newest tick of a session has found: an equilibrium, a trim."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tactus import check
from tactus.analysis import LinearSystem
from tactus.session_analysis import RemotePoint
from tactus.v1 import simulation_pb2, snapshot_pb2

Floats = npt.NDArray[np.float64]


class BodyMotion(NamedTuple):
    """Position and velocity of a body.

    Attributes
    ----------
    position : numpy.ndarray, shape (3,)
        Of the center of mass, world frame, m.
    orientation : numpy.ndarray, shape (4,)
        Unit quaternion from body frame to world frame, scalar first.
    velocity : numpy.ndarray, shape (3,)
        Of the center of mass, world frame, m/s.
    angular_velocity : numpy.ndarray, shape (3,)
        Body frame, rad/s.

    Examples
    --------
    >>> import tactus
    >>> with tactus.connect("127.0.0.1:50051") as client:
    ...     with client.create_session("motor_four_bar", clock="lockstep") as session:
    ...         session.equilibrium().bodies["crank"].velocity.tolist()
    [0.0, 0.0, 0.0]
    """

    position: Floats
    orientation: Floats
    velocity: Floats
    angular_velocity: Floats


class Reaction(NamedTuple):
    """The reaction on the second body of a joint, world frame.

    Attributes
    ----------
    force : numpy.ndarray, shape (3,)
        N
    torque : numpy.ndarray, shape (3,)
        About the point of the joint on that body, N m.

    Examples
    --------
    >>> import tactus
    >>> with tactus.connect("127.0.0.1:50051") as client:
    ...     with client.create_session("motor_four_bar", clock="lockstep") as session:
    ...         session.equilibrium().reactions["output"].force.shape
    (3,)
    """

    force: Floats
    torque: Floats


@dataclass(frozen=True)
class FoundState:
    """A state that a search has found. ``session.restore_snapshot(found.saved)`` goes there.

    Attributes
    ----------
    saved : tactus.v1.SessionSnapshot
        The session, moved to the state, with the inputs.
    tick : int
        The tick with which the search began.
    state_hash : str
        Of that tick.
    inputs : dict of str to float
        Value of each actuator.
    signals : dict of str to float
        Values of the outputs; of a trim of the required signals before them.
    units : dict of str to str
        Unit of each signal and each input.
    bodies : dict of str to BodyMotion
    reactions : dict of str to Reaction
        By joint. Where constraint rows are redundant, one of many solutions: that with the smallest multipliers.
    residual : float
        Of an equilibrium: largest force that is not balanced, over the largest load. Of a trim: largest remainder, in its
        own unit.
    iterations : int
    system : LinearSystem or None
        The linear system there, if it was asked for.

    Examples
    --------
    >>> import tactus
    >>> with tactus.connect("127.0.0.1:50051") as client:
    ...     with client.create_session("motor_four_bar", clock="lockstep") as session:
    ...         found = session.equilibrium(outputs=["crank_rate"])
    ...         found.tick, found.signals, found.units["crank_rate"]
    (0, {'crank_rate': 0.0}, 'rad/s')
    """

    saved: snapshot_pb2.SessionSnapshot
    tick: int
    state_hash: str
    inputs: dict[str, float]
    signals: dict[str, float]
    units: dict[str, str]
    bodies: dict[str, BodyMotion]
    reactions: dict[str, Reaction]
    residual: float
    iterations: int
    system: LinearSystem | None


@dataclass(frozen=True)
class FoundEquilibrium(FoundState):
    """A pose at rest under all loads, found from a tick of a session. The further attributes are those of `FoundState`.

    Attributes
    ----------
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
    >>> with tactus.connect("127.0.0.1:50051") as client:
    ...     with client.create_session("motor_four_bar", clock="lockstep") as session:
    ...         found = session.equilibrium()
    ...         status = session.restore_snapshot(found.saved)
    ...         before = session.read("crank_angle")["crank_angle"]
    ...         status = session.step(1000)
    ...         bool(abs(session.read("crank_angle")["crank_angle"] - before) < 1e-6)
    True
    """

    violation: float
    freedoms: int
    redundant_rows: int
    indifferent: int
    unstable: int
    singular: bool


@dataclass(frozen=True)
class FoundTrim(FoundState):
    """Inputs and a state at which signals have given values, found from a tick of a session. The further attributes are those
    of `FoundState`.

    Attributes
    ----------
    free : tuple of str
        Actuators that the search could change.
    out_of_range : tuple of str
        Actuators that the solution drives beyond their limits; a session cannot go there.
    turning : tuple of float
        Rate at which the whole mechanism turns, rad/s, world axes; zero but in a steady turn.

    Examples
    --------
    >>> import tactus
    >>> with tactus.connect("127.0.0.1:50051") as client:
    ...     with client.create_session("motor_four_bar", clock="lockstep") as session:
    ...         trim = session.trim({"crank_angle": 0.0}, free=["motor"])
    ...         trim.free, trim.out_of_range, round(trim.signals["crank_angle"], 6)
    (('motor',), (), 0.0)
    """

    free: tuple[str, ...]
    out_of_range: tuple[str, ...]
    turning: tuple[float, float, float]


def search_request(session: str, outputs: str | Iterable[str], inputs: Mapping[str, float] | None, linearize: bool,
                   modes: bool, load_steps: int | None) -> simulation_pb2.AnalyseRequest:
    """The request; without `load_steps` it has no search for an equilibrium."""
    request = simulation_pb2.AnalyseRequest(session=session, outputs=check.texts("outputs", outputs),
                                            linearize=linearize or modes, modes=modes, shapes=modes)
    for name, value in check.numbers("inputs", inputs).items():
        request.input_values.add(name=name, value=value)
    if load_steps is not None:
        if check.natural("load_steps", load_steps) < 1:
            raise ValueError(f"load_steps={load_steps!r} must be above zero")
        request.equilibrium.load_steps = load_steps
    return request


def add_trim(request: simulation_pb2.AnalyseRequest, require: Mapping[str, float], free: str | Iterable[str],
             moving: bool) -> None:
    """Has the request search for a trim."""
    for name, value in check.numbers("require", require).items():
        request.trim.require.add(name=name, value=value)
    request.trim.free.extend(check.texts("free", free))
    request.trim.moving = moving


def _vector(numbers: Iterable[float]) -> Floats:
    return np.array(list(numbers), dtype=np.float64)


def _common(answer: simulation_pb2.AnalyseResponse, request: simulation_pb2.AnalyseRequest) -> FoundState:
    found = answer.found
    return FoundState(
        saved=found.snapshot,
        tick=answer.tick,
        state_hash=answer.state_hash,
        inputs={one.name: one.value for one in found.inputs},
        signals={one.name: one.value for one in found.signals},
        units={one.name: one.unit for one in [*found.signals, *found.inputs]},
        bodies={one.body: BodyMotion(_vector(one.position), _vector(one.orientation), _vector(one.velocity),
                                     _vector(one.angular_velocity)) for one in found.bodies},
        reactions={one.joint: Reaction(_vector(one.force), _vector(one.torque)) for one in found.reactions},
        residual=found.residual,
        iterations=found.iterations,
        system=LinearSystem(RemotePoint(answer, request.modes)) if request.linearize else None,
    )


def found_equilibrium(answer: simulation_pb2.AnalyseResponse, request: simulation_pb2.AnalyseRequest) -> FoundEquilibrium:
    """The result of a search for an equilibrium."""
    e = answer.found.equilibrium
    return FoundEquilibrium(**vars(_common(answer, request)), violation=e.violation, freedoms=e.freedoms,
                            redundant_rows=e.redundant_rows, indifferent=e.indifferent, unstable=e.unstable,
                            singular=e.singular)


def found_trim(answer: simulation_pb2.AnalyseResponse, request: simulation_pb2.AnalyseRequest) -> FoundTrim:
    """The result of a search for a trim."""
    x, y, z = answer.found.trim.turning
    return FoundTrim(**vars(_common(answer, request)), free=tuple(one.name for one in answer.found.inputs if one.free),
                     out_of_range=tuple(one.name for one in answer.found.inputs if one.out_of_range), turning=(x, y, z))
