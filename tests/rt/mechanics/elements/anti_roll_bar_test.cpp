// Anti-roll bars: third law, power, derivatives against differences.
#include "rt/mechanics/elements/anti_roll_bar.h"
#include "rt/model/model.h"

#include "tests/rt/mechanics/elements/direct_loads.h"

#include <catch2/catch.hpp>

using namespace tactus::rt;
using namespace tactus::tests;
using Eigen::VectorXd;

namespace {

/// Makes the axes of both bodies of each joint agree at these motions: derivatives of angles hold there.
Motions aligned(Model& model, Motions motions) {
  for (Joint& joint : model.joints) {
    const Vector3d axis = motions[0].R * joint.axis_1;
    const Matrix3d& R = motions[static_cast<std::size_t>(joint.body_2)].R;
    joint.zero_2 = R.transpose() * (Eigen::AngleAxisd(0.4, axis) * (motions[0].R * joint.zero_1));
  }
  return motions;
}

}  // namespace

TEST_CASE("the derivative of a bar by the turning of aligned joints agrees with differences",
          "[rt][mechanics][elements]") {
  std::mt19937 random(822);
  Model model = directLoads(false);
  const Motions motions = aligned(model, randomMotions(random));
  const std::vector<double> angles = anglesOf(model, motions);
  const Eigen::MatrixXd D = derivativesOf(model, motions, angles, false);
  for (int c = 0; c < 18; ++c) {
    CAPTURE(c);
    CHECK((D.col(c) - differenceOf(model, motions, angles, false, c)).norm() < kDifferenceTolerance);
  }
}

TEST_CASE("an anti-roll bar adds no momentum; its power changes its energy or is dissipated",
          "[rt][mechanics][elements]") {
  std::mt19937 random(823);
  Model model = directLoads(false);
  model.air_loads.clear();
  model.drags.clear();
  const Motions motions = randomMotions(random);
  const std::vector<double> angles = anglesOf(model, motions);
  const VectorXd loads = loadsOf(model, motions, angles);
  Vector3d torque = Vector3d::Zero();
  double power = 0;
  for (int i = 0; i < kBodies; ++i) {
    CHECK(loads.segment<3>(6 * i).norm() == 0);
    torque += loads.segment<3>(6 * i + 3);
    power += loads.segment<3>(6 * i + 3).dot(motions[static_cast<std::size_t>(i)].omega_w);
  }
  CHECK(torque.norm() < 1e-12);  // round-off of torques of the order of 100
  const double twist = angles[0] + 1.3 * angles[1] - 0.1;
  const double rate = jointRate(model.joints[0], motions.data()) + 1.3 * jointRate(model.joints[1], motions.data());
  CHECK(power == Approx(-(12 * twist + 0.8 * rate) * rate));
  CHECK(directLoadPower(model, motions.data(), angles.data()).dissipated == Approx(0.8 * rate * rate));
  CHECK(directLoadPower(model, motions.data(), angles.data()).input == 0);
  CHECK(directLoadEnergy(model, motions.data(), angles.data()) == Approx(6 * twist * twist));
}

TEST_CASE("the boost of a bar multiplies its torque on joint 2, and its power is an input",
          "[rt][mechanics][elements]") {
  std::mt19937 random(824);
  Model model = directLoads(false);
  model.air_loads.clear();
  model.drags.clear();
  const Motions motions = aligned(model, randomMotions(random));
  const std::vector<double> angles = anglesOf(model, motions);
  const VectorXd plain = loadsOf(model, motions, angles);
  model.anti_roll_bars[0].boost = 1.5;
  const VectorXd boosted = loadsOf(model, motions, angles);
  // Body 1 hangs on joint 1, body 2 on joint 2, body 0 carries both.
  CHECK((boosted - plain).segment<6>(6).norm() == 0);
  CHECK((boosted.segment<6>(12) - 2.5 * plain.segment<6>(12)).norm() < 1e-12);  // round-off of torques of order 100
  CHECK((boosted.segment<6>(0) + boosted.segment<6>(6) + boosted.segment<6>(12)).norm() < 1e-12);

  double power = 0;
  for (int i = 0; i < kBodies; ++i)
    power += boosted.segment<3>(6 * i + 3).dot(motions[static_cast<std::size_t>(i)].omega_w);
  const double twist = angles[0] + 1.3 * angles[1] - 0.1;
  const double rate = jointRate(model.joints[0], motions.data()) + 1.3 * jointRate(model.joints[1], motions.data());
  const ElementPower found = directLoadPower(model, motions.data(), angles.data());
  CHECK(found.dissipated == Approx(0.8 * rate * rate));
  CHECK(power == Approx(-12 * twist * rate - found.dissipated + found.input));

  for (const bool velocity : {false, true}) {
    const Eigen::MatrixXd D = derivativesOf(model, motions, angles, velocity);
    for (int c = 0; c < 18; ++c) {
      CAPTURE(velocity, c);
      CHECK((D.col(c) - differenceOf(model, motions, angles, velocity, c)).norm() < kDifferenceTolerance);
    }
  }
}
