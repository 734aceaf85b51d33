// Covers: rt/model/elements/road_line.cpp
// The line of a road: the nearest point, against arcs and circles by formulas, smoothness, and what is refused.
#include "rt/mechanics/road_line.h"

#include "rt/math/worst.h"
#include "rt/model/check_model.h"
#include "rt/model/model_spec.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

using namespace tactus;

namespace {

/// An arc of a circle about (0, radius) from the origin on.
rt::RoadLineSpec arc(double radius, double spacing, int points, bool closed = false) {
  rt::RoadLineSpec spec;
  spec.start = 5;
  spec.spacing = spacing;
  spec.closed = closed;
  for (int i = 0; i < points; ++i) {
    const double angle = i * spacing / radius;
    spec.points.push_back(radius * std::sin(angle));
    spec.points.push_back(radius * (1 - std::cos(angle)));
  }
  return spec;
}

/// A line of straights and arcs.
class Way {
 public:
  explicit Way(double spacing) {
    spec.spacing = spacing;
    spec.points = {0, 0};
  }

  /// Goes on by a length (m) with a curvature (1/m).
  Way& go(double length, double curvature) {
    while (length > 0) {
      const double piece = std::min(length, spec.spacing - since_);
      const double chord =
          curvature == 0 ? piece : 2 / std::abs(curvature) * std::sin(0.5 * std::abs(curvature) * piece);
      const double middle = heading_ + 0.5 * curvature * piece;
      x_ += chord * std::cos(middle), y_ += chord * std::sin(middle);
      heading_ += curvature * piece;
      length -= piece;
      since_ += piece;
      if (since_ < spec.spacing * (1 - 1e-9)) continue;
      spec.points.push_back(x_), spec.points.push_back(y_);
      since_ = 0;
    }
    return *this;
  }

  rt::RoadLineSpec spec;

 private:
  double x_ = 0, y_ = 0, heading_ = 0, since_ = 0;
};

}  // namespace

TEST_CASE("the place on an arc is that of the formulas", "[rt][mechanics][road]") {
  const double radius = 40;
  const rt::RoadLine line = rt::makeRoadLine(arc(radius, 0.5, 161));
  for (double s = 2; s < 78; s += 0.61)
    for (const double v : {-30.0, -5.0, 0.0, 4.0, 25.0}) {
      const double angle = s / radius;
      const rt::LinePlace at =
          rt::placeOn(line, (radius - v) * std::sin(angle), radius - (radius - v) * std::cos(angle));
      INFO(s << ' ' << v);
      // A spline through points at 0.5 m on a radius of 40 m: h^4 of the fourth derivative.
      CHECK(at.along == Approx(5 + s).epsilon(0).margin(1e-5));
      CHECK(at.across == Approx(v).epsilon(0).margin(1e-6));
      CHECK(at.forward_x == Approx(std::cos(angle)).epsilon(0).margin(1e-6));
      CHECK(at.forward_y == Approx(std::sin(angle)).epsilon(0).margin(1e-6));
      CHECK(at.stretch == Approx(1 - v / radius).epsilon(1e-3));
    }
}

TEST_CASE("an open line goes straight on beyond its ends, and a closed one has none", "[rt][mechanics][road]") {
  const rt::RoadLine open = rt::makeRoadLine(arc(40, 0.5, 100));
  const rt::LinePlace before = rt::placeOn(open, -7, 2);
  // The spline through points at 0.5 m.
  CHECK(before.along == Approx(-2).margin(1e-3));
  // The spline through points at 0.5 m.
  CHECK(before.across == Approx(2).margin(1e-3));
  // The spline through points at 0.5 m.
  CHECK(before.stretch == Approx(1).margin(1e-3));

  const int points = 400;
  const double radius = 40, step = 2 * std::numbers::pi * radius / points;
  const rt::RoadLine ring = rt::makeRoadLine(arc(radius, step, points, true));
  CHECK(ring.length() == Approx(2 * std::numbers::pi * radius));
  for (const double angle : {-0.3, -1e-9, 0.0, 1e-9, 0.3, 3.0}) {
    const rt::LinePlace at = rt::placeOn(ring, 39 * std::sin(angle), 40 - 39 * std::cos(angle));
    // The spline through points at 0.5 m.
    CHECK(at.across == Approx(1).epsilon(0).margin(1e-6));
    const double way = std::remainder(at.along - 5 - radius * angle, ring.length());
    // The spline through points at 0.5 m.
    CHECK(std::abs(way) < 1e-5);
    CHECK(at.along >= 5);
    CHECK(at.along <= 5 + ring.length());
  }
}

TEST_CASE("the place has a continuous derivative across points and squares", "[rt][mechanics][road]") {
  // An S of two arcs, whose curvature the spline carries over.
  rt::RoadLineSpec spec = arc(30, 0.5, 61);
  double x = spec.points[120], y = spec.points[121], heading = 30 / 30.0;
  for (int i = 0; i < 60; ++i) {
    heading -= 0.25 / 30;
    x += 0.5 * std::cos(heading), y += 0.5 * std::sin(heading);
    heading -= 0.25 / 30;
    spec.points.push_back(x), spec.points.push_back(y);
  }
  const rt::RoadLine line = rt::makeRoadLine(spec);
  const auto largestChange = [&](double step) {
    constexpr double kShift = 1e-4;
    double previous = 0, largest = 0;
    for (double at_x = 3; at_x < 38; at_x += step) {
      const auto along = [&](double shift) { return rt::placeOn(line, at_x + shift, 0.4 * (at_x + shift)).along; };
      const double slope = (along(kShift) - along(-kShift)) / (2 * kShift);
      if (previous != 0) largest = rt::worst(largest, std::abs(slope - previous));
      previous = slope;
    }
    return largest;
  };
  // A jump would stay as it is.
  CHECK(largestChange(0.005) < 0.01);
  CHECK(largestChange(0.0025) < 0.6 * largestChange(0.005));
}

