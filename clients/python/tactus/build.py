"""Models in Python: bodies of shapes, and joints, forces, actuators and sensors at points of the world.

The methods for the elements come from the schema of model files: ``help(tactus.build.Model)`` lists all of them with
their units. A model is a mapping with the content of its file: `Simulation`, `rollout`, `offline` and
`Client.load_model` take it as it is.

>>> from tactus import build
>>> model = build.Model("pendulum", gravity=[0, 0, -9.81])
>>> rod = model.body("rod", build.Box([1.0, 0.1, 0.1], density=500), at=[0.5, 0, 0])
>>> _ = model.revolute("hinge", "ground", rod, at=[0, 0, 0], along=[0, 1, 0])
>>> model.check()
[]
"""

from __future__ import annotations

import os
import pathlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tactus import check
from tactus.build_body import Body, body_of, local
from tactus.build_read import read
from tactus.build_parts import GROUND, NAMELESS, Array, Element, Frame, matrix_of, plain, rotation, vector, word_of
from tactus.errors import Finding
from tactus.kinds import Kinds
from tactus.shapes import Box, Capsule, Cylinder, Mesh, Shape, Sphere, Tube

__all__ = ["Body", "Box", "Capsule", "Cylinder", "Element", "Frame", "Mesh", "Model", "Shape", "Sphere", "Tube", "read",
           "rotation"]

_WORLD = Frame(np.zeros(3), np.eye(3))


