// Heights and friction on a grid, and the plane that stands for the road under a wheel.
#include "rt/mechanics/road_surface.h"

#include <catch2/catch.hpp>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <numbers>

using namespace tactus;
using rt::Vector3d;

namespace {

constexpr double kWheelRadius = 0.3, kBumpRadius = 0.05;

/// A flat road with a half cylinder across it at 2 m.
rt::Road flatRoad() {
  return {{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {{2, kBumpRadius}}, 1, {}, {}, {}};
}

/// A ring of 20 m radius from the origin to the left, 1 m of way at the first point.
struct Ring {
  static constexpr int kPoints = 200;
  static constexpr double kRingRadius = 20, kStart = 1;

  rt::Road road = flatRoad();

  Ring() {
    rt::RoadLineSpec spec;
    spec.closed = true;
    spec.start = kStart;
    spec.spacing = length() / kPoints;
    for (int k = 0; k < kPoints; ++k) {
      const Vector3d at = point(kStart + k * spec.spacing, 0, 0);
      spec.points.insert(spec.points.end(), {at[0], at[1]});
    }
    road.half_cylinders.clear();
    road.line = rt::makeRoadLine(spec);
  }

  static double length() { return 2 * std::numbers::pi * kRingRadius; }
  static Vector3d point(double along, double across, double height) {
    const double angle = (along - kStart) / kRingRadius, from_middle = kRingRadius - across;
    return {from_middle * std::sin(angle), kRingRadius - from_middle * std::cos(angle), height};
  }
};

}  // namespace

TEST_CASE("a grid of heights: through its points, smooth, exact for a plane, held beyond its edge", "[rt][mechanics]") {
  rt::SurfaceGrid grid{-1, 2, 0.5, 4, 3, {}};
  for (int r = 0; r < 4; ++r)
    for (int c = 0; c < 3; ++c) grid.values.push_back(std::sin(2.0 * r) + 0.3 * c * c);
  const auto value = [&](double x, double y) { return rt::smoothOn(grid, x, y).value; };
  CHECK(value(-0.5, 2.5) == Approx(std::sin(2.0) + 0.3));
  CHECK(value(0.5, 3) == Approx(std::sin(6.0) + 1.2));
  CHECK(value(9, 3) == Approx(std::sin(6.0) + 1.2));
  CHECK(rt::smoothOn(grid, 9, 3).by_along == 0);
  const double h = 1e-6;
  for (double x = -0.97; x < 0.49; x += 0.0313)
    for (double y = 2.03; y < 2.98; y += 0.0571) {
      const rt::GridValue g = rt::smoothOn(grid, x, y);
      // Truncation h^2 = 1e-12 times a third derivative, round-off 1e-16 / h.
      CHECK(g.by_along == Approx((value(x + h, y) - value(x - h, y)) / (2 * h)).epsilon(0).margin(1e-6));
      CHECK(g.by_across == Approx((value(x, y + h) - value(x, y - h)) / (2 * h)).epsilon(0).margin(1e-6));
    }
  CHECK(std::isfinite(value(std::nan(""), 2)));
  CHECK(rt::linearOn(grid, -0.75, 2) == Approx(0.5 * std::sin(2.0)));

  rt::Road road{{0, 0, 1}, {0, 0, 1}, {1, 0, 0}, {}, 0.8, {0, 0, 1, 5, 5, {}}, {0, 0, 4, 2, 2, {1, 1, 0.5, 0.5}}, {}};
  for (int r = 0; r < 5; ++r)
    for (int c = 0; c < 5; ++c) road.heights.values.push_back(0.1 * r - 0.05 * c);
  const rt::RoadPlane plane = rt::roadUnderWheel(road, {2.2, 1.7, 1.6});
  const Vector3d normal = Vector3d(-0.1, 0.05, 1).normalized();
  CHECK((plane.normal - normal).norm() < 1e-12);  // round-off
  CHECK(plane.distance == Approx((0.6 - 0.22 + 0.085) * normal[2]));
  CHECK(plane.friction == Approx(0.8 * (1 - 0.5 * 2.2 / 4)));
}

TEST_CASE("a wheel is as far from a half cylinder as its center is from the axis, less the radius",
          "[rt][mechanics][road]") {
  const rt::Road road = flatRoad();
  for (double x = -0.5; x < 0.5; x += 0.0131)
    for (const double z : {0.26, 0.29, 0.3, 0.31, 0.345, 0.4}) {
      CAPTURE(x, z);
      const rt::RoadPlane plane = rt::roadUnderWheel(road, {2 + x, 0.7, z});
      const double from_axis = std::hypot(x, z);
      CHECK(plane.distance == Approx(std::min(z, from_axis - kBumpRadius)).epsilon(1e-14));  // rounding
      const Vector3d normal = from_axis - kBumpRadius < z ? Vector3d(x, 0, z) / from_axis : Vector3d(0, 0, 1);
      CHECK((plane.normal - normal).norm() < 1e-14);  // rounding
    }
  // Where the wheel rolls without being pressed in, its center is on the circle about the axis; 0.18 m is the onset.
  const double reach = kWheelRadius + kBumpRadius;
  for (double x = -0.1802; x < 0.18; x += 1e-3)
    CHECK(rt::roadUnderWheel(road, {2 + x, 0, std::sqrt(reach * reach - x * x)}).distance ==
          Approx(kWheelRadius).epsilon(1e-14));  // rounding
}

TEST_CASE("the distance of a wheel from a half cylinder has no jump, and the normal is its derivative",
          "[rt][mechanics][road]") {
  rt::Road road = flatRoad();
  road.heights = {-6, -8, 4, 5, 5, {}};  // a slope of 0.1 along and of 0.04 across
  for (int r = 0; r < 5; ++r)
    for (int c = 0; c < 5; ++c) road.heights.values.push_back(0.4 + 0.1 * (4 * r - 6) + 0.04 * (4 * c - 8));
  const Vector3d axis = Vector3d(0, 1, 0.04).normalized(), foot(2, 0, 0.1 * 2 + 0.4);
  for (const double z : {0.27, 0.3, 0.33}) {
    double before = 0;
    for (double x = -0.4; x < 0.4; x += 1e-3) {
      const Vector3d center(2 + x, 0.6, 0.1 * (2 + x) + 0.4 + 0.04 * 0.6 + z);
      const rt::RoadPlane plane = rt::roadUnderWheel(road, center);
      if (x > -0.4) CHECK(std::abs(plane.distance - before) < 1e-3);  // at most the way
      before = plane.distance;
      const Vector3d from_foot = center - foot, from_axis = from_foot - axis.dot(from_foot) * axis;
      const double to_plane = z / std::sqrt(1 + 0.1 * 0.1 + 0.04 * 0.04);
      CHECK(plane.distance == Approx(std::min(to_plane, from_axis.norm() - kBumpRadius)).epsilon(1e-12));  // rounding
      if (std::abs(to_plane - (from_axis.norm() - kBumpRadius)) < 1e-4) continue;  // a kink: two points are as near
      for (int k = 0; k < 3; ++k) {
        const Vector3d step = 1e-6 * Vector3d::Unit(k);
        const double difference =
            (rt::roadUnderWheel(road, center + step).distance - rt::roadUnderWheel(road, center - step).distance) /
            2e-6;
        // Round-off 1e-16 / 1e-6; truncation 1e-12 times a third derivative of some 10 per m^2.
        CHECK(plane.normal[k] == Approx(difference).epsilon(0).margin(1e-8));
      }
    }
  }
}

TEST_CASE("a half cylinder across the seam of a ring is whole", "[rt][mechanics][road]") {
  const auto seen = [](double position, double from_axis) {
    Ring ring;
    ring.road.half_cylinders = {{position, kBumpRadius}};
    return rt::roadUnderWheel(ring.road, Ring::point(position + from_axis, 0.5, 0.31)).distance;
  };
  const auto height = [](double position, double from_axis) {
    Ring ring;
    ring.road.half_cylinders = {{position, kBumpRadius}};
    return rt::roadUnder(ring.road, 0, Ring::point(position + from_axis, 0.5, 0)).height;
  };
  for (const double position : {1.0, 1.05, 1 + Ring::length(), -7.0, 300.0})
    for (const double x : {-0.15, -0.045, -0.001, 0.0, 0.04, 0.1}) {
      CAPTURE(position, x);
      // The spline through points at 0.6 m.
      CHECK(seen(position, x) == Approx(seen(40, x)).epsilon(0).margin(1e-5));
      CHECK(height(position, x) == Approx(height(40, x)).epsilon(0).margin(1e-4));  // its slope is up to 3
    }
  CHECK(height(1, -0.001) == Approx(kBumpRadius).margin(1e-4));
}

TEST_CASE("grids of heights and of friction across the seam of a ring are whole", "[rt][mechanics][road]") {
  Ring ring;
  for (const double turn : {0.0, Ring::length(), -Ring::length()}) {
    CAPTURE(turn);
    // From 5 m before the seam, at 1 m of way, to 5 m behind it.
    ring.road.heights = {-4 + turn, -5, 1, 11, 2, {}};
    ring.road.frictions = {-4 + turn, -5, 10, 2, 2, {0.4, 0.4, 0.9, 0.9}};
    for (int k = 0; k < 11; ++k)
      for (int c = 0; c < 2; ++c) ring.road.heights.values.push_back(0.2 * std::sin(0.3 * k));
    for (double x = -4.9; x < 5; x += 0.3) {
      CAPTURE(x);
      const rt::RoadPoint at = rt::roadUnder(ring.road, 0, Ring::point(1 + x, 0, 0));
      // The spline of the line through points at 0.6 m.
      CHECK(at.height == Approx(rt::smoothOn(ring.road.heights, 1 + turn + x, 0).value).epsilon(0).margin(1e-5));
      CHECK(at.friction == Approx(0.4 + 0.05 * (5 + x)).epsilon(0).margin(1e-5));
    }
    // Beyond it the edge that is nearer.
    CHECK(rt::roadUnder(ring.road, 0, Ring::point(1 + 7, 0, 0)).friction == 0.9);
    CHECK(rt::roadUnder(ring.road, 0, Ring::point(1 - 7, 0, 0)).friction == 0.4);
  }
}
