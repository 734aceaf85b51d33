"""Shapes with a density: mass, inertia and the picture of a body. Lengths in m, densities in kg/m^3."""

from __future__ import annotations

import math
import os
import pathlib
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tactus import check
from tactus.build_parts import Array, Frame, matrix_of, quaternion_of, vector


class MassProperties(NamedTuple):
    """Mass, kg; center of mass, m; inertia about the center of mass, kg m^2, on the axes of the same frame."""

    mass: float
    center: Array
    inertia: Array


class Shape:
    """A shape of a body. Use one of its kinds.

    Parameters
    ----------
    density : float, optional
        kg/m^3. Default: 1000, if no mass is given.
    mass : float, optional
        kg; in place of a density. 0 for a shape that is only seen.
    at : array_like, shape (3,)
        Origin of the shape in the frame of the body, m.
    orientation : array_like, optional
        Unit quaternion, scalar first, or rotation matrix, from the frame of the shape to that of the body.
    color : array_like, shape (3,), optional
        Red, green and blue, 0 to 1.
    opacity : float, optional
        0 to 1.
    name : str, optional

    Examples
    --------
    >>> ring = Tube(0.5, 0.4, 0.1, density=2700)  # a kind of shape
    >>> round(ring.volume, 4)
    0.0283
    """

    def __init__(
        self,
        *,
        density: float | None = None,
        mass: float | None = None,
        at: npt.ArrayLike = (0.0, 0.0, 0.0),
        orientation: npt.ArrayLike | None = None,
        color: npt.ArrayLike | None = None,
        opacity: float | None = None,
        name: str = "",
    ) -> None:
        if density is not None and mass is not None:
            raise ValueError("give a density or a mass, not both")
        for what, value in (("density", density), ("mass", mass)):
            if value is not None and not (math.isfinite(check.number(what, value)) and value >= 0):
                raise ValueError(f"{what} = {value!r} must be finite and not below zero")
        self.place = Frame(vector(at, "at"), matrix_of(orientation))
        self._density, self._mass = 1000.0 if density is None else float(density), mass
        self._look = {"name": name, "color": None if color is None else np.asarray(color).tolist(), "opacity": opacity}

    def _unit(self) -> MassProperties:
        """For the density 1; the mass is the volume."""
        raise NotImplementedError

    def _drawn(self) -> dict[str, Any]:
        """The kind of the picture and its fields."""
        raise NotImplementedError

    def _drawn_at(self) -> Array:
        """Origin of the picture in the frame of the shape."""
        return np.zeros(3)

    @property
    def volume(self) -> float:
        """float : m^3."""
        return self._unit().mass

    def properties(self) -> MassProperties:
        """Mass properties in the frame of the body.

        Examples
        --------
        >>> cube = Box([1, 1, 1], density=6, at=[2, 0, 0])
        >>> mass, center, inertia = cube.properties()
        >>> mass, center, inertia.diagonal().round(12)
        (6.0, array([2., 0., 0.]), array([1., 1., 1.]))
        """
        volume, center, inertia = self._unit()
        density = self._density if self._mass is None else self._mass / volume
        turn = self.place.turn
        return MassProperties(density * volume, self.place.point(center), density * turn @ inertia @ turn.T)

    def visual(self, center: Array) -> dict[str, Any]:
        """The element of ``visuals`` in a body whose center of mass lies at `center`.

        Examples
        --------
        >>> Box([1, 2, 3], color=[1, 0, 0]).visual(np.zeros(3))["box"]
        {'sides': [1.0, 2.0, 3.0]}
        """
        shape = {key: value for key, value in self._look.items() if value not in ("", None)}
        shape["position"] = (self.place.point(self._drawn_at()) - center).tolist()
        shape["orientation"] = quaternion_of(self.place.turn).tolist()
        return shape | self._drawn()


def _above_zero(**values: float) -> None:
    for name, value in values.items():
        if not (math.isfinite(check.number(name, value)) and value > 0):
            raise ValueError(f"{name} = {value!r} must be finite and above zero")


