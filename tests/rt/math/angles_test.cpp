// Angles about an axis, and how they count full turns.
#include "rt/math/angles.h"

#include <catch2/catch.hpp>

using namespace tactus::rt;

TEST_CASE("angles unwrap to the nearest turn", "[rt][math]") {
  const double turn = 2 * 3.14159265358979323846;
  CHECK(unwrapAngle(0.1, 0.0) == Approx(0.1));
  CHECK(unwrapAngle(-3.1, 3.1) == Approx(-3.1 + turn));
  CHECK(unwrapAngle(3.1, -3.1 - 5 * turn) == Approx(3.1 - 6 * turn));
}

TEST_CASE("an angle about an axis turns by the right hand", "[rt][math]") {
  const Eigen::Vector3d x(1, 0, 0), y(0, 2, 0), z(0, 0, 1);
  CHECK(angleAbout(z, x, y) == Approx(0.5 * std::numbers::pi));
  CHECK(angleAbout(-z, x, y) == Approx(-0.5 * std::numbers::pi));
  CHECK(angleAbout(z, x, -x) == Approx(std::numbers::pi));
}
