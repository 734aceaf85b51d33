// Drags, air and anti-roll bars: third law, power, derivatives against differences.
#include "rt/mechanics/body_loads.h"

#include <catch2/catch.hpp>

#include <random>

using namespace tactus::rt;

namespace {

using Motions = std::vector<BodyMotion>;
using Eigen::VectorXd;

constexpr int kBodies = 4;

/// A carrier (body 0), two arms on it and a body in the wind; `ground`: the second arm hangs on ground.
Model sample(bool ground) {
  Model model;
  model.bodies.resize(kBodies);
  for (const int arm : {1, 2}) {
    Joint joint{};
    joint.point_1 = joint.point_2 = joint.axis_1 = joint.axis_2 = joint.zero_1 = joint.zero_2 = Vector3d::Zero();
    joint.body_1 = ground && arm == 2 ? kGround : 0;
    joint.body_2 = arm;
    joint.axis_1 = Vector3d(1, 0.2 * arm, -0.3).normalized();
    joint.zero_1 = joint.axis_1.unitOrthogonal();
    joint.zero_2 = Vector3d(0, 1, 0.5 * arm).normalized();
    joint.displacement = arm - 1;
    model.joints.push_back(joint);
  }
  model.anti_roll_bars = {{0, 1, 12, 0.8, -1.3, 0.1}};
  model.air_loads = {
      {3, Vector3d(0.3, 0.1, -0.4), Vector3d(0, 0.6, 0.8), Vector3d(2, -1, 0.5), 0.7, 0.4, 0, Vector3d::Zero()}};
  model.drags = {{2, 0.5, 0.25}};
  return model;
}

Motions randomMotions(std::mt19937& random) {
  std::normal_distribution<double> normal;
  const auto any = [&] { return Vector3d(normal(random), normal(random), normal(random)); };
  Motions motions(kBodies);
  for (BodyMotion& m : motions) {
    m.r = any();
    m.R = Eigen::AngleAxisd(normal(random), any().normalized()).toRotationMatrix();
    m.v = any();
    m.omega_w = any();
  }
  return motions;
}

/// Coordinates from which no small motion unwraps to another turn.
std::vector<double> coordinatesOf(const Model& model, const Motions& motions) {
  std::vector<double> angles(2);
  for (const Joint& joint : model.joints)
    angles[static_cast<std::size_t>(joint.displacement)] = jointAngle(joint, motions.data()) + 4 * M_PI;
  return angles;
}

VectorXd loadsOf(const Model& model, const Motions& motions, const std::vector<double>& coordinates) {
  std::vector<Load> loads(kBodies);
  addBodyLoads(model, motions.data(), coordinates.data(), loads.data());
  VectorXd all(6 * kBodies);
  for (int i = 0; i < kBodies; ++i)
    all.segment<6>(6 * i) << loads[static_cast<std::size_t>(i)].force, loads[static_cast<std::size_t>(i)].torque;
  return all;
}

/// The motions with component c of all velocities, or of all positions, changed by h.
Motions moved(Motions motions, bool velocity, int c, double h) {
  BodyMotion& m = motions[static_cast<std::size_t>(c / 6)];
  const Vector3d unit = Vector3d::Unit(c % 3) * h;
  if (velocity)
    (c % 6 < 3 ? m.v : m.omega_w) += unit;
  else if (c % 6 < 3)
    m.r += unit;
  else
    m.R = Eigen::AngleAxisd(h, Vector3d::Unit(c % 3)).toRotationMatrix() * m.R;
  return motions;
}

}  // namespace

TEST_CASE("derivatives of drags, air and bars agree with differences", "[rt][mechanics][loads]") {
  std::mt19937 random(821);
  const double h = 1e-6;
  for (int repeat = 0; repeat < 6; ++repeat) {
    Model model = sample(repeat % 2 == 1);
    if (repeat > 2) {
      model.air_loads[0].side = 0.9;
      model.air_loads[0].across = Vector3d(0.8, 0, 0.6);
    }
    const Motions motions = randomMotions(random);
    const std::vector<double> coordinates = coordinatesOf(model, motions);
    Eigen::MatrixXd D[2];
    for (Eigen::MatrixXd& d : D) d = Eigen::MatrixXd::Zero(6 * kBodies, 6 * kBodies);
    for (const BodyLoadDerivative& d : differentiateBodyLoads(model, motions.data(), coordinates.data())) {
      D[0].block<6, 6>(6 * d.loaded, 6 * d.moved) += d.by_position;
      D[1].block<6, 6>(6 * d.loaded, 6 * d.moved) += d.by_velocity;
    }
    // The angle of a bar's joint is that of parallel axes: its rate is exact for turning about the axis alone.
    for (const bool velocity : {false, true})
      for (int c = 0; c < 6 * kBodies; ++c) {
        if (!velocity && c < 18 && c % 6 >= 3) continue;
        const VectorXd difference = (loadsOf(model, moved(motions, velocity, c, h), coordinates) -
                                     loadsOf(model, moved(motions, velocity, c, -h), coordinates)) /
                                    (2 * h);
        CAPTURE(repeat, velocity, c);
        CHECK((D[velocity ? 1 : 0].col(c) - difference).norm() < 1e-6);
      }
  }
}

