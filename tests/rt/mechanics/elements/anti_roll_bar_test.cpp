// Anti-roll bars: third law, power, derivatives against differences.
#include "rt/mechanics/elements/anti_roll_bar.h"

#include "tests/rt/mechanics/elements/direct_loads.h"

#include <catch2/catch.hpp>

using namespace tactus::rt;
using namespace tactus::tests;
using Eigen::VectorXd;

TEST_CASE("the derivative of a bar by the turning of aligned joints agrees with differences",
          "[rt][mechanics][elements]") {
  std::mt19937 random(822);
  Model model = directLoads(false);
  Motions motions = randomMotions(random);
  for (Joint& joint : model.joints) {
    const Vector3d axis = motions[0].R * joint.axis_1;
    Matrix3d& R = motions[static_cast<std::size_t>(joint.body_2)].R;
    joint.zero_2 = R.transpose() * (Eigen::AngleAxisd(0.4, axis) * (motions[0].R * joint.zero_1));
  }
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
  CHECK(directLoadPower(model, motions.data()).dissipated == Approx(0.8 * rate * rate));
  CHECK(directLoadEnergy(model, motions.data(), angles.data()) == Approx(6 * twist * twist));
}
