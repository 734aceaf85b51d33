"""A model as a request carries it: a file, a dict or a message."""

import json
import os
import pathlib

from tactus.v1 import model_pb2


def json_text(model):
    """The text of a model that is a dict, which may hold NumPy arrays and numbers.

    Raises
    ------
    TypeError
        If a value is neither JSON nor NumPy.
    """
    return json.dumps(model, default=_plain)


def _plain(value):
    if not hasattr(value, "tolist"):
        raise TypeError(f"{value!r} of type {type(value).__name__} cannot be part of a model")
    return value.tolist()


def model_source(model):
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
    if isinstance(model, dict):
        return {"json": json_text(model)}
    if isinstance(model, model_pb2.Model):
        return {"model": model}
    path = pathlib.Path(os.fspath(model))
    return {"text" if path.suffix == ".txtpb" else "json": path.read_text(encoding="utf-8")}
