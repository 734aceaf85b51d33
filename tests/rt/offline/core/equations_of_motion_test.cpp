// The matrices of a mechanism against central differences of its residual and rows.
// Covers: rt/mechanics/elements/vertical_tyre.cpp
#include "rt/offline/core/equations_of_motion.h"
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "rt/offline/core/chart.h"
#include "tests/rt/offline/core/dense_values.h"
#include "tests/rt/offline/sprung_mechanism.h"
#include "tests/support/random_mechanisms.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <functional>
#include <random>

using namespace tactus::rt;
using namespace tactus::rt::offline;
using tactus::tests::JointMix;
using tactus::tests::largest;
using tactus::tests::randomVector;

namespace {

constexpr double kStep = 1e-5;

/// A mechanism with every kind of joint and actuator.
Model mixedMechanism() {
  ModelSpec spec = tactus::tests::randomTree(5, JointMix::kMixed, 711);
  ActuatorSpec force, torque;
  force.name = "push";
  force.initial = 2.5;
  force.kind = BodyForceSpec{spec.bodies[1].name, Vector3d(0.3, -0.2, 0.1), Vector3d(0, 1, 0), Frame::kBody};
  torque.name = "twist";
  torque.initial = -1.5;
  torque.kind = BodyTorqueSpec{spec.bodies[2].name, Vector3d(1, 0, 0), Frame::kBody};
  spec.actuators = {force, torque};
  return buildModel(spec);
}

/// A point in general position and motion, not on the constraints.
MotionPoint randomPoint(const EquationsOfMotion& system, std::mt19937& random) {
  MotionPoint point = system.pointOf(initialState(system.model()).state, 0);
  point.velocity = randomVector(system.size(), random);
  point.acceleration = randomVector(system.size(), random);
  point.lambda = randomVector(system.rows(), random);
  return point;
}

using Function = std::function<VectorXd(const MotionPoint&)>;

/// Central differences of a function by position (in the tangent), velocity or acceleration.
MatrixXd differences(const DynamicSystem& system, const MotionPoint& at, int level, const Function& f) {
  MatrixXd D(f(at).size(), system.size());
  const auto moved = [&](int c, double h) {
    MotionPoint point = at;
    if (level == 1) point.velocity[c] += h;
    if (level == 2) point.acceleration[c] += h;
    // To first order a chart coordinate is a tangent increment; the rates stay as they are.
    if (level == 0) point = Chart(system, at).placeAt(h * VectorXd::Unit(system.size(), c));
    return point;
  };
  for (int c = 0; c < system.size(); ++c) D.col(c) = (f(moved(c, kStep)) - f(moved(c, -kStep))) / (2 * kStep);
  return D;
}

/// Every matrix against central differences.
void checkDerivatives(const EquationsOfMotion& system, const MotionPoint& at) {
  const Function residual = [&](const MotionPoint& p) -> VectorXd {
    return system.residual(p) + system.jacobian(p).transpose() * p.lambda;
  };
  const Function rows = [&](const MotionPoint& p) { return system.constraints(p); };
  const Function rate = [&](const MotionPoint& p) -> VectorXd { return system.jacobian(p) * p.velocity; };
  const Function second = [&](const MotionPoint& p) -> VectorXd {
    return system.jacobian(p) * p.acceleration - system.gamma(p);
  };
  // Truncation and round-off of the differences are 1e-9 of values up to 100.
  constexpr double tolerance = 1e-7;
  const ResidualDerivatives d = system.residualDerivatives(at);
  CHECK(largest(MatrixXd(d.K) - differences(system, at, 0, residual)) < tolerance);
  CHECK(largest(MatrixXd(d.C) - differences(system, at, 1, residual)) < tolerance);
  CHECK(largest(MatrixXd(d.M) - differences(system, at, 2, residual)) < tolerance);
  CHECK(largest(MatrixXd(d.M - system.mass(at))) < 1e-13);
  const RowRateDerivatives r = system.rowRateDerivatives(at);
  CHECK(largest(MatrixXd(system.jacobian(at)) - differences(system, at, 0, rows)) < tolerance);
  CHECK(largest(MatrixXd(r.rate_by_position) - differences(system, at, 0, rate)) < tolerance);
  CHECK(largest(MatrixXd(r.second_rate_by_position) - differences(system, at, 0, second)) < tolerance);
  CHECK(largest(MatrixXd(r.second_rate_by_velocity) - differences(system, at, 1, second)) < tolerance);
}

}  // namespace

TEST_CASE("derivatives of a mechanism's residual and rows agree with central differences", "[rt][offline]") {
  const Model model = mixedMechanism();
  const EquationsOfMotion system(model, declaredInput(model));
  std::mt19937 random(712);
  const MotionPoint at = randomPoint(system, random);
  checkDerivatives(system, at);

  // In coordinates, the derivative of the second rate by velocity is twice that of the rate by position.
  const RowRateDerivatives r = system.rowRateDerivatives(at);
  const Sparse A = r.rate_by_position + system.jacobian(at) * Chart(system, at).velocityByPosition(at);
  CHECK(largest(MatrixXd(r.second_rate_by_velocity) - 2 * MatrixXd(A)) < 1e-12);
}

TEST_CASE("derivatives of force elements and driven rows agree with central differences", "[rt][offline]") {
  for (const bool coupled : {false, true}) {
    const Model model = buildModel(tactus::tests::sprungMechanism(coupled));
    const EquationsOfMotion system(model, declaredInput(model));
    CHECK(system.rows() == 5 + 5 + 3 + 1 + 1 + (coupled ? 2 + 1 : 0));
    std::mt19937 random(714);
    MotionPoint at = randomPoint(system, random);
    // Positions satisfy the hinges: an angle is the integral of its rate only where its axes are parallel.
    at.t = 0.3;
    checkDerivatives(system, at);
  }
}

TEST_CASE("derivatives of a tyre that moves along a bump agree with central differences", "[rt][offline]") {
  for (const bool heights : {false, true}) {
    const Model model = buildModel(tactus::tests::wheelOnBump(heights));
    const EquationsOfMotion system(model, declaredInput(model));
    std::mt19937 random(715);
    for (int k = 0; k < 4; ++k) {
      MotionPoint at = randomPoint(system, random);
      MotionPoint clear = at;
      clear.position.head<3>() += 0.1 * model.roads[0].up;
      CHECK((system.residual(at) - system.residual(clear)).norm() > 5);  // the tyre carries some 20 N
      checkDerivatives(system, at);
      checkDerivatives(system, clear);
    }
  }
}