class Model(Kinds, Mapping[str, Any]):
    """A model under construction.

    Parameters
    ----------
    name : str
        Letters, digits and _.
    gravity : array_like, shape (3,)
        m/s^2, world frame.
    description : str
    folder : str or os.PathLike, optional
        Folder of the files that the model names: included models, grids, meshes and tyres. `read` sets it. Default: none,
        and a model that names files can be written, but not checked or run before that.
    **fields
        Further fields of a model file: ``solver={"period": 1e-3}``, ``assembly={"position": 0.01}``.

    Attributes
    ----------
    bodies : dict of str to Body
    elements : dict of (str, str) to Element
        By collection and name: ``model.elements["joints", "hinge"]``. Includes and rates of joints have no name in a file;
        a key such as ``"#0"`` stands for each of them here.
    folder : pathlib.Path or None
        See above.

    Examples
    --------
    A four-bar linkage, driven:

    >>> model = Model("linkage", gravity=[0, -9.81, 0])
    >>> points = [[0, 0, 0], [0, 1, 0], [3, 2, 0], [2, 0, 0]]
    >>> links = [model.rod(f"link_{k}", points[k], points[k + 1], radius=0.03, density=7800) for k in range(3)]
    >>> chain = ["ground", *links, "ground"]
    >>> for k, point in enumerate(points):
    ...     _ = model.revolute(f"joint_{k}", chain[k], chain[k + 1], at=point, along=[0, 0, 1])
    >>> _ = model.joint_torque("motor", "joint_0", minimum=-50, maximum=50)
    >>> [finding.severity for finding in model.check()]
    []
    """

    def __init__(self, name: str, gravity: npt.ArrayLike = (0.0, 0.0, -9.81), description: str = "",
                 folder: str | os.PathLike[str] | None = None, **fields: Any) -> None:
        self.name, self.description = name, description
        self.gravity: Array | None = vector(gravity, "gravity")
        self.folder = None if folder is None else pathlib.Path(folder).absolute()
        self.fields = fields
        self.bodies: dict[str, Body] = {}
        self.elements: dict[tuple[str, str], Element] = {}

    def __repr__(self) -> str:
        return f"<Model {self.name}: {len(self.bodies)} bodies, {len(self.elements)} elements>"

    # ---- as the content of a file ----

    def __getitem__(self, key: str) -> Any:
        return self.to_dict()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.to_dict())

    def __len__(self) -> int:
        return len(self.to_dict())

    # ---- bodies ----

    def body(
        self,
        name: str,
        *shapes: Shape,
        at: npt.ArrayLike = (0.0, 0.0, 0.0),
        orientation: npt.ArrayLike | None = None,
        on: Body | None = None,
        mass: float | None = None,
        inertia: npt.ArrayLike | Mapping[str, float] | None = None,
        center: npt.ArrayLike | None = None,
        velocity: npt.ArrayLike | None = None,
        angular_velocity: npt.ArrayLike | None = None,
        description: str | None = None,
    ) -> Body:
        """Adds a body.

        Parameters
        ----------
        name : str
            Unique among all named elements.
        *shapes : Shape
            Give mass, center of mass, inertia and pictures; placed in the frame of the body.
        at : array_like, shape (3,)
            Origin of the frame of the body in the declared state, m: in the world, or in the frame of `on`.
        orientation : array_like, optional
            Unit quaternion, scalar first, or rotation matrix, to the world or to the frame of `on`. See `rotation`.
        on : Body, optional
            A body in whose frame `at` and `orientation` are given.
        mass : float, optional
            kg. Default: that of the shapes; with shapes, their inertia is scaled.
        inertia : array_like of shape (3,) or (3, 3), or dict, optional
            About the center of mass, kg m^2. Default: that of the shapes.
        center : array_like, shape (3,), optional
            Center of mass in the frame of the body, m. Default: that of the shapes, else the origin.
        velocity : array_like, shape (3,), optional
            Of the center of mass, world frame, m/s.
        angular_velocity : array_like, shape (3,), optional
            Frame of the body, rad/s.
        description : str, optional

        Returns
        -------
        Body

        Examples
        --------
        >>> Model("m").body("ball", Sphere(0.1, mass=2), at=[0, 0, 1]).to_dict()["position"]
        [0.0, 0.0, 1.0]
        """
        frame = _place(at, orientation, on)
        for shape in shapes:
            if not isinstance(shape, Shape):
                raise check.wrong(f"a shape of body {name!r}", shape, "one such as build.Box([1, 1, 1])")
        fields = {"velocity": velocity, "angular_velocity": angular_velocity, "description": description}
        return self._keep(Body(name, frame, list(shapes), mass, inertia, center, plain(fields)))

    def rod(self, name: str, start: npt.ArrayLike, end: npt.ArrayLike, *, radius: float = 0.02,
            density: float = 7800.0, mass: float | None = None, **fields: Any) -> Body:
        """Adds a round rod between two world points; its frame lies at its middle, the x axis from `start` to `end`.

        Parameters
        ----------
        name : str
        start, end : array_like, shape (3,)
            World points, m, in the declared state.
        radius : float
            m
        density : float
            kg/m^3
        mass : float, optional
            kg; in place of the density.
        **fields
            Further arguments of `body`, but for its place.

        Examples
        --------
        >>> Model("m").rod("arm", [0, 0, 0], [0, 2, 0], mass=3).point([1, 0, 0]).round(12)
        array([0., 2., 0.])
        """
        first, last = vector(start, "start"), vector(end, "end")
        length = float(np.linalg.norm(last - first))
        if length == 0:
            raise ValueError(f"rod {name!r}: start and end are one point")
        x = (last - first) / length
        helper = np.array([0.0, 0.0, 1.0]) if abs(x[2]) < 0.9 else np.array([0.0, 1.0, 0.0])
        y = np.cross(helper, x)
        y /= np.linalg.norm(y)
        shape = Cylinder(radius, length, density=None if mass is not None else density, mass=mass,
                         orientation=rotation([0, 1, 0], np.pi / 2))
        return self.body(name, shape, at=(first + last) / 2, orientation=np.column_stack([x, y, np.cross(x, y)]),
                         **fields)

    def _require_free(self, name: str) -> None:
        if not isinstance(name, str) or not name or name == GROUND or name in self.bodies:
            raise ValueError(f"a body cannot be called {name!r}: the name is taken, or no name")

    def _key(self, collection: str) -> str:
        """A key for an element without a name."""
        number = sum(kind == collection for kind, _ in self.elements)
        while (collection, f"#{number}") in self.elements:
            number += 1
        return f"#{number}"

    def _keep(self, body: Body) -> Body:
        self._require_free(body.name)
        self.bodies[body.name] = body
        return body

    def _element(
        self,
        collection: str,
        kind: str,
        name: str,
        outer: Mapping[str, Any],
        fields: Mapping[str, Any],
        points: Sequence[str] = (),
        axes: Sequence[str] = (),
        at: npt.ArrayLike | None = None,
        along: npt.ArrayLike | None = None,
    ) -> Element:
        if collection in NAMELESS:
            name = self._key(collection)
        given = [{key: plain(value) for key, value in table.items() if value is not None} for table in (outer, fields)]
        places: list[Array | None] = []
        for word, value in (("at", at), ("along", along)):
            found = None if value is None else check.array(word, value)
            if found is not None and (found.shape not in ((3,), (2, 3)) or not np.isfinite(found).all()):
                raise ValueError(f"{word} = {value!r}: give one world vector, or one for each of two bodies")
            places.append(found)
        element = Element(collection, kind, name, given[0], given[1], tuple(points), tuple(axes), places[0], places[1])
        if (collection, name) in self.elements:
            raise ValueError(f"{collection} has an element {name!r} already")
        self.elements[collection, name] = element
        return element

    # ---- sub-assemblies ----

    def add(self, part: Model, prefix: str = "", *, at: npt.ArrayLike = (0.0, 0.0, 0.0),
            orientation: npt.ArrayLike | None = None, on: Body | None = None) -> dict[str, Body]:
        """Adds a copy of another model as a sub-assembly.

        Parameters
        ----------
        part : Model
            Bodies and elements are copied; its gravity and settings are not.
        prefix : str
            Goes before every name of the part.
        at, orientation
            Place of the world of the part, as for `body`: m, unit quaternion or rotation matrix. All that is given in the
            world frame or on "ground" moves with it: bodies, joints, forces, ropes, beams, modal bodies, drives, roads, initial
            conditions, winds, and world directions of actuators and sensors. Gravity does not.
        on : Body, optional
            The body in whose frame the place is given. What stands on "ground" in the part stands on this body.

        Returns
        -------
        dict of str to Body
            The new bodies by the names that they have in the part.

        Raises
        ------
        ValueError
            If a name is taken, or something of the part cannot be moved. Nothing is added.

        Examples
        --------
        >>> leg = Model("leg")
        >>> _ = leg.revolute("hip", "ground", leg.rod("thigh", [0, 0, 0], [0, 0, -0.4]), at=[0, 0, 0], along=[0, 1, 0])
        >>> robot = Model("robot")
        >>> trunk = robot.body("trunk", Box([0.6, 0.3, 0.2]), at=[0, 0, 1])
        >>> for side, y in (("left_", 0.2), ("right_", -0.2)):
        ...     _ = robot.add(leg, side, at=[0, y, 0], on=trunk)
        >>> sorted(robot.bodies), robot["joints"][1]["body_1"]
        (['left_thigh', 'right_thigh', 'trunk'], 'trunk')
        """
        from tactus.build_assembly import add_part

        if not isinstance(part, Model):
            raise check.wrong("part", part, "a tactus.build.Model; read() makes one of a file or its content")
        return add_part(self, part, check.text("prefix", prefix), _place(at, orientation, on), on)

    # ---- files, findings, pictures ----

    def to_dict(self) -> dict[str, Any]:
        """The content of a model file.

        Raises
        ------
        ValueError
            If a body has no mass, or an element is placed on a body that the model does not have.

        Examples
        --------
        >>> Model("empty", gravity=[0, 0, 0]).to_dict()
        {'name': 'empty', 'gravity': [0.0, 0.0, 0.0]}
        """
        return self._content(is_complete=True)

    def _content(self, is_complete: bool) -> dict[str, Any]:
        """The content of a file; without what is missing where the model need not be complete."""
        model: dict[str, Any] = {"name": self.name}
        if self.description:
            model["description"] = self.description
        if self.gravity is not None:
            model["gravity"] = self.gravity.tolist()
        if self.bodies:
            model["bodies"] = [body.to_dict() if is_complete else body.known() for body in self.bodies.values()]
        for element in self.elements.values():
            model.setdefault(element.collection, []).append(self._written(element, is_complete))
        for key, value in plain(self.fields).items():
            # Elements of the constructor come before those of the methods.
            model[key] = [*value, *model[key]] if key in model and isinstance(value, list) else value
        return model

    def _written(self, element: Element, is_complete: bool) -> dict[str, Any]:
        fields = dict(element.fields)
        for keys, place in ((element.points, element.at), (element.axes, element.along)):
            for key in keys:
                if place is None or key in fields:
                    continue
                value = place if place.ndim == 1 else place[1 if key.endswith("_2") else 0]
                name = body_of(element, key)
                body = None if name == GROUND else self.bodies.get(str(name))
                if name != GROUND and body is None and is_complete:
                    raise ValueError(f"{element.kind} {element.name!r} is placed on {name!r}, which is no body of the "
                                     f"model; it has {', '.join(self.bodies) or 'none'}")
                fields[key] = local(body, value, keys is element.points, is_complete).tolist()
        written = ({} if element.collection in NAMELESS else {"name": element.name}) | element.outer
        if element.kind:
            written[element.kind] = {key: word_of(key, value, element) for key, value in fields.items()}
        return written

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes a model file: ``.json``, or ``.txtpb`` in the text form. If that fails, a file that was there stays as it is.

        Examples
        --------
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     Model("space", gravity=[0, 0, 0]).write(f"{folder}/space.json")
        ...     read(f"{folder}/space.json").name
        'space'
        """
        from tactus.build_files import write

        write(self.to_dict(), path)

    def check(self) -> list[Finding]:
        """All findings on the model, errors and warnings; an empty list if there are none. Each has the path of its field.

        Examples
        --------
        >>> model = Model("loose")
        >>> _ = model.body("ball", Sphere(0.1))
        >>> _ = model.revolute("hinge", "ground", "ball")
        >>> print(model.check()[0])
        joints[0].revolute.point_1 = none: must be given: a list of three numbers
        """
        from tactus.build_files import findings

        return findings(self._content(is_complete=False), self.folder)

    def draw(self, path: str | os.PathLike[str] | None = None) -> Any:
        """Draws the declared state: shapes of the bodies, and the points of elements. Needs matplotlib.

        Parameters
        ----------
        path : str or os.PathLike, optional
            A picture to write: ``.png``, ``.svg`` or ``.pdf``.

        Returns
        -------
        matplotlib.figure.Figure

        Examples
        --------
        >>> model = Model("ball")
        >>> ball = model.body("ball", Sphere(0.1, density=7800), at=[0, 0, 1])
        >>> figure = model.draw("ball.svg")
        """
        from tactus.drawing import draw

        return draw(self, path)


def _place(at: npt.ArrayLike, orientation: npt.ArrayLike | None, on: Body | None) -> Frame:
    """A place in the world, given there or in the frame of a body."""
    if on is not None and not isinstance(on, Body):
        raise check.wrong("on", on, "a body, as Model.body and Model.bodies give it")
    return (on.frame if on else _WORLD).after(Frame(vector(at, "at"), matrix_of(orientation)))
