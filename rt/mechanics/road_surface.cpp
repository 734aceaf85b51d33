#include "rt/mechanics/road_surface.h"

#include "rt/math/cubic_weights.h"
#include "rt/mechanics/road.h"
#include "rt/mechanics/road_line.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace tactus::rt {

namespace {

/// One coordinate on a grid: the cell, the place in it, and whether the point lies on the grid.
struct Place {
  int cell;
  double t;
  bool inside;

  Place(double x, double spacing, int points) noexcept {
    // A coordinate that is not a number compares false and ends at the first point.
    const double at = x / spacing, last = points - 1;
    const double held = at > 0 ? std::min(at, last) : 0.0;
    inside = at > 0 && at < last;
    cell = std::min(static_cast<int>(held), points - 2);
    t = held - cell;
  }
};

double at(const SurfaceGrid& grid, int row, int column) noexcept {
  const int r = std::clamp(row, 0, grid.rows - 1), c = std::clamp(column, 0, grid.columns - 1);
  return grid
      .values[static_cast<std::size_t>(r) * static_cast<std::size_t>(grid.columns) + static_cast<std::size_t>(c)];
}

}  // namespace

GridValue smoothOn(const SurfaceGrid& grid, double along, double across) noexcept {
  const Place p(along - grid.along, grid.spacing, grid.rows);
  const Place q(across - grid.across, grid.acrossSpacing(), grid.columns);
  const CubicWeights u(p.t), v(q.t);
  GridValue g;
  for (int i = 0; i < 4; ++i) {
    double row = 0, row_slope = 0;
    for (int j = 0; j < 4; ++j) {
      const double value = at(grid, p.cell - 1 + i, q.cell - 1 + j);
      row += v.w[j] * value;
      row_slope += v.d[j] * value;
    }
    g.value += u.w[i] * row;
    g.by_along += u.d[i] * row;
    g.by_across += u.w[i] * row_slope;
  }
  g.by_along = p.inside ? g.by_along / grid.spacing : 0.0;
  g.by_across = q.inside ? g.by_across / grid.acrossSpacing() : 0.0;
  return g;
}

GridSecondDerivatives secondDerivativesOn(const SurfaceGrid& grid, double along, double across) noexcept {
  const Place p(along - grid.along, grid.spacing, grid.rows);
  const Place q(across - grid.across, grid.acrossSpacing(), grid.columns);
  const CubicWeights u(p.t), v(q.t);
  const CubicSecondDerivatives u_second(p.t), v_second(q.t);
  GridSecondDerivatives g;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      const double value = at(grid, p.cell - 1 + i, q.cell - 1 + j);
      g.along += u_second.w[i] * v.w[j] * value;
      g.mixed += u.d[i] * v.d[j] * value;
      g.across += u.w[i] * v_second.w[j] * value;
    }
  const double h = grid.spacing, k = grid.acrossSpacing();
  g.along = p.inside ? g.along / (h * h) : 0.0;
  g.mixed = p.inside && q.inside ? g.mixed / (h * k) : 0.0;
  g.across = q.inside ? g.across / (k * k) : 0.0;
  return g;
}

double linearOn(const SurfaceGrid& grid, double along, double across) noexcept {
  const Place p(along - grid.along, grid.spacing, grid.rows);
  const Place q(across - grid.across, grid.acrossSpacing(), grid.columns);
  const double near = (1 - q.t) * at(grid, p.cell, q.cell) + q.t * at(grid, p.cell, q.cell + 1);
  const double far = (1 - q.t) * at(grid, p.cell + 1, q.cell) + q.t * at(grid, p.cell + 1, q.cell + 1);
  return (1 - p.t) * near + p.t * far;
}

RoadPoint roadUnder(const Road& road, double radius, const Vector3d& point) noexcept {
  const Vector3d from = point - road.origin;
  RoadPoint out;
  out.forward = road.along;
  out.left = road.up.cross(road.along);
  out.along = out.forward.dot(from);
  out.across = out.left.dot(from);
  double stretch = 1;
  if (!road.line.empty()) {
    const LinePlace place = placeOn(road.line, out.along, out.across);
    const Vector3d ahead = place.forward_x * out.forward + place.forward_y * out.left;
    out.along = place.along;
    out.across = place.across;
    out.forward = ahead;
    out.left = road.up.cross(ahead);
    stretch = place.stretch;
  }
  const RoadProfile profile = roadUnderDisc(road, radius, out.along);
  out.height = profile.height;
  out.by_along = profile.slope;
  if (!road.heights.values.empty()) {
    const GridValue grid = smoothOn(road.heights, out.along, out.across);
    out.height += grid.value;
    out.by_along += grid.by_along;
    out.by_across = grid.by_across;
  }
  // Left of the line of a bend to the left the way is shorter than along the line.
  out.by_along /= stretch;
  out.friction = road.friction;
  if (!road.frictions.values.empty()) out.friction *= linearOn(road.frictions, out.along, out.across);
  return out;
}

Vector3d RoadPoint::normal(const Road& road) const noexcept {
  const double size = std::sqrt(1 + by_along * by_along + by_across * by_across);
  return (road.up - by_along * forward - by_across * left) / size;
}

RoadPlane roadUnderWheel(const Road& road, double radius, const Vector3d& center) noexcept {
  const RoadPoint at = roadUnder(road, radius, center);
  const double size = std::sqrt(1 + at.by_along * at.by_along + at.by_across * at.by_across);
  RoadPlane plane;
  plane.normal = at.normal(road);
  plane.distance = (road.up.dot(center - road.origin) - at.height) / size;
  plane.friction = at.friction;
  return plane;
}

}  // namespace tactus::rt