class Box(Shape):
    """A box about its center.

    Parameters
    ----------
    sides : array_like, shape (3,)
        Lengths along x, y and z, m.
    **rest
        Of `Shape`.

    Examples
    --------
    >>> Box([1, 2, 3], density=10).properties().mass
    60.0
    """

    def __init__(self, sides: npt.ArrayLike, **rest: Any) -> None:
        super().__init__(**rest)
        self.sides = vector(sides, "sides")
        _above_zero(x=self.sides[0], y=self.sides[1], z=self.sides[2])

    def _unit(self) -> MassProperties:
        volume = float(np.prod(self.sides))
        squares = self.sides**2
        return MassProperties(volume, np.zeros(3), np.diag(volume / 12 * (squares.sum() - squares)))

    def _drawn(self) -> dict[str, Any]:
        return {"box": {"sides": self.sides.tolist()}}


class Sphere(Shape):
    """A sphere about its center; `radius` in m.

    Examples
    --------
    >>> round(Sphere(0.5, mass=2).properties().inertia[0, 0], 3)
    0.2
    """

    def __init__(self, radius: float, **rest: Any) -> None:
        super().__init__(**rest)
        _above_zero(radius=radius)
        self.radius = float(radius)

    def _unit(self) -> MassProperties:
        volume = 4 / 3 * math.pi * self.radius**3
        return MassProperties(volume, np.zeros(3), 0.4 * volume * self.radius**2 * np.eye(3))

    def _drawn(self) -> dict[str, Any]:
        return {"sphere": {"radius": self.radius}}


class Tube(Shape):
    """A hollow cylinder about its center, along z; `outer_radius`, `inner_radius` and `length` in m.

    Examples
    --------
    >>> round(Tube(1, 0.5, 2, density=1).volume / 3.141592653589793, 3)
    1.5
    """

    def __init__(self, outer_radius: float, inner_radius: float, length: float, **rest: Any) -> None:
        super().__init__(**rest)
        _above_zero(outer_radius=outer_radius, length=length)
        if not 0 <= inner_radius < outer_radius:
            raise ValueError(f"inner_radius = {inner_radius!r} must be below outer_radius = {outer_radius!r}")
        self.outer, self.inner, self.length = float(outer_radius), float(inner_radius), float(length)

    def _unit(self) -> MassProperties:
        volume = math.pi * (self.outer**2 - self.inner**2) * self.length
        across = volume * (3 * (self.outer**2 + self.inner**2) + self.length**2) / 12
        axial = volume * (self.outer**2 + self.inner**2) / 2
        return MassProperties(volume, np.zeros(3), np.diag([across, across, axial]))

    def _drawn(self) -> dict[str, Any]:
        return {"tube": {"outer_radius": self.outer, "inner_radius": self.inner, "length": self.length}}


class Cylinder(Tube):
    """A cylinder about its center, along z; `radius` and `length` in m.

    Examples
    --------
    >>> round(Cylinder(1, 2, mass=1).properties().inertia[2, 2], 3)
    0.5
    """

    def __init__(self, radius: float, length: float, **rest: Any) -> None:
        super().__init__(radius, 0.0, length, **rest)

    def _drawn(self) -> dict[str, Any]:
        return {"cylinder": {"radius": self.outer, "length": self.length}}


class Capsule(Shape):
    """A cylinder along z with half spheres at its ends; `length` between their centers, m.

    Examples
    --------
    >>> round(Capsule(0.1, 1, density=1).volume, 6)
    0.035605
    """

    def __init__(self, radius: float, length: float, **rest: Any) -> None:
        super().__init__(**rest)
        _above_zero(radius=radius, length=length)
        self.radius, self.length = float(radius), float(length)

    def _unit(self) -> MassProperties:
        r, h = self.radius, self.length
        cylinder, ball = math.pi * r * r * h, 4 / 3 * math.pi * r**3
        axial = cylinder * r * r / 2 + ball * 0.4 * r * r
        # Half spheres: 83/320 m r^2 about their own centers of mass, 3/8 r beyond the ends; two of them weigh as a ball.
        across = cylinder * (3 * r * r + h * h) / 12 + ball * (83 / 320 * r * r + (h / 2 + 3 * r / 8) ** 2)
        return MassProperties(cylinder + ball, np.zeros(3), np.diag([across, across, axial]))

    def _drawn(self) -> dict[str, Any]:
        return {"capsule": {"radius": self.radius, "length": self.length}}


