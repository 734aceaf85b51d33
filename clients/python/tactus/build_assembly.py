"""Sub-assemblies: a model that becomes part of another one."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from tactus.build_body import Body, body_of, local
from tactus.build_parts import GROUND, Element, Frame, matrix_of, quaternion_of

if TYPE_CHECKING:
    from tactus.build import Model


def add_part(model: Model, part: Model, prefix: str, place: Frame, on: Body | None) -> dict[str, Body]:
    """See `tactus.build.Model.add`; `place` is that of the world of the part."""
    names = {name: prefix + name for name in part.bodies}
    names |= {name: prefix + name for _, name in part.elements}
    base = {GROUND: on.name} if on else {}
    made = {}
    for name, body in part.bodies.items():
        twin = copy.copy(body)
        twin.name, twin.frame, twin.shapes = names[name], place.after(body.frame), list(body.shapes)
        if "velocity" in twin.fields:
            twin.fields = twin.fields | {"velocity": place.direction(twin.fields["velocity"]).tolist()}
        made[name] = model._keep(twin)
    for element in part.elements.values():
        twin_element = copy.copy(element)
        on_ground = [key for key in (*element.points, *element.axes)
                     if key in element.fields and body_of(element, key) == GROUND]
        twin_element.fields = dict(element.fields)
        for key in on_ground:  # given in the world of the part: now in the frame of the body that stands for it
            value, is_point = element.fields[key], key in element.points
            moved = place.point(value) if is_point else place.direction(value)
            twin_element.fields[key] = local(on, moved, is_point).tolist()
        twin_element.outer = _moved(twin_element, place)
        twin_element.name = prefix + element.name
        twin_element.outer = renamed(twin_element.outer, names | base)
        twin_element.fields = renamed(twin_element.fields, names | base)
        if element.at is not None:
            twin_element.at = np.array([place.point(x) for x in element.at.reshape(-1, 3)]).reshape(element.at.shape)
        if element.along is not None:
            twin_element.along = element.along @ place.turn.T
        if (element.collection, twin_element.name) in model.elements:
            raise ValueError(f"{element.collection} has an element {twin_element.name!r} already: give a prefix")
        model.elements[element.collection, twin_element.name] = twin_element
    return made


def _moved(element: Element, place: Frame) -> dict[str, Any]:
    """The outer fields of an element with the states of initial conditions and the planes of roads moved; a direction
    in the world frame, of an actuator or a sensor, is turned in its own fields."""
    outer = dict(element.outer)
    if element.collection == "initial_conditions":
        outer["bodies"] = [_moved_state(state, place) for state in outer.get("bodies", [])]
    if element.collection == "roads":
        outer["origin"] = place.point(outer.get("origin", (0.0, 0.0, 0.0))).tolist()
        for key in ("up", "along"):
            if key in outer:
                outer[key] = place.direction(outer[key]).tolist()
    if "direction" in element.fields and str(element.fields.get("frame", "world")).lower() in ("world", "frame_world"):
        element.fields["direction"] = place.direction(element.fields["direction"]).tolist()
    return outer


def _moved_state(state: Mapping[str, Any], place: Frame) -> dict[str, Any]:
    moved = dict(state)
    if "position" in state:
        moved["position"] = place.point(state["position"]).tolist()
    if "velocity" in state:
        moved["velocity"] = place.direction(state["velocity"]).tolist()
    if "orientation" in state:
        moved["orientation"] = quaternion_of(place.turn @ matrix_of(state["orientation"])).tolist()
    return moved


def renamed(value: Any, names: Mapping[str, str]) -> Any:
    """A value in which names of bodies and elements are replaced, also inside the paths of parameters."""
    if isinstance(value, Mapping):
        return {key: entry if key in ("description", "unit", "file") else renamed(entry, names)
                for key, entry in value.items()}
    if isinstance(value, list):
        return [renamed(entry, names) for entry in value]
    if isinstance(value, str):
        collection, dot, rest = value.partition(".")
        name, dot_2, field = rest.partition(".")
        if dot_2 and name in names:
            return f"{collection}.{names[name]}.{field}"
        return names.get(value, value)
    return value
