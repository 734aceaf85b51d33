"""Elements of a sub-assembly that move with it: all that is given in the world frame or on "ground"."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, MutableMapping
from typing import Any, Union

import numpy as np

from tactus.build_body import Body
from tactus.build_parts import GROUND, Array, Element, Frame, matrix_of, name_of, quaternion_of

Fields = MutableMapping[str, Any]

# Fields on a body, with the field that names the body; where the body is the ground, they are in the world frame.
_POINTS = {"point_1": "body_1", "point_2": "body_2", "point": "body"}
_AXES = {"axis_1": "body_1", "axis_2": "body_2", "direction_1": "body_1"}
_TURNS = {"orientation_1": "body_1", "orientation_2": "body_2", "orientation": "body_1"}
# The kinds that have an orientation on a body, also where they do not give it.
_TURNED = {"bushing": ("orientation",), "beam_element": ("orientation_1", "orientation_2")}
_WORLD_FRAME = ("world", "frame_world", "frame_unspecified")


class Move:
    """A move of the world of a part to a place.

    Attributes
    ----------
    world : Frame
        Place of the world of the part in the world.
    ground : Frame
        The same in the frame of the body that stands for the ground of the part.
    """

    def __init__(self, place: Frame, on: Body | None) -> None:
        self.world = place
        self.ground = place
        if on is not None:
            base = on.mass_frame()
            self.ground = Frame(base.turn.T @ (place.origin - base.origin), base.turn.T @ place.turn)

    @property
    def is_none(self) -> bool:
        """bool : whether everything stays where it is."""
        return all(not frame.origin.any() and np.array_equal(frame.turn, np.eye(3)) for frame in (self.world, self.ground))

    def element(self, element: Element) -> Element:
        """A copy of the element, moved.

        Raises
        ------
        ValueError
            If it has a field that cannot be moved.
        """
        moved = copy.copy(element)
        moved.outer, moved.fields = copy.deepcopy(element.outer), copy.deepcopy(element.fields)
        if self.is_none:
            return moved
        if element.at is not None:
            moved.at = np.array([self.world.point(x) for x in element.at.reshape(-1, 3)]).reshape(element.at.shape)
        if element.along is not None:
            moved.along = element.along @ self.world.turn.T
        outer, fields = moved.outer, moved.fields
        try:
            self._on_ground({**outer, **fields}, fields, element.kind)
            if isinstance(outer.get("distance"), Mapping):
                self._on_ground(outer["distance"], outer["distance"], "")
            if element.kind == "rope":
                for point in fields.get("points", ()):
                    self._on_ground(point, point, "")
            self._in_world(element.collection, element.kind, outer, fields)
        except (TypeError, ValueError) as failure:
            raise ValueError(f"{element.collection} {element.name!r} cannot be moved: {failure}; give its vectors as numbers, "
                             "in SI units") from None
        return moved

    def body(self, fields: Fields) -> None:
        """Moves the velocity and the placement of a body, in its fields.

        Raises
        ------
        ValueError
            If the placement by a joint on ground does not say how the body is turned.
        """
        if self.is_none:
            return
        _apply(fields, "velocity", self.world.direction)
        placement = fields.get("placement")
        if placement is not None and "joint" not in placement and placement.get("body", GROUND) == GROUND:
            self._pose(placement, self.ground)

    def joint_placement(self, body: str, joint: Element, placement: Fields) -> None:
        """Turns the placement of a body by a joint, if the joint is on ground."""
        if GROUND not in (name_of(joint.outer.get(key, "")) for key in ("body_1", "body_2")):
            return
        if np.array_equal(self.ground.turn, np.eye(3)):
            return
        if "orientation" not in placement and (joint.axes or joint.along is not None):
            raise ValueError(f"body {body!r} is placed by the joint {joint.name!r} on ground without an orientation: the "
                             "smallest turn that makes the axes agree is another one after the part is turned; give the placement an "
                             "orientation, or add the part without a turn")
        placement["orientation"] = self._turned(placement.get("orientation"), self.ground)

    def _on_ground(self, owner: Mapping[str, Any], table: Fields, kind: str) -> None:
        """Moves the fields of a table that are given on ground; `owner` names the bodies."""
        def is_on_ground(word: str) -> bool:
            return word in owner and owner[word] is not None and name_of(owner[word]) == GROUND

        for key, word in _POINTS.items():
            if is_on_ground(word):
                _apply(table, key, self.ground.point)
        for key, word in _AXES.items():
            if is_on_ground(word):
                _apply(table, key, self.ground.direction)
        for key in _TURNED.get(kind, ()):
            if is_on_ground(_TURNS[key]):
                table[key] = self._turned(table.get(key), self.ground)

    def _in_world(self, collection: str, kind: str, outer: Fields, fields: Fields) -> None:
        """Moves the fields that are given in the world frame."""
        if collection in ("actuators", "sensors") and str(fields.get("frame", "world")).lower() in _WORLD_FRAME:
            _apply(fields, "direction", self.world.direction)
        elif kind == "air_load":
            _apply(fields, "wind", self.world.direction)
        elif kind == "beam":
            for point in fields.get("points", ()):
                _apply(point, "position", self.world.point)
            _apply(fields, "across", self.world.direction)
            for mount in fields.get("mounts", ()):
                _apply(mount, "axis", self.world.direction)
                _apply(mount, "offset", self.world.direction)
        elif kind == "modal_body":
            self._pose(fields, self.world)
            _apply(fields, "velocity", self.world.direction)
        elif collection == "roads":
            outer["origin"] = self.world.point(outer.get("origin", (0.0, 0.0, 0.0))).tolist()
            for key in ("up", "along"):
                _apply(outer, key, self.world.direction)
        elif collection == "initial_conditions":
            for state in outer.get("bodies", ()):
                _apply(state, "position", self.world.point)
                _apply(state, "velocity", self.world.direction)
                if "orientation" in state:
                    state["orientation"] = self._turned(state["orientation"], self.world)
        elif collection == "includes" and name_of(outer.get("body") or GROUND) == GROUND:
            self._pose(outer, self.ground)

    def _pose(self, table: Fields, frame: Frame) -> None:
        table["position"] = frame.point(table.get("position", (0.0, 0.0, 0.0))).tolist()
        table["orientation"] = self._turned(table.get("orientation"), frame)

    @staticmethod
    def _turned(orientation: Any, frame: Frame) -> list[float]:
        turned: list[float] = quaternion_of(frame.turn @ matrix_of(orientation)).tolist()
        return turned


def changed_fields(before: Any, after: Any, path: tuple[Union[str, int], ...] = ()) -> Iterator[tuple[Union[str, int], ...]]:
    """Paths of the vectors of an element that a move has changed: ``("rope", "points", 0, "point")``."""
    if isinstance(after, Mapping):
        for key, value in after.items():
            yield from changed_fields(before.get(key) if isinstance(before, Mapping) else None, value, (*path, key))
    elif isinstance(after, list) and any(isinstance(x, Mapping) for x in after):
        for i, value in enumerate(after):
            yield from changed_fields(before[i] if isinstance(before, list) else None, value, (*path, i))
    elif after != before:
        yield path


def _apply(table: Fields, key: str, move: Any) -> None:
    if table.get(key) is not None:
        moved: Array = move(table[key])
        table[key] = moved.tolist()
