"""The surface of the road of a session, from Python."""
# Covers: clients/python/tactus/road_surface.py

import numpy as np
import pytest

import tactus

HILLS = {
    "name": "hills",
    "gravity": [0, 0, -9.81],
    "bodies": [{"name": "b", "mass": "1 t", "inertia": {"xx": 1, "yy": 1, "zz": 1}}],
    "roads": [{"name": "street", "up": [0, 0, 1], "along": [1, 0, 0], "friction": 0.5,
               "heights": {"spacing": 1, "columns": 2, "values": [0, 0, 1, 1, 2, 2, 3, 3]}}],
}


def test_a_road_is_queried_for_many_points_at_once(client):
    client.load_model(HILLS)
    with client.create_session("hills", clock="lockstep") as session:
        points = np.array([[1.5, 0.5, 9], [1.25, 0.5, 0]])
        surface = session.road(points)
        assert surface.road == "street"
        np.testing.assert_allclose(surface.heights, [1.5, 1.25])
        np.testing.assert_allclose(surface.points, [[1.5, 0.5, 1.5], [1.25, 0.5, 1.25]])
        np.testing.assert_allclose(surface.normals, np.sqrt(0.5) * np.array([[-1, 0, 1], [-1, 0, 1]]))
        np.testing.assert_allclose(surface.frictions, 0.5)
        np.testing.assert_allclose(surface.along, points[:, 0])
        with pytest.raises(tactus.RequestInvalid, match="no road"):
            session.road(points, "stret")
        with pytest.raises(ValueError, match="shape"):
            session.road([1, 2])
