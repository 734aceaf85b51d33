"""A picture of the declared state of a model, by matplotlib."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from tactus import check
from tactus.build_parts import Array, Frame, matrix_of
from tactus.private_file import draft_of, private_file

if TYPE_CHECKING:
    from tactus.build import Model

_TURN = np.linspace(0, 2 * np.pi, 25)


def draw(model: Model, path: str | os.PathLike[str] | None = None) -> Any:
    """See `tactus.build.Model.draw`."""
    import matplotlib.figure

    figure = matplotlib.figure.Figure(figsize=(7, 6))
    axes: Any = figure.add_subplot(projection="3d")
    points = []
    for name, body in model.bodies.items():
        frame = body.mass_frame()
        color = None
        for visual in body.to_dict().get("visuals", []):
            place = frame.after(Frame(np.array(visual.get("position", (0, 0, 0)), dtype=float),
                                      matrix_of(visual.get("orientation"))))
            for line in _lines(visual):
                world = place.origin + line @ place.turn.T
                points.append(world)
                drawn = axes.plot(*world.T, lw=0.8, color=visual.get("color") or color)
                color = color or drawn[0].get_color()
        points.append(frame.origin[np.newaxis])
        axes.plot(*frame.origin[:, np.newaxis], "o", ms=3, color=color, label=name)
    for element in model.elements.values():
        if element.at is not None:
            points.append(element.at.reshape(-1, 3))
            axes.plot(*points[-1].T, "k.-", ms=6, lw=0.8)
    if points:
        span = np.concatenate(points)
        middle, half = (span.min(axis=0) + span.max(axis=0)) / 2, max(float(np.ptp(span, axis=0).max()) / 2, 1e-3)
        axes.set(xlim=(middle[0] - half, middle[0] + half), ylim=(middle[1] - half, middle[1] + half),
                 zlim=(middle[2] - half, middle[2] + half))
    axes.set(xlabel="x m", ylabel="y m", zlabel="z m", title=model.name)
    if model.bodies:
        axes.legend(fontsize="x-small")
    if path is not None:
        save(figure, path)
    return figure


def save(figure: Any, path: str | os.PathLike[str]) -> None:
    """Writes a picture under exactly this name; the ending chooses the format, and a name without an ending is a PNG.

    Raises
    ------
    ValueError
        If matplotlib has no format with this ending.
    """
    ending = os.path.splitext(check.path("path", path))[1][1:].lower() or "png"
    if ending not in figure.canvas.get_supported_filetypes():
        raise ValueError(f"{os.fspath(path)}: there is no format .{ending} of pictures; choose .png, .svg or .pdf")
    with draft_of(path) as draft:
        figure.savefig(private_file(draft), format=ending)


def _circle(radius: float, z: float) -> Array:
    return np.column_stack([radius * np.cos(_TURN), radius * np.sin(_TURN), np.full(len(_TURN), z)])


def _lines(visual: dict[str, Any]) -> list[Array]:
    """Polylines of a shape in its own frame."""
    if "box" in visual:
        half = np.array(visual["box"]["sides"]) / 2
        corners = [half * np.array([x, y, z]) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
        return [np.array([a, b]) for i, a in enumerate(corners) for b in corners[i + 1:]
                if np.count_nonzero(a != b) == 1]
    if "prism" in visual:
        outline = np.array(visual["prism"]["outline"]).reshape(-1, 2)
        ring = np.vstack([outline, outline[:1]])
        z = visual["prism"]["length"] / 2
        return [np.column_stack([ring, np.full(len(ring), side)]) for side in (-z, z)]
    for kind in ("cylinder", "capsule", "tube", "sphere"):
        if kind in visual:
            shape = visual[kind]
            radii = [shape[key] for key in ("radius", "outer_radius", "inner_radius") if key in shape]
            z = shape.get("length", 0.0) / 2
            rings = [_circle(radius, side) for radius in radii for side in (-z, z)]
            ribs = [np.array([a, b]) for a, b in zip(rings[0][::6], rings[1][::6])]
            if kind in ("capsule", "sphere"):
                arc = _circle(radii[0], 0.0)[:, [0, 2, 1]]
                rings += [arc, arc[:, [1, 0, 2]]] if kind == "sphere" else [
                    arc[:13] + [0, 0, z], arc[12:] - [0, 0, z]]
            return rings + ribs
    return []
