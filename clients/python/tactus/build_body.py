"""A body of a model that is built in Python."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from tactus.build_parts import Array, Element, Frame, name_of, quaternion_of, vector
from tactus.shapes import MassProperties, Shape

_INERTIA = (("xx", 0, 0), ("yy", 1, 1), ("zz", 2, 2), ("xy", 0, 1), ("xz", 0, 2), ("yz", 1, 2))


class Body:
    """A rigid body; `tactus.build.Model.body` makes it.

    Its own frame is the one in which its shapes are placed. The origin of the body in a model file is its center of
    mass, on the same axes.

    Attributes
    ----------
    name : str
    frame : Frame
        Place of its own frame in the declared state, world.

    Examples
    --------
    >>> from tactus import build
    >>> model = build.Model("m")
    >>> rod = model.body("rod", build.Box([1, 0.1, 0.1], mass=2), at=[0, 0, 3])
    >>> rod.name, rod.frame.origin
    ('rod', array([0., 0., 3.]))
    """

    def __init__(self, name: str, frame: Frame, shapes: list[Shape], mass: float | None,
                 inertia: npt.ArrayLike | Mapping[str, float] | None, center: npt.ArrayLike | None,
                 fields: Mapping[str, Any]) -> None:
        self.name, self.frame, self.shapes = name, frame, shapes
        self.mass, self.inertia = mass, inertia
        self.center = None if center is None else vector(center, "center")
        self.fields = {key: value for key, value in fields.items() if value is not None}

    def __repr__(self) -> str:
        return f"<body {self.name}>"

    def add(self, *shapes: Shape) -> Body:
        """Adds shapes; mass, inertia and center of mass follow. Returns the body.

        Examples
        --------
        >>> from tactus import build
        >>> rod = build.Model("m").body("rod", build.Box([1, 0.1, 0.1], mass=2))
        >>> rod.add(build.Sphere(0.1, mass=2, at=[1, 0, 0])).properties().center
        array([0.5, 0. , 0. ])
        """
        self.shapes += shapes
        return self

    def point(self, x: npt.ArrayLike) -> Array:
        """The world point, m, at coordinates of the frame of the body, m, in the declared state.

        Examples
        --------
        >>> from tactus import build
        >>> build.Model("m").body("rod", build.Sphere(0.1), at=[0, 0, 2]).point([1, 0, 0])
        array([1., 0., 2.])
        """
        return self._place().point(x)

    def direction(self, x: npt.ArrayLike) -> Array:
        """The world direction of a direction of the frame of the body, in the declared state.

        Examples
        --------
        >>> from tactus import build
        >>> upright = build.rotation([0, 1, 0], -np.pi / 2)
        >>> build.Model("m").body("rod", build.Sphere(0.1), orientation=upright).direction([1, 0, 0]).round(6)
        array([0., 0., 1.])
        """
        return self._place().direction(x)

    def properties(self) -> MassProperties:
        """Mass, kg, center of mass, m, and inertia about it, kg m^2, in the frame of the body.

        Raises
        ------
        ValueError
            If the body has neither shapes with a mass nor the arguments `mass` and `inertia`.

        Examples
        --------
        >>> from tactus import build
        >>> rod = build.Model("m").body("rod", build.Box([1, 0.1, 0.1], mass=2, at=[0.5, 0, 0]), build.Sphere(0.1, mass=2))
        >>> rod.properties().mass, rod.properties().center
        (4.0, array([0.25, 0.  , 0.  ]))
        """
        parts = [shape.properties() for shape in self.shapes]
        mass = sum(part.mass for part in parts)
        if not mass and (self.mass is None or self.inertia is None):
            raise ValueError(f"body {self.name!r} has no mass: give it a shape with a density or a mass, or `mass` and "
                             "`inertia`")
        center, inertia = np.zeros(3), np.zeros((3, 3))
        if mass:
            center = sum((part.mass * part.center for part in parts), np.zeros(3)) / mass
            for part in parts:
                arm = part.center - center
                inertia += part.inertia + part.mass * (arm @ arm * np.eye(3) - np.outer(arm, arm))
            if self.mass is not None:  # the shapes tell how the mass is spread
                inertia *= self.mass / mass
        if self.inertia is not None:
            inertia = _tensor(self.inertia)
        return MassProperties(mass if self.mass is None else float(self.mass),
                              center if self.center is None else self.center, inertia)

    def mass_frame(self) -> Frame:
        """The frame of the body in a model file: the origin is the center of mass.

        Examples
        --------
        >>> from tactus import build
        >>> rod = build.Model("m").body("rod", build.Box([1, 0.1, 0.1], mass=2, at=[0.5, 0, 0]), at=[0, 0, 3])
        >>> rod.mass_frame().origin
        array([0.5, 0. , 3. ])
        """
        place = self._place()
        center = np.zeros(3) if not self.shapes and self.center is None else self.properties().center
        return place.after(Frame(center, np.eye(3)))

    def _place(self) -> Frame:
        """The frame of the body in the declared state.

        Raises
        ------
        ValueError
            If its place follows from a placement.
        """
        if self.fields.get("placement") is not None:
            raise ValueError(f"the place of body {self.name!r} follows from its placement, and is not known here: `tactus model "
                             "print` writes the model with the positions of all bodies")
        return self.frame

    def known(self) -> dict[str, Any]:
        """As `to_dict`, without the fields that are missing: a body without a mass has no field ``mass``.

        Examples
        --------
        >>> from tactus import build
        >>> build.Model("m").body("rod", at=[0, 0, 3]).known()["position"]  # to_dict would refuse a body without a mass
        [0.0, 0.0, 3.0]
        """
        try:
            return self.to_dict()
        except ValueError:
            place = {"position": self.frame.origin.tolist(), "orientation": quaternion_of(self.frame.turn).tolist()}
            given = {"name": self.name} | place | self.fields
            return given if self.mass is None else given | {"mass": self.mass}

    def to_dict(self) -> dict[str, Any]:
        """The element of ``bodies`` of a model file.

        Examples
        --------
        >>> from tactus import build
        >>> build.Model("m").body("ball", build.Sphere(0.1, mass=5)).to_dict()["mass"]
        5.0
        """
        mass, center, inertia = self.properties()
        is_placed = self.fields.get("placement") is not None
        frame = Frame(np.zeros(3), np.eye(3)) if is_placed else self.mass_frame()
        body: dict[str, Any] = {"name": self.name, "mass": mass}
        body["inertia"] = {key: float(inertia[i, j]) for key, i, j in _INERTIA if i == j or inertia[i, j]}
        if np.any(frame.origin):
            body["position"] = frame.origin.tolist()
        if not np.array_equal(frame.turn, np.eye(3)):
            body["orientation"] = quaternion_of(frame.turn).tolist()
        if self.shapes:
            body["visuals"] = [shape.visual(center) for shape in self.shapes]
        return body | self.fields


def _tensor(value: npt.ArrayLike | Mapping[str, float]) -> Array:
    """An inertia as a matrix: from three numbers, a matrix, or the names of a model file."""
    if isinstance(value, Mapping):
        tensor = np.zeros((3, 3))
        for key, i, j in _INERTIA:
            tensor[i, j] = tensor[j, i] = value.get(key, 0.0)
        return tensor
    found = np.asarray(value, dtype=np.float64)
    if found.shape == (3,):
        return np.diag(found)
    if found.shape != (3, 3) or not np.array_equal(found, found.T):
        raise ValueError(f"inertia = {value!r}: give three principal moments or a symmetric matrix")
    return found


def body_of(element: Element, key: str) -> str | None:
    """The body that a point or an axis belongs to."""
    word = f"body_{key[-1]}" if key.endswith(("_1", "_2")) else "body"
    found = element.outer.get(word, element.fields.get(word))
    return None if found is None else name_of(found)


def local(body: Body | None, value: npt.ArrayLike, is_point: bool, is_complete: bool = True) -> Array:
    """World coordinates in the frame of a body in a model file; no body is the ground. A body that is not complete may lack
    its mass: its own frame counts then."""
    world = vector(value, "place")
    if body is None:
        return world
    try:
        frame = body.mass_frame()
    except ValueError:
        if is_complete or body.fields.get("placement") is not None:
            raise
        frame = body.frame
    return np.asarray(frame.turn.T @ (world - frame.origin if is_point else world))
