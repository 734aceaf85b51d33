// Covers: rt/math/skew.h
#include "rt/math/euler_parameters.h"

#include "rt/math/skew.h"

#include <catch2/catch.hpp>

#include <random>

using namespace tactus::rt;

namespace {

Vector4d randomUnit(std::mt19937& random) {
  std::normal_distribution<double> normal;
  Vector4d p(normal(random), normal(random), normal(random), normal(random));
  return p.normalized();
}

Vector3d randomVector(std::mt19937& random) {
  std::normal_distribution<double> normal;
  return {normal(random), normal(random), normal(random)};
}

}  // namespace

// Tolerances: 1e-15 and 1e-14 are round-off of sums of up to a dozen products of numbers about 1; others say why.

TEST_CASE("G and E annihilate p and their transposes are half inverses", "[rt][math]") {
  std::mt19937 random(1);
  for (int i = 0; i < 20; ++i) {
    const Vector4d p = randomUnit(random);
    const Vector3d w = randomVector(random);
    CHECK(multiplyG(p, p).norm() < 1e-15);
    CHECK((multiplyG(p, multiplyGTransposed(p, w)) - w).norm() < 1e-14);
    CHECK(std::abs(p.dot(multiplyGTransposed(p, w))) < 1e-15);
    CHECK(std::abs(p.dot(multiplyETransposed(p, w))) < 1e-15);
    // G^T w_b and E^T R w_b are the same rate of p.
    CHECK((multiplyGTransposed(p, w) - multiplyETransposed(p, rotationMatrix(p) * w)).norm() < 1e-14);
  }
}

TEST_CASE("the rotation matrix is orthonormal and agrees with a rotation about an axis", "[rt][math]") {
  std::mt19937 random(2);
  const Vector4d p = randomUnit(random);
  const Matrix3d R = rotationMatrix(p);
  CHECK((R * R.transpose() - Matrix3d::Identity()).norm() < 1e-14);
  CHECK(R.determinant() == Approx(1));
  const double angle = 0.7;
  const Vector4d about_z(std::cos(angle / 2), 0, 0, std::sin(angle / 2));
  CHECK((rotationMatrix(about_z) * Vector3d::UnitX() - Vector3d(std::cos(angle), std::sin(angle), 0)).norm() < 1e-15);
}

TEST_CASE("rates of p agree with finite differences of a rotation", "[rt][math]") {
  std::mt19937 random(3);
  const Vector4d p = randomUnit(random);
  const Vector3d omega = randomVector(random), alpha = randomVector(random);
  // R(t) with body rates omega + alpha t, integrated by a series about t = 0.
  const double h = 1e-4;
  const auto at = [&](double t) -> Vector4d {
    return p + t * rateOf(p, omega) + 0.5 * t * t * secondRateOf(p, omega, alpha);
  };
  // The rotation matrix turns with the world rate: R' = skew(R omega) R.
  const Matrix3d dR = (rotationMatrix(at(h)) - rotationMatrix(at(-h))) / (2 * h);
  const Matrix3d R = rotationMatrix(p);
  // Truncation of the central difference: h^2 omega^3 / 6.
  CHECK((dR - skew(R * omega) * R).norm() < 1e-6);
  // omega = 2 G pd holds along the curve, so its rate is alpha.
  const auto omegaAt = [&](double t) -> Vector3d {
    const Vector4d pd = rateOf(p, omega) + t * secondRateOf(p, omega, alpha);
    return 2 * multiplyG(at(t), pd);
  };
  // Truncation of the central difference, again h^2.
  CHECK(((omegaAt(h) - omegaAt(-h)) / (2 * h) - alpha).norm() < 1e-7);
}

TEST_CASE("a small turn is a rotation about a world axis", "[rt][math]") {
  std::mt19937 random(4);
  const Vector4d p = randomUnit(random);
  const Vector3d turn = 1e-5 * randomVector(random);
  const Matrix3d expected = (Matrix3d::Identity() + skew(turn)) * rotationMatrix(p);
  // The linear term alone is compared: the next one is turn^2 / 2, about 1e-10.
  CHECK((rotationMatrix(turnedBy(p, turn)) - expected).norm() < 1e-9);
  CHECK(turnedBy(p, turn).norm() == Approx(1).epsilon(1e-15));
}

TEST_CASE("the quaternion product composes rotations", "[rt][math]") {
  std::mt19937 random(5);
  const Vector4d a = randomUnit(random), b = randomUnit(random);
  CHECK((rotationMatrix(product(a, b)) - rotationMatrix(a) * rotationMatrix(b)).norm() < 1e-14);
}
