"""Models that are read from files, to be changed and extended in Python."""

from __future__ import annotations

import json
import os
import pathlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tactus.build_body import Body
from tactus.build_parts import NAMELESS, Element, Frame, matrix_of, quaternion_of, vector

if TYPE_CHECKING:
    from tactus.build import Model


def read(source: str | os.PathLike[str] | Mapping[str, Any]) -> Model:
    """A model from a file, ``.json`` or ``.txtpb``, from its content, or a built-in one by its name; `Model.to_dict` gives the
    same content back.

    Raises
    ------
    OSError, ValueError
        If the file cannot be read.
    ModelUnknown
        If there is no built-in model of this name.

    Examples
    --------
    >>> from tactus.build import read
    >>> content = {"name": "ball", "gravity": [0, 0, 0],
    ...            "bodies": [{"name": "b", "mass": 1, "inertia": {"xx": 1, "yy": 1, "zz": 1}}]}
    >>> read(content).to_dict() == content
    True
    >>> sorted(read("motor_four_bar").bodies)
    ['coupler', 'crank', 'rocker']
    """
    if isinstance(source, Mapping):
        content = dict(source)
    elif isinstance(source, str) and not source.endswith((".json", ".txtpb")):
        from tactus import _native

        content = json.loads(_native.model_content(source))
    else:
        path = pathlib.Path(source)
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".txtpb":
            from google.protobuf import json_format, text_format

            from tactus.v1 import model_pb2

            content = json_format.MessageToDict(text_format.Parse(text, model_pb2.Model()),
                                                preserving_proto_field_name=True)
        else:
            content = json.loads(text)
    from tactus.build import Model

    model = Model(content.pop("name", ""), content.pop("gravity", (0.0, 0.0, 0.0)), content.pop("description", ""))
    for entry in content.pop("bodies", []):
        model._keep(_WrittenBody(entry))
    for collection, entries in list(content.items()):
        if not isinstance(entries, list):
            continue
        for i, entry in enumerate(content.pop(collection)):
            name = model._key(collection) if collection in NAMELESS else entry.get("name")
            if not name:
                raise ValueError(f"{collection}[{i}] has no name: give it one")
            model.elements[collection, name] = _WrittenElement(collection, name, entry)
    model.fields = content
    return model


class _WrittenBody(Body):
    """A body as a file has it; written back as it was."""

    def __init__(self, entry: Mapping[str, Any]) -> None:
        frame = Frame(vector(entry.get("position", (0.0, 0.0, 0.0)), "position"), matrix_of(entry.get("orientation")))
        super().__init__(entry["name"], frame, [], entry.get("mass"), entry.get("inertia"), None, entry)
        self._frame_read = frame

    def to_dict(self) -> dict[str, Any]:
        if self.shapes:
            raise ValueError(f"body {self.name!r} was read from a file: its mass is fixed, and shapes cannot be added")
        body = dict(self.fields) | {"name": self.name}
        if self.frame is not self._frame_read:
            body["position"] = self.frame.origin.tolist()
            body["orientation"] = quaternion_of(self.frame.turn).tolist()
        return body


class _WrittenElement(Element):
    """An element as a file has it: everything beside its name is kept."""

    def __init__(self, collection: str, name: str, entry: Mapping[str, Any]) -> None:
        outer = {key: value for key, value in entry.items() if key != "name"}
        kinds = [key for key, value in outer.items() if isinstance(value, Mapping)]
        kind = kinds[0] if len(kinds) == 1 and collection not in ("drives", "roads") else ""
        fields = outer.pop(kind) if kind else {}
        points = tuple(key for key in fields if key.startswith(("point", "centre")) and _is_vector(fields[key]))
        axes = tuple(key for key in fields if key.startswith("axis") and _is_vector(fields[key]))
        super().__init__(collection, kind, name, outer, fields, points, axes, None, None)


def _is_vector(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 3 and not any(isinstance(x, (list, dict)) for x in value)
