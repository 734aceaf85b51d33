// The surface of a road as a single wheel sees it: obstacles, a grid of heights, a map of friction.
#pragma once

#include "rt/model/elements/road.h"

namespace tactus::rt {

/// A smooth function over the rectangle of a grid; beyond it the value at its edge.
struct GridValue {
  double value = 0, by_along = 0, by_across = 0;
};

/// Bicubic, through every point, with one continuous derivative (Catmull-Rom).
/// @param along, across  m from the origin of the road; across counts to the left
/// @rt no allocation, no throw, fixed work
GridValue smoothOn(const SurfaceGrid& grid, double along, double across) noexcept;

/// Second derivatives of the same, 1/m.
struct GridSecondDerivatives {
  double along = 0, mixed = 0, across = 0;
};

/// @rt no allocation, no throw, fixed work
GridSecondDerivatives secondDerivativesOn(const SurfaceGrid& grid, double along, double across) noexcept;

/// Bilinear: never outside the values around.
/// @rt no allocation, no throw, fixed work
double linearOn(const SurfaceGrid& grid, double along, double across) noexcept;

/// The surface of a road at one point.
struct RoadPoint {
  double along = 0, across = 0;        ///< way along the road, and to its left, m
  double height = 0;                   ///< above the plane of the road, m
  double by_along = 0, by_across = 0;  ///< slopes of the surface
  Vector3d forward, left;              ///< unit vectors in the plane, along the road and to its left, world
  double friction = 1;                 ///< factor

  Vector3d normal(const Road& road) const noexcept;  ///< of the surface, unit vector, world
};

/// The surface above or below a point of the world.
/// @param radius  of a disc that rolls over the obstacles, m; 0: the obstacles themselves
/// @param point   world, m
/// @rt no allocation, no throw, work bounded by the obstacles and by the line of the road
RoadPoint roadUnder(const Road& road, double radius, const Vector3d& point) noexcept;

/// The plane that stands for the road under one wheel.
struct RoadPlane {
  Vector3d normal;  ///< unit vector, world
  double distance;  ///< of the wheel's center from the plane, m
  double friction;  ///< factor
};

/// The plane that touches the road at a point near the wheel's center: on the surface of heights below the center, or
/// on a half cylinder if that is nearer. The distance has no jump where a wheel comes to a half cylinder, and the
/// normal is its derivative by the center, but for the curvature of the heights.
/// @param center  of the wheel, world, m
/// @rt no allocation, no throw, work bounded by the obstacles and by the line of the road
/// @source the axis of a half cylinder lies in the plane that touches the heights below the center; the center is as
///         far from the half cylinder as from its axis, less its radius
RoadPlane roadUnderWheel(const Road& road, const Vector3d& center) noexcept;

}  // namespace tactus::rt
