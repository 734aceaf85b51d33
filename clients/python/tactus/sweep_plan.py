"""The plan of a sweep: its cases are a pure function of it."""

from __future__ import annotations

import hashlib
import itertools
import json
import math
import os
import pathlib
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from tactus import units
from tactus.expression import Expression
from tactus.sweep_metrics import Metric

#: Where a variable of a plan may lead: "parameters.NAME", "inputs.NAME", "settings.NAME", or one of the last two.
ROOTS = ("parameters", "inputs", "settings", "period", "initial_condition")
DESIGNS = ("grid", "latin-hypercube", "sobol", "list")
_KEYS = {"model", "until", "every", "period", "threads", "integrator", "step", "initial_condition", "parameters", "inputs",
         "settings", "design", "cases", "seed", "variables", "metrics", "stop", "description"}


class Case(NamedTuple):
    """One run of a sweep.

    Attributes
    ----------
    number : int
        From 0, in the order of the plan.
    id : str
        Hash of all that decides its result.
    seed : int
        Of the noise of its inputs.
    values : dict of str to float or str
        Its values of the variables.
    """

    number: int
    id: str
    seed: int
    values: dict[str, Any]


class Plan:
    """A plan that was read and checked.

    Parameters
    ----------
    source : str, os.PathLike or dict
        A ``.json`` file, or its content.

    Raises
    ------
    ValueError
        Lists all mistakes that can be found without the model.

    Examples
    --------
    >>> plan = Plan({"model": "motor_four_bar", "until": "1s", "variables": {"parameters.rocker_mass": [0.5, 1.0]},
    ...              "metrics": {"peak": {"max": "crank_angle"}}})
    >>> [case.values for case in plan.cases()]
    [{'parameters.rocker_mass': 0.5}, {'parameters.rocker_mass': 1.0}]
    """

    def __init__(self, source: str | os.PathLike[str] | Mapping[str, Any]) -> None:
        folder = pathlib.Path()
        if isinstance(source, Mapping):
            content = json.loads(json.dumps(dict(source)))
        else:
            folder = pathlib.Path(source).parent
            try:
                content = json.loads(pathlib.Path(source).read_text(encoding="utf-8"))
            except json.JSONDecodeError as error:
                raise ValueError(f"{os.fspath(source)}: line {error.lineno}: {error.msg}") from error
        if not isinstance(content, dict):
            raise ValueError("a plan is a JSON object")
        model = content.get("model")
        if isinstance(model, str) and model.endswith(".json") and (folder / model).exists():
            # The content, so that a plan alone decides what its cases are.
            content["model"] = json.loads((folder / model).read_text(encoding="utf-8"))
        self.content: dict[str, Any] = content
        self.mistakes: list[str] = []
        self._read()
        if self.mistakes:
            raise ValueError("the plan has mistakes:\n  " + "\n  ".join(self.mistakes))
        self.hash = _digest(content)

    def _read(self) -> None:
        c, mistakes = self.content, self.mistakes
        for key in sorted(set(c) - _KEYS):
            mistakes.append(f"{key}: unknown; a plan has {', '.join(sorted(_KEYS))}")
        for key in ("model", "until", "metrics", "variables"):
            if not c.get(key):
                mistakes.append(f"{key}: required")
        self.until_ns = self._duration("until", c.get("until", "1s"))
        self.step_ns = self._duration("step", c.get("step", "1ms"))
        self.design = c.get("design", "grid")
        if self.design not in DESIGNS:
            mistakes.append(f"design = {self.design!r}: choose one of {', '.join(DESIGNS)}")
        self.variables: dict[str, Any] = c.get("variables", {})
        for name, values in self.variables.items():
            root, dot, rest = name.partition(".")
            if root not in ROOTS or (root in ROOTS[:3]) != bool(dot and rest):
                mistakes.append(f"variables.{name}: name it parameters.NAME, inputs.NAME, settings.NAME, period or "
                                "initial_condition")
            if self.design in ("grid", "list") and not (isinstance(values, list) and values):
                mistakes.append(f"variables.{name} = {values!r}: a {self.design} takes a list of values")
            if self.design in ("latin-hypercube", "sobol") and not (
                    isinstance(values, list) and len(values) == 2
                    and all(isinstance(x, (int, float)) and math.isfinite(x) for x in values)):
                mistakes.append(f"variables.{name} = {values!r}: a {self.design} takes two numbers, from and to")
        lengths = {len(values) for values in self.variables.values() if isinstance(values, list)}
        if self.design == "list" and len(lengths) > 1:
            mistakes.append("variables: the columns of a list have different lengths")
        if self.design in ("latin-hypercube", "sobol") and not (isinstance(c.get("cases"), int) and c["cases"] > 0):
            mistakes.append(f"cases = {c.get('cases')!r}: a {self.design} takes their number")
        self.metrics: dict[str, Metric] = {}
        for name, entry in c.get("metrics", {}).items():
            try:
                self.metrics[name] = Metric(entry)
            except ValueError as error:
                mistakes.append(f"metrics.{name}: {error}")
            else:
                if not self.metrics[name].expression.names - {"t"}:
                    mistakes.append(f"metrics.{name}: reads no signal")
        self.stop = self._expressions("stop", dict(enumerate(c.get("stop", []))))
        self.inputs = self._expressions("inputs", c.get("inputs", {}))
        for name, expression in self.inputs.items():
            for unknown in sorted(expression.names - {"t", "noise"}):
                mistakes.append(f"inputs.{name}: {unknown} is unknown; an input is an expression of t, s, and of noise")

    def _duration(self, key: str, value: Any) -> int:
        try:
            return units.duration(value)
        except (ValueError, TypeError) as error:
            self.mistakes.append(f"{key}: {error}")
            return 1

    def _expressions(self, key: str, entries: Mapping[Any, Any]) -> dict[Any, Expression]:
        found = {}
        for name, entry in entries.items():
            try:
                found[name] = Expression(str(entry))
            except ValueError as error:
                self.mistakes.append(f"{key}.{name}: {error}")
        return found

    def cases(self) -> list[Case]:
        """All cases, in their order."""
        c, names = self.content, list(self.variables)
        if self.design == "grid":
            rows: list[tuple[Any, ...]] = list(itertools.product(*self.variables.values()))
        elif self.design == "list":
            rows = list(zip(*self.variables.values()))
        else:
            from scipy.stats import qmc

            kinds = {"latin-hypercube": qmc.LatinHypercube, "sobol": qmc.Sobol}
            # A power of two keeps the balance of a Sobol sequence, and the first points are those of any number.
            sampler = kinds[self.design](len(names), seed=np.random.default_rng(c.get("seed", 0)))
            count = c["cases"]
            unit = (sampler.random_base2(math.ceil(math.log2(count)))[:count] if self.design == "sobol"
                    else sampler.random(count))
            ends = np.array(list(self.variables.values()), dtype=np.float64)
            rows = [tuple(row) for row in (ends[:, 0] + unit * (ends[:, 1] - ends[:, 0])).tolist()]
        cases = []
        for index, row in enumerate(rows):
            values = dict(zip(names, row))
            seed = int(_digest([c.get("seed", 0), index])[:12], 16)
            cases.append(Case(index, _digest([self.hash, index, values])[:16], seed, values))
        return cases


def _digest(content: Any) -> str:
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
