"""Parts of a model that is built in Python: frames, names, and what a body and an element know of themselves."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Union

import numpy as np
import numpy.typing as npt

from tactus import check

if TYPE_CHECKING:
    from tactus.build_body import Body

Array = npt.NDArray[np.float64]

GROUND = "ground"

# Collections whose entries have no name in the schema. A key stands for each of them in a model; a file does not have it.
NAMELESS = frozenset({"includes", "joint_rates", "meshes"})

#: A body, an element, or the name of one.
Name = Union[str, "Body", "Element"]


def vector(value: npt.ArrayLike, what: str) -> Array:
    """Three finite numbers.

    Raises
    ------
    ValueError
        If they are not.
    """
    found = np.asarray(value) if value is None else check.array(what, value)
    if found.shape != (3,) or not np.isfinite(found).all():
        raise ValueError(f"{what} = {value!r}: give three finite numbers")
    return found


def rotation(axis: npt.ArrayLike, angle: float) -> Array:
    """The rotation matrix of a turn about an axis.

    Parameters
    ----------
    axis : array_like, shape (3,)
        Of any length above zero.
    angle : float
        rad

    Returns
    -------
    numpy.ndarray, shape (3, 3)

    Examples
    --------
    >>> import numpy as np
    >>> rotation([0, 0, 1], np.pi / 2).round(3) @ [1, 0, 0]
    array([0., 1., 0.])
    """
    n, angle = vector(axis, "axis"), check.number("angle", angle)
    if not np.isfinite(angle):
        raise ValueError(f"angle = {angle!r} must be finite")
    length = float(np.linalg.norm(n))
    if length == 0:
        raise ValueError("axis = [0, 0, 0] has no direction")
    n = n / length
    cross = np.array([[0, -n[2], n[1]], [n[2], 0, -n[0]], [-n[1], n[0], 0]])
    return np.asarray(np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * (cross @ cross))


def matrix_of(orientation: npt.ArrayLike | None) -> Array:
    """The rotation matrix of a unit quaternion, scalar first, or of a matrix.

    Raises
    ------
    ValueError
        If the value is neither.
    """
    if orientation is None:
        return np.eye(3)
    found = np.asarray(orientation, dtype=np.float64)
    if found.shape == (3, 3):
        if not np.allclose(found @ found.T, np.eye(3), atol=1e-9) or np.linalg.det(found) < 0:
            raise ValueError(f"orientation = {orientation!r} is not a rotation matrix")
        return found
    length = float(np.linalg.norm(found))
    if found.shape != (4,) or not abs(length - 1) < 1e-6:
        raise ValueError(f"orientation = {orientation!r}: give a unit quaternion, scalar first, or a rotation matrix")
    w, x, y, z = found / length
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def quaternion_of(matrix: Array) -> Array:
    """The unit quaternion of a rotation matrix, scalar first and not below zero (Shepperd's method)."""
    trace = float(np.trace(matrix))
    squares = np.array([trace, matrix[0, 0], matrix[1, 1], matrix[2, 2]])
    largest = int(np.argmax(squares))
    q = np.empty(4)
    q[largest] = 1 + 2 * squares[largest] - trace if largest else 1 + trace
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        if largest == 0:
            q[i + 1] = matrix[k, j] - matrix[j, k]
        elif largest == i + 1:
            q[0] = matrix[k, j] - matrix[j, k]
            q[j + 1] = matrix[j, i] + matrix[i, j]
            q[k + 1] = matrix[k, i] + matrix[i, k]
    q /= np.linalg.norm(q)
    return -q if q[0] < 0 else q


class Frame(NamedTuple):
    """A place: origin in the world, m, and the matrix that turns the directions of the frame to those of the world.

    Examples
    --------
    >>> Frame(np.array([0.0, 0, 2]), rotation([0, 0, 1], np.pi / 2)).point([1, 0, 0]).round(6)
    array([0., 1., 2.])
    """

    origin: Array
    turn: Array

    def point(self, x: npt.ArrayLike) -> Array:
        """The world point at coordinates of the frame, m.

        Examples
        --------
        >>> Frame(np.array([0.0, 0, 2]), np.eye(3)).point([1, 0, 0])
        array([1., 0., 2.])
        """
        return np.asarray(self.origin + self.turn @ vector(x, "point"))

    def direction(self, x: npt.ArrayLike) -> Array:
        """The world direction of a direction of the frame.

        Examples
        --------
        >>> Frame(np.array([0.0, 0, 2]), np.eye(3)).direction([1, 0, 0])  # a place does not move a direction
        array([1., 0., 0.])
        """
        return np.asarray(self.turn @ vector(x, "direction"))

    def after(self, inner: Frame) -> Frame:
        """The world place of a frame that is placed in this one.

        Examples
        --------
        >>> corner = Frame(np.array([0.0, 0, 2]), np.eye(3))
        >>> corner.after(Frame(np.array([1.0, 0, 0]), np.eye(3))).origin
        array([1., 0., 2.])
        """
        return Frame(self.origin + self.turn @ inner.origin, self.turn @ inner.turn)


class Element:
    """A joint, a force, an actuator, or any other element of a model but a body.

    Attributes
    ----------
    name : str
        Its name; the element itself stands for it in other calls. A key such as ``"#2"`` where the schema has no name.
    collection, kind : str
        Where it stands in the file: ``"joints"``, ``"revolute"``. No kind for roads, drives and parameters.
    at : numpy.ndarray, shape (3,) or (2, 3), or None
        World point or points, m, at which it was placed.
    along : numpy.ndarray, shape (3,) or (2, 3), or None
        World direction or directions along which it was placed.

    Examples
    --------
    >>> from tactus import build
    >>> model = build.Model("m")
    >>> rod = model.body("rod", build.Box([1, 0.1, 0.1], mass=2, at=[0.5, 0, 0]))
    >>> hinge = model.revolute("hinge", "ground", rod, at=[0, 0, 0], along=[0, 1, 0])
    >>> hinge, hinge.collection
    (<revolute hinge>, 'joints')
    >>> motor = model.joint_torque("motor", hinge)  # the element stands for its name
    """

    def __init__(self, collection: str, kind: str, name: str, outer: Mapping[str, Any], fields: Mapping[str, Any],
                 points: tuple[str, ...], axes: tuple[str, ...], at: Array | None, along: Array | None) -> None:
        self.collection, self.kind, self.name = collection, kind, name
        self.outer, self.fields = dict(outer), dict(fields)
        self.points, self.axes, self.at, self.along = points, axes, at, along

    def __repr__(self) -> str:
        return f"<{self.kind or self.collection} {self.name}>"


def word_of(key: str, value: Any, element: Element) -> Any:
    """The word of an enumeration as a file has it: ``"pull"`` is SPRING_SIDE_PULL."""
    if not isinstance(value, str):
        return value
    from tactus.kinds import WORDS

    return WORDS.get((element.collection, element.kind, key), {}).get(value.lower(), value)


def name_of(value: Name) -> str:
    """The name of a body or an element, or the name itself."""
    if isinstance(value, str):
        return value
    if not hasattr(value, "name"):
        raise check.wrong("a body or an element", value, "one of the model, or its name")
    return value.name


def plain(value: Any) -> Any:
    """A value as a model file has it: names for bodies and elements, lists for arrays, texts for paths."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, Mapping):
        return {key: plain(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(entry) for entry in value]
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    return value.name if hasattr(value, "name") and not isinstance(value, str) else value
