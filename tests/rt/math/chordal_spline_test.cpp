#include "rt/math/chordal_spline.h"

#include "rt/math/worst.h"

#include "tests/support/compare.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

using Eigen::Vector3d;
using tactus::rt::ChordalSpline;
using tactus::tests::observedOrders;

namespace {

constexpr double kRounding = 1e-13;  // of numbers of order one

/// Points of a circle of 1 m, over 2 rad from (1, 0, 0), at uneven distances.
std::vector<Vector3d> arc(int spans) {
  std::vector<Vector3d> points;
  for (int k = 0; k <= spans; ++k) {
    const double share = static_cast<double>(k) / spans, angle = 2 * (share + 0.1 * std::sin(6 * share) * (1 - share));
    points.emplace_back(std::cos(angle), std::sin(angle), 0);
  }
  return points;
}

}  // namespace

TEST_CASE("a spline through points of a circle is the circle with order 4", "[rt][math]") {
  std::vector<double> lengths, radii, tangents;
  for (const int spans : {12, 24, 48}) {
    const ChordalSpline spline(arc(spans));
    double radius = 0, tangent = 0;
    for (int k = 0; k <= 100; ++k) {
      const Vector3d at = spline.position(spline.length() * k / 100), along = spline.tangent(spline.length() * k / 100);
      radius = tactus::rt::worst(radius, std::abs(at.norm() - 1));
      tangent = tactus::rt::worst(tangent, (along - Vector3d(-at.y(), at.x(), 0).normalized()).norm());
    }
    lengths.push_back(std::abs(spline.length() - 2));
    radii.push_back(radius);
    tangents.push_back(tangent);
  }
  CAPTURE(lengths, radii, tangents);
  CHECK(radii.back() < 1e-6);  // of 48 spans of 0.04 rad: below the fourth power, 3e-6
  // Of uneven points: the end spans, which reach the limit last, count in each.
  for (const double order : observedOrders(lengths)) CHECK(order > 3.5);
  for (const double order : observedOrders(radii)) CHECK(order > 3.5);
  for (const double order : observedOrders(tangents)) CHECK(order > 2.5);
}

TEST_CASE("a spline goes through its points at their lengths, evenly and without a kink", "[rt][math]") {
  const std::vector<Vector3d> points = {{0, 0, 0}, {1, 0.5, 0}, {1.2, 1.5, 0.3}, {3, 1, 1}, {3.1, 1.1, 1.1}};
  const ChordalSpline spline(points);
  for (std::size_t i = 0; i < points.size(); ++i)
    CHECK((spline.position(spline.lengthTo(i)) - points[i]).norm() < 1e-10);  // Gauss on sharp bends
  constexpr double kStep = 1e-4;
  for (double s = kStep; s < spline.length() - kStep; s += 0.01) {
    CAPTURE(s);
    const Vector3d before = spline.position(s - kStep), behind = spline.position(s + kStep);
    CHECK((behind - before).norm() == Approx(2 * kStep).epsilon(1e-5));  // bends of a radius of 0.1 m: 2e-7
    CHECK(((behind - before).normalized() - spline.tangent(s)).norm() < 1e-5);
    CHECK((spline.tangent(s + 1e-9) - spline.tangent(s - 1e-9)).norm() < 1e-6);  // no kink
  }
}

TEST_CASE("a spline through three points is a parabola, through two a line", "[rt][math]") {
  const ChordalSpline parabola({{0, 0, 0}, {1, 1, 0}, {2, 0, 0}});
  CHECK(parabola.length() == Approx(std::sqrt(5.0) + std::asinh(2.0) / 2).epsilon(1e-10));  // y = 1 - (x - 1)^2
  const Vector3d at = parabola.position(0.3 * parabola.length());
  CHECK(std::abs(at.y() - (1 - (at.x() - 1) * (at.x() - 1))) < kRounding);
  CHECK((parabola.position(0.5 * parabola.length()) - Vector3d(1, 1, 0)).norm() < 1e-10);

  const ChordalSpline line({{1, 0, 0}, {1, 3, 4}});
  CHECK(line.length() == Approx(5));
  CHECK((line.position(2) - Vector3d(1, 1.2, 1.6)).norm() < kRounding);
  CHECK((line.tangent(5) - Vector3d(0, 0.6, 0.8)).norm() < kRounding);
}