TEST_CASE("the derivative of a bar by the turning of aligned joints agrees with differences",
          "[rt][mechanics][loads]") {
  std::mt19937 random(822);
  const double h = 1e-6;
  Model model = sample(false);
  Motions motions = randomMotions(random);
  for (Joint& joint : model.joints) {
    const Vector3d axis = motions[0].R * joint.axis_1;
    Matrix3d& R = motions[static_cast<std::size_t>(joint.body_2)].R;
    joint.zero_2 = R.transpose() * (Eigen::AngleAxisd(0.4, axis) * (motions[0].R * joint.zero_1));
  }
  const std::vector<double> coordinates = coordinatesOf(model, motions);
  Eigen::MatrixXd D = Eigen::MatrixXd::Zero(6 * kBodies, 6 * kBodies);
  for (const BodyLoadDerivative& d : differentiateBodyLoads(model, motions.data(), coordinates.data()))
    D.block<6, 6>(6 * d.loaded, 6 * d.moved) += d.by_position;
  for (int c = 0; c < 18; ++c) {
    const VectorXd difference = (loadsOf(model, moved(motions, false, c, h), coordinates) -
                                 loadsOf(model, moved(motions, false, c, -h), coordinates)) /
                                (2 * h);
    CAPTURE(c);
    CHECK((D.col(c) - difference).norm() < 1e-6);
  }
}

TEST_CASE("a bar adds no momentum, and its power is what its energy and damping take", "[rt][mechanics][loads]") {
  std::mt19937 random(823);
  Model model = sample(false);
  model.air_loads.clear();
  model.drags.clear();
  const Motions motions = randomMotions(random);
  const std::vector<double> coordinates = coordinatesOf(model, motions);
  const VectorXd loads = loadsOf(model, motions, coordinates);
  Vector3d torque = Vector3d::Zero();
  double power = 0;
  for (int i = 0; i < kBodies; ++i) {
    CHECK(loads.segment<3>(6 * i).norm() == 0);
    torque += loads.segment<3>(6 * i + 3);
    power += loads.segment<3>(6 * i + 3).dot(motions[static_cast<std::size_t>(i)].omega_w);
  }
  CHECK(torque.norm() < 1e-12);
  const double twist = coordinates[0] + 1.3 * coordinates[1] - 0.1;
  const double rate = jointRate(model.joints[0], motions.data()) + 1.3 * jointRate(model.joints[1], motions.data());
  CHECK(power == Approx(-(12 * twist + 0.8 * rate) * rate));
  CHECK(bodyLoadPower(model, motions.data()).dissipated == Approx(0.8 * rate * rate));
  CHECK(barEnergy(model, motions.data(), coordinates.data()) == Approx(6 * twist * twist));
}

TEST_CASE("air: a side force resists motion across alone, and gives back no energy", "[rt][mechanics][loads]") {
  Model model = sample(false);
  model.drags.clear();
  model.anti_roll_bars.clear();
  model.air_loads[0] = {3, Vector3d(1.5, 0, 0), Vector3d::Zero(), Vector3d::Zero(), 0, 0, 2, Vector3d(0, 1, 0)};
  Motions motions(kBodies);
  const auto loadAt = [&](const Vector3d& v) {
    motions[3].v = v;
    std::vector<Load> loads(kBodies);
    addBodyLoads(model, motions.data(), nullptr, loads.data());
    return loads[3];
  };
  CHECK(loadAt({30, 0, 0}).force.norm() == 0);
  const Load drifting = loadAt({4, 3, 0});
  CHECK((drifting.force - Vector3d(0, -2 * 5 * 3, 0)).norm() < 1e-12);
  CHECK((drifting.torque - Vector3d(0, 0, -1.5 * 30)).norm() < 1e-12);
  CHECK(bodyLoadPower(model, motions.data()).dissipated == Approx(90));
}

TEST_CASE("air: drag along the relative wind, lift along up, power", "[rt][mechanics][loads]") {
  Model model = sample(false);
  Motions motions(kBodies);
  motions[3].v = Vector3d(12, -1, 0.5);  // 10 m/s against the wind along x
  std::vector<Load> loads(kBodies);
  addBodyLoads(model, motions.data(), std::vector<double>{0, 0}.data(), loads.data());
  const Vector3d force(-0.7 * 100, 0.4 * 100 * 0.6, 0.4 * 100 * 0.8);
  CHECK((loads[3].force - force).norm() < 1e-12);
  CHECK((loads[3].torque - Vector3d(0.3, 0.1, -0.4).cross(force)).norm() < 1e-12);
  model.drags.clear();
  const LoadPower power = bodyLoadPower(model, motions.data());
  CHECK(power.dissipated == Approx(700));
  CHECK(power.input - power.dissipated == Approx(force.dot(motions[3].v)));
}
