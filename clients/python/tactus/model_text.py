"""A model as JSON text."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def json_text(model: Mapping[str, Any]) -> str:
    """The text of a model that is a dict, which may hold NumPy arrays and numbers.

    Raises
    ------
    TypeError
        If a value is neither JSON nor NumPy.
    """
    return json.dumps(dict(model), default=_plain)


def _plain(value: Any) -> Any:
    if not hasattr(value, "tolist"):
        raise TypeError(f"{value!r} of type {type(value).__name__} cannot be part of a model")
    return value.tolist()
