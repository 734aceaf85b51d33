// Derivatives of inertia torques and of the loads of actuators, against central differences of the functions that the
// tick uses.
// Covers: rt/mechanics/mass_matrix.h, rt/mechanics/kinematics.h, rt/math/skew.h
#include "rt/mechanics/load_derivatives.h"
#include "rt/model/model.h"

#include "rt/mechanics/actuators.h"
#include "rt/mechanics/mass_matrix.h"

#include <catch2/catch.hpp>

#include <functional>
#include <random>
#include <vector>

using namespace tactus::rt;

namespace {

using Eigen::VectorXd;

constexpr double kStep = 1e-5;
/// Central differences at this step: truncation 1e-10, round-off 1e-10, times values of the order of 100.
constexpr double kTolerance = 1e-7;

Vector3d randomVector(std::mt19937& random) {
  std::normal_distribution<double> normal;
  return {normal(random), normal(random), normal(random)};
}

using Motions = std::vector<BodyMotion>;

Motions randomMotions(std::mt19937& random) {
  Motions motions(2);
  for (BodyMotion& m : motions) {
    std::normal_distribution<double> normal;
    m.r = randomVector(random);
    m.R = rotationMatrix(Vector4d(normal(random), normal(random), normal(random), normal(random)).normalized());
    m.v = randomVector(random);
    m.omega_w = randomVector(random);
    m.a = randomVector(random);
    m.alpha_w = randomVector(random);
  }
  return motions;
}

/// The motions with column `c` of the twelve changed by h, at position, velocity or acceleration level.
Motions moved(Motions motions, int level, int c, double h) {
  BodyMotion& m = motions[static_cast<std::size_t>(c / 6)];
  const int k = c % 6;
  const Vector3d unit = Vector3d::Unit(k % 3) * h;
  if (level == 0) {
    if (k < 3) m.r += unit;
    if (k >= 3) m.R = Eigen::AngleAxisd(h, Vector3d::Unit(k - 3)).toRotationMatrix() * m.R;
  } else if (level == 1) {
    (k < 3 ? m.v : m.omega_w) += unit;
  } else {
    (k < 3 ? m.a : m.alpha_w) += unit;
  }
  return motions;
}

/// Central differences of a vector function by the twelve columns.
Eigen::MatrixXd differences(const Motions& at, int level, const std::function<VectorXd(const Motions&)>& f) {
  Eigen::MatrixXd D(f(at).size(), 12);
  for (int c = 0; c < 12; ++c)
    D.col(c) = (f(moved(at, level, c, kStep)) - f(moved(at, level, c, -kStep))) / (2 * kStep);
  return D;
}

/// A model of two bodies of which only actuators and joints are looked at.
Model twoBodies() {
  Model model;
  model.bodies.resize(2);
  return model;
}

Actuator randomActuator(ActuatorKind kind, Frame frame, int target, std::mt19937& random) {
  Actuator a;
  a.kind = kind;
  a.target = target;
  a.point = randomVector(random);
  a.direction = randomVector(random).normalized();
  a.frame = frame;
  return a;
}

void checkActuatorDerivatives(const Model& model, const std::vector<double>& input, std::mt19937& random) {
  const Motions motions = randomMotions(random);
  const auto loads = [&](const Motions& at) {
    std::vector<Load> sum(2);
    addActuatorLoads(model, input, at.data(), sum.data());
    VectorXd all(12);
    all << sum[0].force, sum[0].torque, sum[1].force, sum[1].torque;
    return all;
  };
  Eigen::MatrixXd D = Eigen::MatrixXd::Zero(12, 12);
  for (const LoadDerivative& d : differentiateActuatorLoads(model, input, motions.data()))
    D.block<6, 3>(6 * d.loaded, 6 * d.turned + 3) += d.by_rotation;
  CHECK((D - differences(motions, 0, loads)).cwiseAbs().maxCoeff() < kTolerance);
}

}  // namespace

TEST_CASE("derivatives of the inertia torque agree with central differences", "[rt][mechanics]") {
  std::mt19937 random(703);
  for (int repeat = 0; repeat < 5; ++repeat) {
    Matrix3d A;
    for (int k = 0; k < 3; ++k) A.col(k) = randomVector(random);
    const Body body{1.0, A * A.transpose()};
    const Motions motions = randomMotions(random);
    const auto torque = [&body](const Motions& at) -> VectorXd {
      const Matrix3d& R = at[0].R;
      return inertiaTorque(body, R, R.transpose() * at[0].omega_w, R.transpose() * at[0].alpha_w);
    };
    const InertiaTorqueDerivatives d = differentiateInertiaTorque(body, motions[0]);
    CHECK((d.by_rotation - differences(motions, 0, torque).middleCols<3>(3)).cwiseAbs().maxCoeff() < kTolerance);
    CHECK((d.by_rate - differences(motions, 1, torque).middleCols<3>(3)).cwiseAbs().maxCoeff() < kTolerance);
    CHECK((d.by_acceleration - differences(motions, 2, torque).middleCols<3>(3)).cwiseAbs().maxCoeff() < kTolerance);
  }
}

TEST_CASE("derivatives of the actuators' loads agree with central differences", "[rt][mechanics]") {
  std::mt19937 random(704);
  for (const Frame frame : {Frame::kWorld, Frame::kBody})
    for (const ActuatorKind kind : {ActuatorKind::kBodyForce, ActuatorKind::kBodyTorque}) {
      Model model = twoBodies();
      model.actuators = {randomActuator(kind, frame, 1, random), randomActuator(kind, frame, 0, random)};
      checkActuatorDerivatives(model, {2.5, -1.5}, random);
    }
  for (const auto& [body_1, body_2] : std::vector<std::pair<int, int>>{{0, 1}, {1, 0}, {kGround, 1}, {0, kGround}}) {
    Model model = twoBodies();
    model.joints.resize(1);
    Joint& joint = model.joints.front();
    joint.body_1 = body_1;
    joint.body_2 = body_2;
    joint.axis_1 = randomVector(random).normalized();
    model.actuators = {randomActuator(ActuatorKind::kJointTorque, Frame::kBody, 0, random)};
    checkActuatorDerivatives(model, {2.5}, random);
  }
}
