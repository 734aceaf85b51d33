"""Expressions over signals: arithmetic and a few functions of NumPy, and nothing else of Python."""

from __future__ import annotations

import ast
import keyword
import math
import operator
import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np



def _where(condition: Any, then: Any, otherwise: Any) -> Any:
    return np.where(np.isnan(condition), np.nan, np.where(condition, then, otherwise))


def _judged(compare: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """A comparison whose result is 1 or 0, or NaN where an operand is NaN."""
    return lambda a, b: np.where(np.isnan(a) | np.isnan(b), np.nan, compare(a, b))


def _and(a: Any, b: Any) -> Any:
    """0 where an operand is 0, whatever the other operand is; else NaN where an operand is NaN; else 1."""
    unknown = np.where(np.isnan(a) | np.isnan(b), np.nan, 1.0)
    return np.where(np.equal(a, 0) | np.equal(b, 0), 0.0, unknown)


def _or(a: Any, b: Any) -> Any:
    """1 where an operand is a number other than 0; else NaN where an operand is NaN; else 0."""
    unknown = np.where(np.isnan(a) | np.isnan(b), np.nan, 0.0)
    return np.where(is_met(a) | is_met(b), 1.0, unknown)


def _not(a: Any) -> Any:
    """1 where the operand is 0, NaN where the operand is NaN, else 0."""
    return np.where(np.isnan(a), np.nan, np.equal(a, 0))


def is_met(condition: Any) -> Any:
    """Where a condition is met: its value is a number other than 0. A condition that is NaN is not met.

    Examples
    --------
    >>> import numpy as np
    >>> is_met(Expression("x > 1")({"x": np.array([0.0, 2.0, np.nan])})).tolist()
    [False, True, False]
    """
    return np.not_equal(condition, 0) & ~np.isnan(condition)


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    name: getattr(np, name)
    for name in ("abs", "sqrt", "exp", "log", "sin", "cos", "tan", "arctan", "arctan2", "sign", "minimum", "maximum",
                 "hypot", "floor")
} | {"where": _where}
# How many values each function takes; one, where it is not listed.
_COUNTS = {"arctan2": 2, "where": 3, "minimum": 2, "maximum": 2, "hypot": 2}
_CONSTANTS = {"pi": np.pi}
_BINARY: dict[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.Pow: operator.pow, ast.Mod: operator.mod, ast.Lt: _judged(operator.lt), ast.LtE: _judged(operator.le),
    ast.Gt: _judged(operator.gt), ast.GtE: _judged(operator.ge)}
_JOINS: dict[type[ast.AST], Callable[[Any, Any], Any]] = {ast.And: _and, ast.Or: _or}
_UNARY: dict[type[ast.AST], Callable[[Any], Any]] = {ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Not: _not}
# Names such as beam.8.r.z, which Python does not read, get another name for its parser.
_DOTTED = re.compile(r"(?<![\w.])[^\W\d]\w*(?:\.\w+)+")


