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

_FUNCTIONS: dict[str, Callable[..., Any]] = {
    name: getattr(np, name)
    for name in ("abs", "sqrt", "exp", "log", "sin", "cos", "tan", "arctan", "arctan2", "sign", "where", "minimum",
                 "maximum", "hypot", "floor")
}
# How many values each function takes; one, where it is not listed.
_COUNTS = {"arctan2": 2, "where": 3, "minimum": 2, "maximum": 2, "hypot": 2}
_CONSTANTS = {"pi": np.pi}
_BINARY: dict[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.Pow: operator.pow, ast.Mod: operator.mod, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
    ast.GtE: operator.ge}
_JOINS: dict[type[ast.AST], Callable[[Any, Any], Any]] = {ast.And: np.logical_and, ast.Or: np.logical_or}
_UNARY: dict[type[ast.AST], Callable[[Any], Any]] = {ast.USub: operator.neg, ast.UAdd: operator.pos}
# Names such as beam.8.r.z, which Python does not read, get another name for its parser.
_DOTTED = re.compile(r"(?<![\w.])[^\W\d]\w*(?:\.\w+)+")


class Expression:
    """An expression over named values.

    Parameters
    ----------
    text : str
        Numbers, names of signals (``beam.8.r.z``), ``+ - * / ** %``, one comparison, ``and``, ``or``, and functions of NumPy such as
        ``abs`` and ``where``.

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
        else:
            raise self._wrong(node, "is not allowed")

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
