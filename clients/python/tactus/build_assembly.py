"""Sub-assemblies: a model that becomes part of another one."""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tactus.build_body import Body
from tactus.build_moved import Move, changed_fields
from tactus.build_parts import GROUND, NAMELESS, Frame
from tactus.model_text import names_files

if TYPE_CHECKING:
    from tactus.build import Model

# Fields with names of bodies and elements, as in server/model_io/element_names.cpp. All other texts and words stay: a body
# may be called "left", which is a side of a road, too.
_REFERENCES = frozenset({"body", "body_1", "body_2", "carrier", "drive", "elements", "force", "joint", "joint_1", "joint_2",
                         "joints", "road", "spring", "table"})
_BY_INDEX = re.compile(r"^(\w+)\[(\d+)\]\.")
_BY_NAME = re.compile(r"^(\w+)\[([^\W\d][^\]]*)\]\.")


def add_part(model: Model, part: Model, prefix: str, place: Frame, on: Body | None) -> dict[str, Body]:
    """See `tactus.build.Model.add`; `place` is that of the world of the part."""
    move = Move(place, on)
    if prefix and any(collection == "includes" for collection, _ in part.elements):
        raise ValueError(f"the part {part.name!r} includes files, and the names of their elements get no prefix here: include "
                         "its file by Model.include(file=..., prefix=...), or add it without a prefix")
    folder = model.folder
    if part.folder is not None and names_files(part._content(is_complete=False)):
        folder = folder or part.folder
        if folder != part.folder:
            raise ValueError(f"the part {part.name!r} names files in {part.folder}, and the model has the folder {folder}: bring "
                             "the files into one folder")
    names = {name: prefix + name for name in part.bodies}
    names |= {name: prefix + name for collection, name in part.elements if collection not in NAMELESS}
    ground = on.name if on else GROUND
    bodies = {name: _twin(body, part, move, names, ground) for name, body in part.bodies.items()}
    elements = []
    moved: dict[tuple[str, str], list[str]] = {}
    for element in part.elements.values():
        twin = move.element(element)
        moved[element.collection, element.name] = [
            _path(path) for path in changed_fields({**element.outer, **element.fields}, {**twin.outer, **twin.fields})]
        if element.collection == "includes" and not twin.outer.get("body"):
            twin.outer["body"] = GROUND
        if element.collection == "parameters":
            twin.outer["targets"] = [_by_name(target, part) for target in twin.outer.get("targets") or []]
        twin.outer = renamed(twin.outer, names | {GROUND: ground})
        twin.fields = renamed(twin.fields, names | {GROUND: ground})
        twin.name = prefix + element.name
        elements.append(twin)
    _require_fixed_targets(part, moved)

    for twin_body in bodies.values():
        model._require_free(twin_body.name)
    for twin in elements:
        if twin.collection not in NAMELESS and (twin.collection, twin.name) in model.elements:
            raise ValueError(f"{twin.collection} has an element {twin.name!r} already: give a prefix")
    model.folder = folder
    for twin_body in bodies.values():
        model._keep(twin_body)
    for twin in elements:
        if twin.collection in NAMELESS:
            twin.name = model._key(twin.collection)
        model.elements[twin.collection, twin.name] = twin
    return bodies


def _twin(body: Body, part: Model, move: Move, names: Mapping[str, str], ground: str) -> Body:
    """A copy of a body, renamed and moved."""
    twin = copy.copy(body)
    twin.name, twin.shapes, twin.fields = names[body.name], list(body.shapes), copy.deepcopy(body.fields)
    move.body(twin.fields)
    placement = twin.fields.get("placement")
    if placement is None:
        twin.frame = body.frame if move.is_none else move.world.after(body.frame)
        return twin
    joint = part.elements.get(("joints", placement.get("joint", "")))
    if joint is not None and not move.is_none:
        move.joint_placement(body.name, joint, placement)
    if "joint" not in placement:
        placement.setdefault("body", GROUND)
    twin.fields["placement"] = renamed(placement, {**names, GROUND: ground})
    return twin


def _path(path: tuple[str | int, ...]) -> str:
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)


def _by_name(target: str, part: Model) -> str:
    """The path of a target with the name of its element in place of its index, which another model does not share, and
    without brackets."""
    if named := _BY_NAME.match(target):
        return f"{named[1]}.{named[2]}.{target[named.end():]}"
    found = _BY_INDEX.match(target)
    if not found:
        return target
    collection, index = found[1], int(found[2])
    names = list(part.bodies) if collection == "bodies" else [name for kind, name in part.elements if kind == collection]
    return f"{collection}.{names[index]}.{target[found.end():]}" if index < len(names) else target


def _require_fixed_targets(part: Model, moved: Mapping[tuple[str, str], list[str]]) -> None:
    """A parameter is one number; a component of a vector that is turned becomes a mixture of several."""
    for (collection, name), parameter in part.elements.items():
        for target in parameter.outer.get("targets") or [] if collection == "parameters" else []:
            steps = _by_name(target, part).split(".", 2)
            if len(steps) < 3:
                continue
            rest = f".{steps[2]}"
            for path in moved.get((steps[0], steps[1]), ()):
                if f"{path}[" in rest:
                    raise ValueError(f"the parameter {name!r} of the part sets {target}, a component of a vector that moves "
                                     "with the part: remove the parameter or this target, or add the part where it is")


def renamed(value: Any, names: Mapping[str, str]) -> Any:
    """A value in which names of bodies and elements are replaced, also those of their parts, ``"beam.4"``, and inside the
    paths of the targets of parameters."""
    if isinstance(value, Mapping):
        return {key: _renamed_field(key, entry, names) for key, entry in value.items()}
    if isinstance(value, list):
        return [renamed(entry, names) for entry in value]
    return value


def _renamed_field(key: str, value: Any, names: Mapping[str, str]) -> Any:
    if key not in _REFERENCES and key != "targets":
        return renamed(value, names)
    rename = _renamed_path if key == "targets" else _renamed_name
    if isinstance(value, str):
        return rename(value, names)
    if isinstance(value, list):
        return [rename(entry, names) if isinstance(entry, str) else renamed(entry, names) for entry in value]
    return renamed(value, names)


def _renamed_name(value: str, names: Mapping[str, str]) -> str:
    name, dot, rest = value.partition(".")
    return names.get(name, name) + dot + rest


def _renamed_path(value: str, names: Mapping[str, str]) -> str:
    collection, dot, rest = value.partition(".")
    name, dot_2, field = rest.partition(".")
    return f"{collection}.{names[name]}.{field}" if dot_2 and name in names else value
