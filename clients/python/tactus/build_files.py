"""Files of models in Python, and findings on models that name other files."""

from __future__ import annotations

import json
import os
import pathlib
from collections.abc import Mapping
from typing import Any

from tactus import check
from tactus.errors import Finding
from tactus.model_text import finding_of, finite, folder_text, json_text, not_finite
from tactus.private_file import draft_of, private_file


def write(content: Mapping[str, Any], path: str | os.PathLike[str]) -> None:
    """See `tactus.build.Model.write`."""
    target = pathlib.Path(check.path("path", path))
    if wrong := [path for path, _ in not_finite(content)]:
        raise ValueError(f"{target}: a model file holds finite numbers alone, and these are none: {', '.join(wrong)}")
    if target.suffix == ".json":
        text = json.dumps(content, indent=2, allow_nan=False) + "\n"
    elif target.suffix == ".txtpb":
        from google.protobuf import json_format, text_format

        from tactus.v1 import model_pb2

        text = text_format.MessageToString(json_format.ParseDict(dict(content), model_pb2.Model()))
    else:
        raise ValueError(f"{target}: a model file ends in .json or .txtpb")
    with draft_of(target) as draft:
        private_file(draft).write_text(text, encoding="utf-8")


def findings(content: Mapping[str, Any], folder: pathlib.Path | None) -> list[Finding]:
    """See `tactus.build.Model.check`."""
    from tactus import _native

    wrong = dict(not_finite(content))
    found = [Finding(*finding) for finding in _native.check(json_text(finite(content)), folder_text(folder))]
    return [finding_of(*entry) for entry in wrong.items()] + [entry for entry in found if entry.path not in wrong]
