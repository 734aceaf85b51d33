// What an iteration without the gyroscopic part of the tangent leaves of an error.
#include "rt/mechanics/gyroscopic.h"
#include "rt/model/model.h"

#include <Eigen/Geometry>
#include <catch2/catch.hpp>

#include <random>

using namespace tactus::rt;

namespace {

Body bodyOf(double a, double b, double c) {
  return {1.0, Vector3d(a, b, c).asDiagonal()};
}

}  // namespace

TEST_CASE("the contraction of a symmetric top is half a step of its precession", "[rt][mechanics]") {
  // A top that spins at w about its axis precesses at w (c - a) / a.
  for (const double c : {0.5, 2.0, 3.9})
    CHECK(gyroscopicContraction(bodyOf(2, 2, c), Vector3d(0, 0, 30), 1e-3) ==
          Approx(0.5e-3 * 30 * std::abs(2 - c) / 2));
}

TEST_CASE("the contraction is zero for a sphere and at rest, and goes with the step and the rate", "[rt][mechanics]") {
  CHECK(gyroscopicContraction(bodyOf(2, 2, 2), Vector3d(3, 4, 5), 1e-3) == Approx(0).margin(1e-18));  // round-off
  CHECK(gyroscopicContraction(bodyOf(1, 2, 3), Vector3d::Zero(), 1e-3) == 0);
  const Body body = bodyOf(1, 2, 2.5);
  const Vector3d omega(3, -4, 5);
  const double once = gyroscopicContraction(body, omega, 1e-3);
  CHECK(once > 0);
  CHECK(gyroscopicContraction(body, omega, 2e-3) == Approx(2 * once));
  CHECK(gyroscopicContraction(body, 3 * omega, 1e-3) == Approx(3 * once));
}

TEST_CASE("the bound of the contraction holds for every spin, and is zero for a sphere", "[rt][mechanics]") {
  std::mt19937 random(18);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> moment(0.5, 1.0);  // two of them are more than the third
  for (int i = 0; i < 200; ++i) {
    Body body = bodyOf(moment(random), moment(random), moment(random));
    const Matrix3d R = Eigen::Quaterniond(normal(random), normal(random), normal(random), normal(random))
                           .normalized()
                           .toRotationMatrix();
    body.inertia = R * body.inertia * R.transpose();
    const Vector3d omega(normal(random), normal(random), normal(random));
    // By definition of the bound, with the same step of 1e-3 s on both sides.
    CHECK(gyroscopicContraction(body, omega, 1e-3) <= 1e-3 * omega.norm() * gyroscopicBound(body));
  }
  CHECK(gyroscopicBound(bodyOf(2, 2, 2)) < 1e-12);  // round-off
}

TEST_CASE("the largest contraction is taken over bodies and initial conditions", "[rt][mechanics]") {
  Model model;
  model.bodies = {bodyOf(1, 1, 1), bodyOf(2, 2, 3)};
  model.initial_conditions.resize(2);
  for (InitialCondition& condition : model.initial_conditions) condition.angular_velocity.assign(2, Vector3d(0, 0, 1));
  model.initial_conditions[1].angular_velocity[1] = Vector3d(0, 0, 10);
  CHECK(largestGyroscopicContraction(model, 1e-2) == Approx(0.5e-2 * 10 * 0.5));
}