TEST_CASE("no point of the plane leads out of the work of a query", "[rt][mechanics][road]") {
  const rt::RoadLine line = rt::makeRoadLine(arc(20, 0.5, 400));  // runs over itself
  for (const double big :
       {1e3, 1e6, 1e8, 1e12, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()})
    for (const auto& [x, y] : {std::pair{big, 0.0}, std::pair{0.0, -big}, std::pair{big, big}}) {
      const rt::LinePlace at = rt::placeOn(line, x, y);
      CHECK(std::isfinite(at.along));
      CHECK(at.stretch > 0);
    }
  CHECK(std::isfinite(rt::placeOn(line, 0, 20).along));  // the center of the circle
}

TEST_CASE("on a large road with hairpins the place is on the branch that is nearest", "[rt][mechanics][road]") {
  const double pi = std::numbers::pi;
  for (const double spacing : {0.4, 1.0, 3.0}) {
    // 4 km to the east, seven legs 12 m apart, 4 km to the north.
    Way way(spacing);
    way.go(4000, 0).go(3 * pi, 1.0 / 6);
    for (int leg = 0; leg < 6; ++leg) way.go(200, 0).go(6 * pi, (leg % 2 == 1 ? 1 : -1) / 6.0);
    way.go(4200, 0);
    const rt::RoadLine line = rt::makeRoadLine(way.spec);
    const auto knots = static_cast<int>(line.knots.size());
    const int first = static_cast<int>(3900 / spacing), last = static_cast<int>(5700 / spacing);
    int wrong = 0;
    for (int k = 0; k < 3000; ++k) {
      const int knot = first + static_cast<int>((last - first) * static_cast<long>(k) / 3000);
      const rt::LinePoint from = rt::pointOf(line, knot * spacing);
      const double left = 3 * std::sin(1.7 * k);
      const double x = from.x - left * from.forward_y, y = from.y + left * from.forward_x;
      const auto away = [&](int i) {
        const rt::RoadLine::Knot& at = line.knots[static_cast<std::size_t>(i)];
        return std::hypot(at.x - x, at.y - y);
      };
      int nearest = 0;
      for (int i = 1; i < knots; ++i)
        if (away(i) < away(nearest)) nearest = i;
      // The nearest point of the line is within one spacing of the nearest knot.
      if (std::abs(rt::placeOn(line, x, y).along - nearest * spacing) > spacing) ++wrong;
    }
    CAPTURE(spacing, line.side, line.rows, line.columns);
    CHECK(wrong == 0);
  }
}

TEST_CASE("the squares of the largest road take bounded memory", "[rt][mechanics][road]") {
  for (const double spacing : {0.2, 1.0, 20.0}) {
    // A corner has the largest rectangle for its length.
    Way way(spacing);
    way.go(24'990 * spacing, 0.01 / (24'990 * spacing)).go(30 * spacing, 0.05 / spacing).go(24'970 * spacing, 0);
    const rt::RoadLine line = rt::makeRoadLine(way.spec);
    REQUIRE(line.knots.size() > 49'000);
    CAPTURE(spacing, line.nearest.size(), line.fine.size());
    CHECK(line.nearest.size() < 260'000);
    CHECK(line.fine.size() < 4'000'000);
  }
}

TEST_CASE("a line that no road can follow is refused", "[rt][model][road]") {
  const auto finding = [](const rt::RoadLineSpec& line) {
    rt::ModelSpec spec;
    spec.name = "m";
    spec.gravity = Eigen::Vector3d::Zero();
    spec.bodies.resize(1);
    spec.bodies[0].name = "b";
    spec.bodies[0].mass = 1;
    spec.bodies[0].inertia.setIdentity();
    spec.roads.resize(1);
    spec.roads[0].name = "r";
    spec.roads[0].up = {0, 0, 1};
    spec.roads[0].along = {1, 0, 0};
    spec.roads[0].line = line;
    const std::vector<rt::Finding> found = rt::checkModel(spec);
    return found.empty() ? std::string() : found[0].path + ": " + found[0].rule;
  };
  CHECK(finding(arc(40, 0.5, 20)).empty());
  rt::RoadLineSpec bad = arc(40, 0.5, 20);
  bad.spacing = 0;
  CHECK(finding(bad).find("roads[0].line.spacing") == 0);
  bad = arc(40, 0.5, 20);
  bad.points.pop_back();
  CHECK(finding(bad).find("roads[0].line.points: must be pairs") == 0);
  bad = arc(40, 0.5, 20);
  bad.points[12] += 0.2;
  CHECK(finding(bad).find("roads[0].line.points[12]") == 0);
  bad = arc(40, 0.5, 20);
  bad.closed = true;  // its ends are far from each other
  CHECK(finding(bad).find("0.9 to 1 times spacing") != std::string::npos);
  bad = arc(40, 0.5, 20);
  bad.points[3] = std::nan("");
  CHECK_FALSE(finding(bad).empty());
}