class Mesh(Shape):
    """The solid inside a closed surface of triangles, from a file or from arrays.

    A model has no picture for it: the bounding box stands for it.

    Parameters
    ----------
    source : str, os.PathLike, or a pair of array_like
        A file (``.stl``, binary or text, or ``.obj``), or vertices of shape (n, 3) and triangles of shape (m, 3), from 0.
    scale : float
        Metres for one unit of the file.
    **rest
        Of `Shape`.

    Raises
    ------
    ValueError
        If the surface is not closed, or the file is none of these.

    Examples
    --------
    >>> corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    >>> round(Mesh((corners, [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]), density=6).properties().mass, 12)
    1.0
    """

    def __init__(
        self,
        source: str | os.PathLike[str] | tuple[npt.ArrayLike, npt.ArrayLike],
        *,
        scale: float = 1.0,
        **rest: Any,
    ) -> None:
        super().__init__(**rest)
        _above_zero(scale=scale)
        if isinstance(source, tuple):
            vertices, faces = np.asarray(source[0], dtype=np.float64), np.asarray(source[1], dtype=np.int64)
        else:
            vertices, faces = _read_mesh(pathlib.Path(check.path("source", source)))
        if faces.ndim != 2 or faces.shape[1] != 3 or vertices.ndim != 2 or vertices.shape[1] != 3 or not len(faces):
            raise ValueError("a mesh needs vertices of shape (n, 3) and triangles of shape (m, 3)")
        if not np.isfinite(vertices).all() or faces.min() < 0 or faces.max() >= len(vertices):
            raise ValueError(f"a mesh needs finite vertices, and triangles of their numbers, from 0 to {len(vertices) - 1}")
        self.vertices, self.faces = scale * vertices, faces
        edges = {(int(a), int(b)): i for i, face in enumerate(faces) for a, b in zip(face, np.roll(face, -1))}
        if len(edges) != 3 * len(faces) or any((b, a) not in edges for a, b in edges):
            raise ValueError("the surface of the mesh is not closed, or its triangles do not all face one way: "
                             "repair it in the program that made it")
        self._require_one_side(edges)

    def _require_one_side(self, edges: dict[tuple[int, int], int]) -> None:
        """A part whose triangles face the other way is a cavity: it lies inside another part.

        Parameters
        ----------
        edges : dict
            The triangle of each edge, from its first corner to its second.
        """
        parts = _parts(len(self.faces), [(i, edges[b, a]) for (a, b), i in edges.items()])
        if parts.max() == 0:
            return
        corners = (self.vertices - self.vertices.mean(axis=0))[self.faces]
        volumes = np.linalg.det(corners)
        whole = volumes.sum()
        for part in range(parts.max() + 1):
            own = parts == part
            if volumes[own].sum() * whole >= 0:
                continue
            if not any(_is_inside(corners[own][0, 0], corners[parts == other]) for other in range(parts.max() + 1)
                       if other != part):
                raise ValueError(f"a part of {int(own.sum())} triangles faces inward and is not inside another part: turn its "
                                 "triangles in the program that made it")

    def _unit(self) -> MassProperties:
        # Sum over tetrahedra from a point: V = det / 6, second moments as in Blow and Binstock (2004). From the middle of the
        # vertices: a small body far from the origin would be a difference of large numbers.
        middle = self.vertices.mean(axis=0)
        corners = (self.vertices - middle)[self.faces]
        volumes = np.linalg.det(corners) / 6
        volume = float(volumes.sum())
        if volume == 0:
            raise ValueError("the mesh has no volume")
        sums = corners.sum(axis=1)
        center = (volumes[:, np.newaxis] * sums).sum(axis=0) / 4 / volume
        second = np.einsum("t,tci,tcj->ij", volumes, corners, corners) + np.einsum("t,ti,tj->ij", volumes, sums, sums)
        second = second / 20 - volume * np.outer(center, center)
        sign = math.copysign(1.0, volume)
        return MassProperties(abs(volume), middle + center, sign * (np.trace(second) * np.eye(3) - second))

    def _drawn_at(self) -> Array:
        return np.asarray((self.vertices.min(axis=0) + self.vertices.max(axis=0)) / 2)

    def _drawn(self) -> dict[str, Any]:
        return {"box": {"sides": (self.vertices.max(axis=0) - self.vertices.min(axis=0)).tolist()}}


