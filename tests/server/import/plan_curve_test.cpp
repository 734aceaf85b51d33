// Curves of reference lines against independent numbers.
#include "server/import/plan_curve.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <numbers>

using namespace tactus::server;

TEST_CASE("a clothoid has the Fresnel integrals of SciPy", "[server][import]") {
  struct Row {
    double k0, k1, length, way, x, y;
  };
  // scipy.special.fresnel of SciPy 1.10.1; those with a curvature at the start by a shift of the argument and a turn.
  const Row rows[] = {{0, 0.02, 60, 60, 57.87570238857909, 11.694940987202875},
                      {0, 0.02, 60, 37.5, 37.2945295530182, 2.9182123908136823},
                      {0, -0.1, 40, 40, 26.703873925886732, -19.952474226508425},
                      {0, 0.5, 80, 80, 13.012300360726995, 10.35008214140249},
                      {-0.05, 0.1, 90, 90, 64.5418369076517, -8.052119012176519},
                      {0.1, 0.02, 50, 50, -10.60332005337765, 31.295679483900052},
                      {0.1, 0.02, 50, 20, 11.073123068633437, 13.840545704464496}};
  for (const Row& row : rows) {
    INFO(row.k0 << " to " << row.k1 << " over " << row.length << " at " << row.way);
    const CurvePoint at = PlanCurve({}, row.length, Clothoid{row.k0, row.k1}).at(row.way);
    CHECK(at.x == Approx(row.x).epsilon(0).margin(1e-12));  // round-off of sums of some 100 terms of 1 m
    CHECK(at.y == Approx(row.y).epsilon(0).margin(1e-12));
    CHECK(at.heading ==
          Approx(row.k0 * row.way + (row.k1 - row.k0) * row.way * row.way / (2 * row.length)).epsilon(1e-14));
    // From another place in another direction: turned and moved.
    const CurvePoint moved = PlanCurve({3, -7, 0.8}, row.length, Clothoid{row.k0, row.k1}).at(row.way);
    CHECK(moved.x == Approx(3 + std::cos(0.8) * row.x - std::sin(0.8) * row.y).epsilon(0).margin(1e-12));
    CHECK(moved.y == Approx(-7 + std::sin(0.8) * row.x + std::cos(0.8) * row.y).epsilon(0).margin(1e-12));
  }
}

TEST_CASE("a clothoid of constant curvature is an arc, and of none a straight line", "[server][import]") {
  const double k = -0.04;
  const PlanCurve arc({}, 100, Clothoid{k, k}), line({1, 2, std::numbers::pi / 2}, 100, Clothoid{});
  for (const double s : {0.0, 12.5, 99.0}) {
    CHECK(arc.at(s).x == Approx(std::sin(k * s) / k).epsilon(0).margin(1e-12));  // round-off
    CHECK(arc.at(s).y == Approx((1 - std::cos(k * s)) / k).epsilon(0).margin(1e-12));
    CHECK(line.at(s).x == Approx(1).epsilon(0).margin(1e-12));
    CHECK(line.at(s).y == Approx(2 + s).epsilon(1e-14));
  }
}

TEST_CASE("the way along a cubic is its true length, whatever its parameter", "[server][import]") {
  // v = c u^2: its length has a formula.
  const double c = 0.01, end = 80;
  const auto length = [&](double u) {
    const double m = 2 * c * u, root = std::sqrt(1 + m * m);
    return (u * root + std::asinh(m) / (2 * c)) / 2;
  };
  const double whole = length(end);
  const PlanCurve by_length({}, whole, ParametricCubic{{0, 1, 0, 0}, {0, 0, c, 0}, end});
  const PlanCurve by_share({}, whole, ParametricCubic{{0, end, 0, 0}, {0, 0, c * end * end, 0}, 1});
  CHECK(by_length.trueLength() == Approx(whole).epsilon(1e-13));  // quadrature of 12 points on 64 parts
  for (const double u : {0.0, 7.0, 33.3, 79.0, 80.0})
    for (const PlanCurve* curve : {&by_length, &by_share}) {
      const CurvePoint at = curve->at(length(u));
      CHECK(at.x == Approx(u).epsilon(0).margin(1e-10));  // Newton to 1e-14 of the parameter
      CHECK(at.y == Approx(c * u * u).epsilon(0).margin(1e-10));
      CHECK(at.heading == Approx(std::atan(2 * c * u)).epsilon(0).margin(1e-11));
    }
}
