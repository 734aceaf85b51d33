"""Models that are read from files, to be changed and extended in Python."""

from __future__ import annotations

import json
import os
import pathlib
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from tactus import check
from tactus.build_body import Body
from tactus.build_parts import NAMELESS, Element, Frame, matrix_of, quaternion_of, vector

if TYPE_CHECKING:
    from tactus.build import Model


def read(source: str | os.PathLike[str] | Mapping[str, Any]) -> Model:
    """A model from a file, ``.json`` or ``.txtpb``, from its content, or a built-in one by its name; `Model.to_dict` gives the
    same content back, with the names of fields that the schema has. `Model.gravity` is None where the content has none. `Model.folder` is the folder of the file: the files that the model names are read from there.

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
        return _model_of(dict(source), getattr(source, "folder", None))
    if isinstance(source, str) and not source.endswith((".json", ".txtpb")):
        from tactus import _native

        return _model_of(json.loads(_native.model_content(source, None)), None)
    if not isinstance(source, (str, os.PathLike)):
        raise check.wrong("source", source, "the path of a model file, its content, or the name of a built-in model")
    path = pathlib.Path(source)
    try:
        return _model_of(_content_of(path), path.absolute().parent)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error


def _content_of(path: pathlib.Path) -> dict[str, Any]:
    text = path.read_text(encoding="utf-8-sig")
    if path.suffix == ".txtpb":
        from google.protobuf import json_format, text_format

        from tactus.v1 import model_pb2

        try:
            message = text_format.Parse(text, model_pb2.Model())
        except text_format.ParseError as error:  # "line:column : what is wrong"
            raise ValueError(f"line {error}") from error
        return dict(json_format.MessageToDict(message, preserving_proto_field_name=True))
    try:
        content = json.loads(text, object_pairs_hook=_fields)
    except json.JSONDecodeError as error:
        raise ValueError(f"line {error.lineno}: {error.msg}") from error
    if not isinstance(content, dict):
        raise ValueError("a model is an object")
    return content


def _fields(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The fields of an object, each of which is given once."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the field {key!r} is given twice")
        found[key] = value
    return found


def _in_schema(value: Any) -> Any:
    """A value with the names of fields as the schema has them: files may have ``pointOne`` for ``point_one``."""
    if isinstance(value, Mapping):
        found = _fields([(_schema_name(key), _in_schema(entry)) for key, entry in value.items()])
        return found
    return [_in_schema(entry) for entry in value] if isinstance(value, list) else value


def _schema_name(key: Any) -> Any:
    if not isinstance(key, str) or key in ("dot1", "dot2"):
        return key
    return re.sub(r"(?<=[a-z])(?=[A-Z0-9])", "_", key).lower()


def _model_of(content: dict[str, Any], folder: pathlib.Path | None) -> Model:
    from tactus.build import Model

    content = _in_schema(content)
    gravity = content.pop("gravity", None)
    model = Model(content.pop("name", ""), (0.0, 0.0, 0.0) if gravity is None else gravity, content.pop("description", ""),
                  folder)
    if gravity is None:  # the rules refuse a model without it; a part needs none
        model.gravity = None
    for name, entry in _entries("bodies", content.pop("bodies", []), model):
        model._keep(_WrittenBody(entry))
    for collection, entries in list(content.items()):
        if not isinstance(entries, list):
            continue
        for name, entry in _entries(collection, content.pop(collection), model):
            if (collection, name) in model.elements:
                raise ValueError(f"{collection} has two elements {name!r}")
            model.elements[collection, name] = _WrittenElement(collection, name, entry)
    model.fields = content
    return model


def _entries(collection: str, entries: Any, model: Model) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The elements of a collection, each with its name, or with its key if it has none in a file."""
    if not isinstance(entries, list):
        raise ValueError(f"{collection} is not a list")
    for i, entry in enumerate(entries):
        if not isinstance(entry, Mapping):
            raise ValueError(f"{collection}[{i}] is not an object")
        name = model._key(collection) if collection in NAMELESS else entry.get("name")
        if not name or not isinstance(name, str):
            raise ValueError(f"{collection}[{i}] has no name: give it one")
        yield name, entry


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