def _parts(count: int, pairs: list[tuple[int, int]]) -> npt.NDArray[np.int64]:
    """The number of the part, from 0, of each of `count` triangles of which pairs are neighbours."""
    parent = list(range(count))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    for a, b in pairs:
        parent[root(a)] = root(b)
    return np.asarray(np.unique([root(i) for i in range(count)], return_inverse=True)[1], dtype=np.int64)


def _is_inside(point: Array, corners: Array) -> bool:
    """Whether a closed surface of triangles, of shape (m, 3, 3), winds around a point: sum of the solid angles of its triangles,
    van Oosterom and Strackee (1983)."""
    rays = corners - point
    a, b, c = rays[:, 0], rays[:, 1], rays[:, 2]
    la, lb, lc = (np.linalg.norm(x, axis=1) for x in (a, b, c))
    below = la * lb * lc + (a * b).sum(axis=1) * lc + (b * c).sum(axis=1) * la + (c * a).sum(axis=1) * lb
    half_angles = np.arctan2(np.linalg.det(rays), below).sum()
    return bool(abs(half_angles) > math.pi)  # the whole is 2 pi; halfway is the limit


def _read_mesh(path: pathlib.Path) -> tuple[Array, npt.NDArray[np.int64]]:
    content = path.read_bytes()
    if path.suffix.lower() == ".obj":
        return _read_obj(content.decode())
    if path.suffix.lower() != ".stl":
        raise ValueError(f"{path}: a mesh is a file .stl or .obj")
    count = int.from_bytes(content[80:84], "little") if len(content) >= 84 else -1
    if len(content) == 84 + 50 * count:
        record = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("rest", "<u2")])
        corners = np.frombuffer(content, record, offset=84)["corners"].astype(np.float64).reshape(-1, 3)
    else:
        words = [line.split() for line in content.decode("utf-8", "replace").splitlines()]
        corners = np.array([[float(x) for x in line[1:4]] for line in words if line[:1] == ["vertex"]]).reshape(-1, 3)
    if not len(corners) or len(corners) % 3:
        raise ValueError(f"{path} has no triangles, or is cut off")
    vertices, index = np.unique(corners, axis=0, return_inverse=True)
    return vertices, index.reshape(-1, 3).astype(np.int64)


def _read_obj(text: str) -> tuple[Array, npt.NDArray[np.int64]]:
    vertices: list[list[float]] = []
    faces: list[Sequence[int]] = []
    for line in text.splitlines():
        words = line.split()
        if words[:1] == ["v"]:
            vertices.append([float(x) for x in words[1:4]])
        elif words[:1] == ["f"]:
            corners = [int(word.split("/")[0]) for word in words[1:]]
            corners = [c - 1 if c > 0 else len(vertices) + c for c in corners]
            faces += [(corners[0], corners[k], corners[k + 1]) for k in range(1, len(corners) - 1)]
    return np.array(vertices).reshape(-1, 3), np.array(faces, dtype=np.int64).reshape(-1, 3)
