// The shortest rotation from one direction to another.
#include "rt/math/shortest_rotation.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <random>

using Eigen::Quaterniond;
using Eigen::Vector3d;
using tactus::rt::shortestRotation;

namespace {

constexpr double kFewUnits = 1e-15;  // some units in the last place of numbers up to 1
/// Directions up to 1e-8 rad from opposite are taken as opposite; those a little further apart keep eight digits.
constexpr double kNearlyOpposite = 3e-8;

Vector3d anyVector(std::mt19937& random) {
  std::normal_distribution<double> normal;
  const double x = normal(random), y = normal(random), z = normal(random);
  return {x, y, z};
}

}  // namespace

TEST_CASE("the shortest rotation turns one direction into the other about their normal", "[rt][math]") {
  std::mt19937 random(5);
  for (int i = 0; i < 100; ++i) {
    const Vector3d from = anyVector(random), to = 1e3 * anyVector(random);
    const Quaterniond q = shortestRotation(from, to);
    CHECK((q * from.normalized() - to.normalized()).norm() < 20 * kFewUnits);
    CHECK(std::abs(q.norm() - 1) < 10 * kFewUnits);
    CHECK(std::abs(q.vec().dot(from.normalized())) < kFewUnits);
    CHECK(q.w() >= 0);
  }
}

TEST_CASE("equal directions need no rotation", "[rt][math]") {
  const Quaterniond q = shortestRotation(Vector3d(1, 2, 3), Vector3d(2, 4, 6));
  CHECK(q.vec().norm() < kFewUnits);
  CHECK(q.w() == Approx(1).epsilon(kFewUnits));
}

TEST_CASE("opposite directions are half a turn apart, nearly opposite ones nearly", "[rt][math]") {
  std::mt19937 random(6);
  for (int i = 0; i < 50; ++i) {
    const Vector3d from = anyVector(random).normalized();
    const Quaterniond half = shortestRotation(from, -2 * from);
    CHECK((half * from + from).norm() < 10 * kFewUnits);
    CHECK(std::abs(half.norm() - 1) < kFewUnits);
    for (double angle : {1e-3, 1e-5, 1e-6, 1e-7, 1e-9}) {
      const Vector3d to = -(from + angle * from.unitOrthogonal());
      const Quaterniond q = shortestRotation(from, to);
      CHECK((q * from - to.normalized()).norm() < kNearlyOpposite);
      CHECK(std::abs(q.norm() - 1) < kNearlyOpposite);
    }
  }
}
