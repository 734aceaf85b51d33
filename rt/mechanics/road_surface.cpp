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

/// The way along the road as a grid counts it: on a closed line that turn in which the point is on the grid, or else
/// nearest to it.
double wayOn(const Road& road, const SurfaceGrid& grid, double along) noexcept {
  if (!road.line.closed) return along;
  const double end = grid.along + grid.spacing * (grid.rows - 1);
  if (along >= grid.along && along <= end) return along;
  const double middle = 0.5 * (grid.along + end);
  return middle + wayFrom(road, middle, along);
}

/// The surface of a road without its obstacles.
struct BareRoad {
  RoadPoint at;        ///< slopes by the way along the road
  double stretch = 1;  ///< of the way at the point to the way along the road

  BareRoad(const Road& road, const Vector3d& point) noexcept {
    const Vector3d from = point - road.origin;
    at.forward = road.along;
    at.left = road.up.cross(road.along);
    at.along = at.forward.dot(from);
    at.across = at.left.dot(from);
    if (!road.line.empty()) {
      const LinePlace place = placeOn(road.line, at.along, at.across);
      const Vector3d ahead = place.forward_x * at.forward + place.forward_y * at.left;
      at.along = place.along;
      at.across = place.across;
      at.forward = ahead;
      at.left = road.up.cross(ahead);
      stretch = place.stretch;
    }
    if (!road.heights.values.empty()) {
      const GridValue grid = smoothOn(road.heights, wayOn(road, road.heights, at.along), at.across);
      at.height = grid.value;
      at.by_along = grid.by_along;
      at.by_across = grid.by_across;
    }
    at.friction = road.friction;
    if (!road.frictions.values.empty())
      at.friction *= linearOn(road.frictions, wayOn(road, road.frictions, at.along), at.across);
  }
};

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
  const BareRoad bare(road, point);
  RoadPoint out = bare.at;
  const RoadProfile profile = roadUnderDisc(road, radius, out.along);
  out.height += profile.height;
  out.by_along += profile.slope;
  // Left of the line of a bend to the left the way is shorter than along the line.
  out.by_along /= bare.stretch;
  return out;
}

Vector3d RoadPoint::normal(const Road& road) const noexcept {
  const double size = std::sqrt(1 + by_along * by_along + by_across * by_across);
  return (road.up - by_along * forward - by_across * left) / size;
}

RoadPlane roadUnderWheel(const Road& road, const Vector3d& center) noexcept {
  const BareRoad bare(road, center);
  RoadPoint at = bare.at;
  at.by_along /= bare.stretch;
  const double above = road.up.dot(center - road.origin) - at.height;
  const double size = std::sqrt(1 + at.by_along * at.by_along + at.by_across * at.by_across);
  RoadPlane plane;
  plane.normal = at.normal(road);
  plane.distance = above / size;
  plane.friction = at.friction;
  if (road.half_cylinders.empty() || !(above > 0)) return plane;

  // From the axis of each half cylinder, perpendicular to it.
  const Vector3d ahead = at.forward + at.by_along * road.up;
  const Vector3d axis = (at.left + at.by_across * road.up) / std::sqrt(1 + at.by_across * at.by_across);
  for (const HalfCylinder& bump : road.half_cylinders) {
    const double way = bare.stretch * wayFrom(road, bump.position, at.along);
    if (std::abs(way) >= plane.distance + bump.radius) continue;
    Vector3d from_axis = way * ahead + above * road.up;
    from_axis -= axis.dot(from_axis) * axis;
    const double distance = from_axis.norm();
    if (!(distance > 0 && distance - bump.radius < plane.distance)) continue;
    plane.distance = distance - bump.radius;
    plane.normal = from_axis / distance;
  }
  return plane;
}

}  // namespace tactus::rt
