"""Checks of the entries of a plan: each mistake is noted, so that all of them are told together."""

from __future__ import annotations

import json
import math
import pathlib
from collections.abc import Callable
from typing import Any

from tactus import units
from tactus.errors import TactusError
from tactus.model_text import names_files, whole_content

#: Columns of the results, and words that NumPy takes for itself; no metric may have such a name.
RESERVED = ("case", "id", "seed", "end", "stopped", "fault", "state_hash", "model_hash", "build_hash", "provenance", "file",
            "allow_pickle")

#: Of counts: what the native module takes.
LARGEST = 2**31 - 1


def is_number(value: Any) -> bool:
    """Whether a value of JSON is a finite number, which ``true`` is not.

    Examples
    --------
    >>> [is_number(value) for value in (1, 0.5, True, "1", None, float("nan"), 10**400)]
    [True, True, False, False, False, False, False]
    """
    try:
        return type(value) in (int, float) and math.isfinite(value)
    except OverflowError:  # a whole number that no float holds
        return False


class Checks:
    """The entries of a plan, and the mistakes that were found in them.

    Parameters
    ----------
    content : dict

    Attributes
    ----------
    mistakes : list of str

    Examples
    --------
    >>> checks = Checks({"every": 1.5, "threads": 2})
    >>> checks.whole("every", 1), checks.whole("threads", 1), checks.mistakes
    (1, 2, ['every = 1.5: write a whole number of at least 1'])
    """

    def __init__(self, content: dict[str, Any]) -> None:
        self.content = content
        self.mistakes: list[str] = []

    def note(self, place: str, value: Any, rule: str) -> None:
        """Notes a mistake."""
        self.mistakes.append(f"{place} = {value!r}: {rule}")

    def whole(self, key: str, default: int, lowest: int | None = 1) -> int:
        """A whole number; one that counts, from 1, is at most `LARGEST`."""
        value = self.content.get(key, default)
        if not is_number(value) or value != int(value) or (lowest is not None and value < lowest):
            self.note(key, value, "write a whole number" + ("" if lowest is None else f" of at least {lowest}"))
            return default
        if lowest == 1 and value > LARGEST:
            self.note(key, value, f"write at most {LARGEST}")
            return default
        return int(value)

    def text(self, key: str) -> str:
        """A text, empty if there is none."""
        value = self.content.get(key, "")
        if not isinstance(value, str):
            self.note(key, value, "write a text")
            return ""
        return value

    def time(self, key: str, value: Any, read: Callable[[Any], int] = units.duration) -> int:
        """Nanoseconds of a duration or, read by `units.period`, of a period; 1 if it is a mistake."""
        try:
            return read(value)
        except (ValueError, TypeError) as error:
            self.mistakes.append(f"{key}: {error}")
            return 1

    def entries(self, key: str, what: str) -> dict[str, Any]:
        """A JSON object, empty if there is none."""
        value = self.content.get(key, {})
        if not isinstance(value, dict):
            self.note(key, value, f"write an object, {what} by name")
            return {}
        return value

    def listed(self, key: str, what: str) -> list[Any]:
        """A list, empty if there is none."""
        value = self.content.get(key, [])
        if not isinstance(value, list):
            self.note(key, value, f"write a list of {what}")
            return []
        return value

    def value(self, root: str, place: str, value: Any) -> None:
        """A value of parameters, inputs, settings, the period or the initial condition."""
        if root == "period":
            self.time(place, value, units.period)
        elif root == "initial_condition":
            if not isinstance(value, str):
                self.note(place, value, "write the name of an initial condition, or \"\"")
        elif root == "settings" and (isinstance(value, bool) or (isinstance(value, str) and self.content.get("integrator"))):
            pass
        elif not is_number(value):
            self.note(place, value, "write a finite number")

    def model(self, folder: pathlib.Path, files: pathlib.Path | None) -> None:
        """Puts the content of a model file in the place of its name, so that a plan alone decides what its cases are.

        Parameters
        ----------
        folder : pathlib.Path
            In which a model file is.
        files : pathlib.Path or None
            Folder of the files that the content of a model names.
        """
        model = self.content.get("model")
        if model is not None and not isinstance(model, (str, dict)):
            self.note("model", model, "write the name of a built-in model or of a file beside the plan, or the content of "
                      "one")
        if isinstance(model, dict):
            try:
                self.content["model"] = whole_content(model, files)
            except (TactusError, ValueError) as error:
                self.mistakes.append(f"model: {error}")
        if not isinstance(model, str) or not model.endswith((".json", ".txtpb")):
            return
        file = folder / model
        if not file.is_file():
            self.note("model", model, f"there is no file {file}; write its path from the folder of the plan")
            return
        try:
            self.content["model"] = _content_of(file)
        except (TactusError, ValueError) as error:
            self.mistakes.append(f"model: {file}: {error}")


def _content_of(file: pathlib.Path) -> Any:
    if file.suffix == ".json":
        try:
            content = json.loads(file.read_text(encoding="utf-8"))
        except json.JSONDecodeError as error:
            raise ValueError(f"line {error.lineno}: {error.msg}") from error
        if not names_files(content):
            return content
    from tactus import _native
    from tactus.simulation import Simulation

    Simulation(file)  # raises all findings with their lines; the content has only what could be read
    return json.loads(_native.model_content(str(file), None))
