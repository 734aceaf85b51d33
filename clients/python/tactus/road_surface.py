"""The surface of a road under points."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tactus import check
from tactus.v1 import simulation_pb2


@dataclass(frozen=True)
class RoadSurface:
    """What `Session.road` returns: one row or number for each point.

    Attributes
    ----------
    road : str
        Name of the road.
    points : ndarray, shape (n, 3)
        On the surface, above or below the given points along the normal of the road's plane, world frame, m.
    normals : ndarray, shape (n, 3)
        Unit normals of the surface, world frame.
    heights : ndarray, shape (n,)
        Above the plane of the road, m.
    frictions : ndarray, shape (n,)
        Factors on the friction of tyres.
    along, across : ndarray, shape (n,)
        Way along the road, and to the left of its line, m.
    """

    road: str
    points: npt.NDArray[np.float64]
    normals: npt.NDArray[np.float64]
    heights: npt.NDArray[np.float64]
    frictions: npt.NDArray[np.float64]
    along: npt.NDArray[np.float64]
    across: npt.NDArray[np.float64]


def road_request(session: str, points: npt.ArrayLike, road: str) -> simulation_pb2.QueryRoadRequest:
    """The request for points of shape (n, 3).

    Raises
    ------
    ValueError
        If the points have another shape.
    """
    rows = np.atleast_2d(check.array("points", points))
    if rows.ndim != 2 or rows.shape[1] != 3:
        raise ValueError(f"points must have the shape (n, 3): x, y and z of each point, not {rows.shape}")
    return simulation_pb2.QueryRoadRequest(session=session, road=road, points=rows.ravel().tolist())


def road_surface(answer: simulation_pb2.QueryRoadResponse) -> RoadSurface:
    """The answer as arrays."""

    def rows(values: object, width: int = 1) -> npt.NDArray[np.float64]:
        array = np.array(values, dtype=np.float64)
        return array.reshape(-1, 3) if width == 3 else array

    return RoadSurface(answer.road, rows(answer.points, 3), rows(answer.normals, 3), rows(answer.heights),
                       rows(answer.frictions), rows(answer.along), rows(answer.across))