class Expression:
    """An expression over named values.

    Parameters
    ----------
    text : str
        Numbers, names of signals (``beam.8.r.z``), ``+ - * / ** %``, one comparison, ``and``, ``or``, ``not``, and functions
        of NumPy such as ``abs`` and ``where``. A comparison is 1 or 0, or NaN where an operand is NaN. ``where`` with a
        condition of NaN is NaN.

    Attributes
    ----------
    names : set of str
        The names that it reads.

    Raises
    ------
    ValueError
        If it has anything else.

    Examples
    --------
    >>> speed = Expression("sqrt(car.v.x**2 + car.v.y**2)")
    >>> sorted(speed.names), float(speed({"car.v.x": 3.0, "car.v.y": 4.0}))
    (['car.v.x', 'car.v.y'], 5.0)
    >>> float(Expression("where(x > 0, 1, 0)")({"x": float("nan")}))
    nan
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.names: set[str] = set()
        self._stand_ins: dict[str, str] = {}
        try:
            self._tree = ast.parse(_DOTTED.sub(self._readable, text), mode="eval").body
            self._visit(self._tree, self.names.add)
        except (SyntaxError, TypeError, RecursionError, MemoryError) as error:
            reason = error.msg if isinstance(error, SyntaxError) else str(error)
            raise ValueError(f"expression {text!r}: {reason}") from error

    def __call__(self, values: Mapping[str, Any]) -> Any:
        """The value; a name that is missing raises KeyError."""
        with np.errstate(all="ignore"):  # results that are not finite are judged by the caller
            return self._value(self._tree, values)

    def _readable(self, found: re.Match[str]) -> str:
        name = found.group()
        if all(part.isidentifier() and not keyword.iskeyword(part) for part in name.split(".")):
            return name
        stand_in = f"__name_{len(self._stand_ins)}__"
        self._stand_ins[stand_in] = name
        return stand_in

    def _name(self, node: ast.AST) -> str | None:
        if isinstance(node, ast.Name):
            return self._stand_ins.get(node.id, node.id)
        if isinstance(node, ast.Attribute):
            base = self._name(node.value)
            return None if base is None else f"{base}.{node.attr}"
        return None

    def _wrong(self, node: ast.AST, complaint: str) -> ValueError:
        shown = ast.unparse(node)
        for stand_in, name in self._stand_ins.items():
            shown = shown.replace(stand_in, name)
        return ValueError(f"expression {self.text!r}: {shown} {complaint}")

    def _visit(self, node: ast.AST, found: Callable[[str], None]) -> None:
        if isinstance(node, (ast.Name, ast.Attribute)):
            name = self._name(node)
            if name is None:
                raise self._wrong(node, "is no name of a signal")
            if name not in _CONSTANTS:
                found(name)
        elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
            if not _is_finite(node.value):
                raise self._wrong(node, "is too large; write a number below 1e308")
        elif isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
            self._visit(node.left, found)
            self._visit(node.right, found)
        elif isinstance(node, ast.UnaryOp) and type(node.op) in _UNARY:
            self._visit(node.operand, found)
        elif isinstance(node, ast.BoolOp):
            for part in node.values:
                self._visit(part, found)
        elif isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _BINARY:
            self._visit(node.left, found)
            self._visit(node.comparators[0], found)
        elif isinstance(node, ast.Call) and not node.keywords and isinstance(node.func, ast.Name):
            if node.func.id not in _FUNCTIONS:
                raise self._wrong(node.func, f"is not one of {', '.join(_FUNCTIONS)}")
            count = _COUNTS.get(node.func.id, 1)
            if len(node.args) != count:
                raise self._wrong(node, f"has {len(node.args)} values; {node.func.id} takes {count}")
            for part in node.args:
                self._visit(part, found)
        elif isinstance(node, ast.Compare) and len(node.ops) > 1:
            raise self._wrong(node, "has several comparisons; join them with and")
        else:
            raise self._wrong(node, "is not allowed; an expression has numbers, names of signals, + - * / ** %, < <= > >=, and, "
                              f"or, not, and the functions {', '.join(_FUNCTIONS)}")

    def _value(self, node: ast.AST, values: Mapping[str, Any]) -> Any:
        if isinstance(node, (ast.Name, ast.Attribute)):
            name = self._name(node) or ""
            return _CONSTANTS[name] if name in _CONSTANTS else values[name]
        if isinstance(node, ast.Constant):
            return np.float64(node.value)  # a number of Python would raise ZeroDivisionError and OverflowError
        if isinstance(node, ast.BinOp):
            return _BINARY[type(node.op)](self._value(node.left, values), self._value(node.right, values))
        if isinstance(node, ast.UnaryOp):
            return _UNARY[type(node.op)](self._value(node.operand, values))
        if isinstance(node, ast.BoolOp):
            join = _JOINS[type(node.op)]
            result = self._value(node.values[0], values)
            for part in node.values[1:]:
                result = join(result, self._value(part, values))
            return result
        if isinstance(node, ast.Compare):
            return _BINARY[type(node.ops[0])](self._value(node.left, values), self._value(node.comparators[0], values))
        assert isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        return _FUNCTIONS[node.func.id](*(self._value(part, values) for part in node.args))


def _is_finite(number: float) -> bool:
    try:
        return math.isfinite(number)
    except OverflowError:  # a whole number that no float holds
        return False
