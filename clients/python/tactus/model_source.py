"""A model as a request carries it: a file, a dict or a message."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Mapping
from typing import Any, Union

from tactus import check
from tactus.model_text import json_text, whole_content
from tactus.v1 import model_pb2

#: A file, the content of a model file, or the message.
Model = Union[str, "os.PathLike[str]", Mapping[str, Any], model_pb2.Model]


def model_source(model: Model) -> dict[str, Any]:
    """Fields of the ``source`` of ``ValidateModelRequest`` and ``LoadModelRequest``.

    A file travels as text, so that findings name its lines. A dict travels as JSON text, so that the server reports
    unknown fields together with all other findings.

    Parameters
    ----------
    model : str, os.PathLike, dict or tactus.v1.Model
        A file (``.json`` or ``.txtpb``), the content of a model file as a dict, which may hold NumPy arrays, or the
        message.

    Returns
    -------
    dict
        One entry: ``json``, ``text`` or ``model``.

    Raises
    ------
    OSError
        If the file cannot be read.
    """
    if isinstance(model, Mapping):
        return {"json": json_text(whole_content(model))}
    if isinstance(model, model_pb2.Model):
        return {"model": model}
    if not isinstance(model, (str, os.PathLike)):
        raise check.wrong("model", model, "the path of a model file, or its content")
    path = pathlib.Path(model)
    return {"text" if path.suffix == ".txtpb" else "json": path.read_text(encoding="utf-8")}
