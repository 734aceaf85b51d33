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

from tactus import check, units
from tactus.expression import Expression
from tactus.model_text import plain
from tactus.sweep_checks import RESERVED, Checks, is_number
from tactus.sweep_metrics import Metric

#: Where a variable of a plan may lead: "parameters.NAME", "inputs.NAME", "settings.NAME", or one of the last two.
ROOTS = ("parameters", "inputs", "settings", "period", "initial_condition")
DESIGNS = ("grid", "latin-hypercube", "sobol", "list")
#: Cases of a plan; each is a file.
MOST_CASES = 1_000_000
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
        A ``.json`` file, or its content, which may hold NumPy arrays.

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
        folder, files = pathlib.Path(), None
        self._place = "" if isinstance(source, Mapping) else f"{check.path('plan', source)}: "
        if isinstance(source, Mapping):
            files = getattr(source.get("model"), "folder", None)
            try:
                content = json.loads(json.dumps(dict(source), default=plain))  # arrays of NumPy become lists
            except TypeError as error:
                raise ValueError(f"the plan cannot be written as JSON: {error}; write numbers, texts, lists and dicts"
                                 ) from error
        else:
            folder = files = pathlib.Path(source).parent
            try:
                content = json.loads(pathlib.Path(source).read_text(encoding="utf-8"))
            except json.JSONDecodeError as error:
                raise ValueError(f"{self._place}line {error.lineno}: {error.msg}") from error
            except UnicodeDecodeError as error:
                raise ValueError(f"{self._place}is not UTF-8 text: byte {error.start}") from error
            except RecursionError:
                raise ValueError(f"{self._place}nested too deep") from None
        if not isinstance(content, dict):
            raise ValueError(f"{self._place}a plan is a JSON object")
        self.content: dict[str, Any] = content
        self._checks = Checks(content)
        self.mistakes = self._checks.mistakes
        self._checks.model(folder, files)
        self._read()
        if self.mistakes:
            raise self.refusal(self.mistakes)
        self.hash = digest(content)

    def refusal(self, mistakes: list[str]) -> ValueError:
        """The error that lists mistakes and names the file of the plan."""
        return ValueError(f"{self._place}the plan has mistakes:\n  " + "\n  ".join(mistakes))

    def _read(self) -> None:
        c, checks, mistakes = self.content, self._checks, self.mistakes
        for key in sorted(set(c) - _KEYS):
            mistakes.append(f"{key}: unknown; a plan has {', '.join(sorted(_KEYS))}")
        for key in ("model", "until", "metrics", "variables"):
            if not c.get(key):
                mistakes.append(f"{key}: required")
        self.until_ns = checks.time("until", c.get("until", "1s"))
        self.step_ns = checks.time("step", c.get("step", "1ms"))
        self.integrator = checks.text("integrator")
        if "step" in c and not self.integrator:
            checks.note("step", c["step"], "it is that of an integrator, and the plan has none; write period for ticks")
        self.every, self.threads = checks.whole("every", 1), checks.whole("threads", 1)
        for key in ("period", "initial_condition"):
            if key in c:
                checks.value(key, key, c[key])
        for key in ("parameters", "settings"):
            for name, value in checks.entries(key, "values").items():
                checks.value(key, f"{key}.{name}", value)
        self.design = c.get("design", "grid")
        if self.design not in DESIGNS:
            mistakes.append(f"design = {self.design!r}: choose one of {', '.join(DESIGNS)}")
        sampled = self.design in DESIGNS[1:3]
        self.seed = checks.whole("seed", 0, 0 if sampled else None)
        if sampled:
            checks.whole("cases", 0)
        self._read_variables(sampled)
        self._read_every()
        self._read_metrics()
        self.stop = self._expressions("stop", dict(enumerate(checks.listed("stop", "expressions"))))
        self.inputs = self._expressions("inputs", checks.entries("inputs", "expressions"))
        for name, expression in self.inputs.items():
            if f"inputs.{name}" in self.variables:
                mistakes.append(f"inputs.{name}: a variable has this name, too; write the actuator in one of both places")
            for unknown in sorted(expression.names - {"t", "noise"}):
                mistakes.append(f"inputs.{name}: {unknown} is unknown; an input is an expression of t, s, and of noise")
            if not expression.names and not math.isfinite(expression({})):
                checks.note(f"inputs.{name}", expression.text, "its value is not finite")

    def _read_variables(self, sampled: bool) -> None:
        checks = self._checks
        self.variables: dict[str, Any] = checks.entries("variables", "lists of values")
        for name, values in self.variables.items():
            place = f"variables.{name}"
            root, dot, rest = name.partition(".")
            if root not in ROOTS or (root in ROOTS[:3]) != bool(dot and rest):
                self.mistakes.append(f"{place}: name it parameters.NAME, inputs.NAME, settings.NAME, period or "
                                     "initial_condition")
            elif not isinstance(values, list) or not values or (sampled and not (
                    len(values) == 2 and all(map(is_number, values)))):
                rule = "a list of two numbers, the lowest and the highest value: [1, 2]" if sampled else "a list of values"
                checks.note(place, values, f"a {self.design} takes {rule}")
            else:
                for value in values:
                    checks.value(root, place, value)
        lengths = {len(values) for values in self.variables.values() if isinstance(values, list)}
        if self.design == "list" and len(lengths) > 1:
            self.mistakes.append("variables: the columns of a list have different lengths")
        elif not self.mistakes and self.count() > MOST_CASES:
            self.mistakes.append(f"{'cases' if sampled else 'variables'}: the plan has {self.count()} cases; a plan has at "
                                 f"most {MOST_CASES}")

    def _read_every(self) -> None:
        """No more than the ticks of a case. What a model has as its period is judged with it."""
        periods = [self.content.get("period")]
        if "period" in self.variables:
            periods = self.variables["period"] if isinstance(self.variables["period"], list) else []
        if self.mistakes or self.integrator:
            return
        for period in periods:
            mistake = self.mistake_of_every(units.period(period)) if period is not None else ""
            if mistake:
                self.mistakes.append(mistake)

    def ticks(self, period_ns: int) -> int:
        """Ticks of a case: up to `until` or, if that is between two ticks, to the tick after it."""
        return -(-self.until_ns // period_ns)

    def mistake_of_every(self, period_ns: int) -> str:
        """What is wrong with `every` at a period; empty for nothing."""
        count = self.ticks(period_ns)
        return "" if self.every <= count else (
            f"every = {self.every}: a case has {count} ticks of {period_ns * 1e-6:g} ms, so that metrics would see the "
            f"last tick only; write at most {count}")

    def _read_metrics(self) -> None:
        self.metrics: dict[str, Metric] = {}
        for name, entry in self._checks.entries("metrics", "metrics").items():
            if name in RESERVED or name in self.variables:
                column = "a column of the results" if name not in self.variables else "a variable"
                self.mistakes.append(f"metrics.{name}: {column} has this name; choose another one")
                continue
            if not name.strip() or name != name.strip() or not name.isprintable() or set(name) & set(',"'):
                self.mistakes.append(f"metrics.{name}: the name {name!r} heads a column of a table; write a name without "
                                     "commas, quotes and spaces at its ends")
                continue
            try:
                self.metrics[name] = Metric(entry)
            except ValueError as error:
                self.mistakes.append(f"metrics.{name}: {error}")
            else:
                if not self.metrics[name].expression.names - {"t"}:
                    self.mistakes.append(f"metrics.{name}: reads no signal")

    def _expressions(self, key: str, entries: Mapping[Any, Any]) -> dict[Any, Expression]:
        found = {}
        for name, entry in entries.items():
            try:
                found[name] = Expression(str(entry))
            except ValueError as error:
                self.mistakes.append(f"{key}.{name}: {error}")
        return found

    def count(self) -> int:
        """The number of all cases."""
        lengths = [len(values) for values in self.variables.values()]
        return (math.prod(lengths) if self.design == "grid" else lengths[0] if self.design == "list"
                else int(self.content["cases"]))

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
            sampler = kinds[self.design](len(names), seed=np.random.default_rng(self.seed))
            count = int(c["cases"])
            unit = (sampler.random_base2(math.ceil(math.log2(count)))[:count] if self.design == "sobol"
                    else sampler.random(count))
            ends = np.array(list(self.variables.values()), dtype=np.float64)
            rows = [tuple(row) for row in (ends[:, 0] + unit * (ends[:, 1] - ends[:, 0])).tolist()]
        cases = []
        for index, row in enumerate(rows):
            values = dict(zip(names, row))
            seed = int(digest([c.get("seed", 0), index])[:12], 16)
            cases.append(Case(index, digest([self.hash, index, values])[:16], seed, values))
        return cases


def digest(content: Any) -> str:
    """Hash of a value of JSON."""
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
