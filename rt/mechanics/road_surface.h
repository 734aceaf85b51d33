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

/// The plane that stands for the road under one wheel.
struct RoadPlane {
  Vector3d normal;  ///< unit vector, world
  double distance;  ///< of the wheel's center from the plane, m
  double friction;  ///< factor
};

/// Obstacles as a disc of the radius rolls over them, heights at the point below the center; both tilt the plane.
/// @param center  of the wheel, world, m
/// @rt no allocation, no throw, work bounded by the obstacles of the road
RoadPlane roadUnderWheel(const Road& road, double radius, const Vector3d& center) noexcept;

}  // namespace tactus::rt
