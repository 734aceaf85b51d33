"""A model as JSON text."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator, Mapping
from typing import Any

from tactus import check
from tactus.errors import Finding, ModelInvalid


def json_text(model: Mapping[str, Any]) -> str:
    """The text of a model that is a dict, which may hold NumPy arrays and numbers.

    Raises
    ------
    TypeError
        If a value is neither JSON nor NumPy.
    ModelInvalid
        If a number is NaN or infinite, which no model file can hold; ``findings`` names all of them.
    """
    content = dict(model)
    try:
        return json.dumps(content, default=plain, allow_nan=False)
    except ValueError:
        findings = [finding_of(path, value) for path, value in not_finite(content)]
        if not findings:  # a value that contains itself
            raise
        raise ModelInvalid("the model is not valid", "INVALID_ARGUMENT", "MODEL_INVALID", "model", "", findings) from None


def folder_text(folder: str | os.PathLike[str] | None) -> str:
    """The whole path of a folder, empty for none."""
    return "" if folder is None else os.path.abspath(folder)


def model_words(model: str | os.PathLike[str] | Mapping[str, Any]) -> tuple[str, str | None]:
    """A model as the module `tactus._native` takes it: its content and the folder of the files that this names, or its name
    and None.

    Examples
    --------
    >>> model_words("four_bar"), model_words({"name": "empty"})
    (('four_bar', None), ('{"name": "empty"}', ''))
    """
    if isinstance(model, Mapping):
        return json_text(model), folder_text(getattr(model, "folder", None))
    name = os.fspath(model) if isinstance(model, (str, os.PathLike)) else None
    if not isinstance(name, str):
        raise check.wrong("model", model, "the name of a built-in model, the path of a model file, or its content")
    return check.text("model", name), None


def names_files(content: Any) -> bool:
    """Whether the content of a model names other files: includes, meshes, grids or tyres."""
    if isinstance(content, (list, tuple)):
        return any(names_files(entry) for entry in content)
    return isinstance(content, Mapping) and ("file" in content or any(names_files(entry) for entry in content.values()))


def whole_content(model: Mapping[str, Any], folder: str | os.PathLike[str] | None = None) -> dict[str, Any]:
    """The content of a model, with that of all files that it names if a folder for them is given or the model has one.

    Raises
    ------
    ModelInvalid
        With all findings, if it has some.
    """
    content = dict(model)
    files = folder if folder is not None else getattr(model, "folder", None)
    if files is None or not names_files(content):
        return content
    try:
        from tactus import _native
    except ImportError:  # the server refuses the files then, and says why
        return content
    words = json_text(model), folder_text(files)
    _native.Simulation(*words, 0, [], [], "", 1)  # raises all findings; the content has only what could be read
    whole: dict[str, Any] = json.loads(_native.model_content(*words))
    return whole


def not_finite(value: Any, path: str = "") -> Iterator[tuple[str, float]]:
    """The paths of all numbers of a model that are NaN or infinite: ``"bodies[0].mass"``.

    Examples
    --------
    >>> list(not_finite({"bodies": [{"mass": float("inf")}]}))
    [('bodies[0].mass', inf)]
    """
    if isinstance(value, Mapping):
        for key, entry in value.items():
            yield from not_finite(entry, f"{path}.{key}" if path else str(key))
    elif isinstance(value, (list, tuple)):
        for i, entry in enumerate(value):
            yield from not_finite(entry, f"{path}[{i}]")
    elif isinstance(value, float):
        if not math.isfinite(value):
            yield path, value
    elif hasattr(value, "tolist"):
        yield from not_finite(value.tolist(), path)


def finding_of(path: str, value: float) -> Finding:
    """The finding on a number that is not finite."""
    return Finding("error", 0, path, str(float(value)), "must be a finite number", "")


def finite(value: Any) -> Any:
    """The value with 1 in place of all numbers that are NaN or infinite: what else is wrong can be found then."""
    if isinstance(value, Mapping):
        return {key: finite(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [finite(entry) for entry in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else 1.0
    return finite(value.tolist()) if hasattr(value, "tolist") else value


def plain(value: Any) -> Any:
    """A value of NumPy, or a mapping such as `tactus.build.Model`, as a value of JSON. Raises TypeError for any other value."""
    if isinstance(value, Mapping):
        return dict(value)
    if not hasattr(value, "tolist"):
        raise TypeError(f"{value!r} of type {type(value).__name__} cannot be part of a model")
    return value.tolist()
