// A model with each direct load, and the loads that it puts on bodies in arbitrary motion.
#pragma once

#include "rt/mechanics/force_element_derivatives.h"

#include <Eigen/Geometry>

#include <random>
#include <vector>

namespace tactus::tests {

using Motions = std::vector<rt::BodyMotion>;

constexpr int kBodies = 4;

/// A carrier (body 0), two arms on it and a body in the wind; `ground`: the second arm hangs on ground.
inline rt::Model directLoads(bool ground) {
  rt::Model model;
  model.bodies.resize(kBodies);
  for (const int arm : {1, 2}) {
    rt::Joint joint{};
    joint.point_1 = joint.point_2 = joint.axis_1 = joint.axis_2 = joint.zero_1 = joint.zero_2 = rt::Vector3d::Zero();
    joint.body_1 = ground && arm == 2 ? rt::kGround : 0;
    joint.body_2 = arm;
    joint.axis_1 = rt::Vector3d(1, 0.2 * arm, -0.3).normalized();
    joint.zero_1 = joint.axis_1.unitOrthogonal();
    joint.zero_2 = rt::Vector3d(0, 1, 0.5 * arm).normalized();
    joint.displacement = arm - 1;
    model.joints.push_back(joint);
  }
  model.anti_roll_bars = {{0, 1, 12, 0.8, -1.3, 0.1}};
  rt::AirLoad air{};
  air.body = 3;
  air.point = rt::Vector3d(0.3, 0.1, -0.4);
  air.up = rt::Vector3d(0, 0.6, 0.8);
  air.wind = rt::Vector3d(2, -1, 0.5);
  air.drag = 0.7;
  air.lift = 0.4;
  air.across = rt::Vector3d::Zero();
  model.air_loads = {air};
  model.drags = {{2, 0.5, 0.25}};
  return model;
}

inline Motions randomMotions(std::mt19937& random) {
  std::normal_distribution<double> normal;
  const auto any = [&] { return rt::Vector3d(normal(random), normal(random), normal(random)); };
  Motions motions(kBodies);
  for (rt::BodyMotion& m : motions) {
    m.r = any();
    m.R = Eigen::AngleAxisd(normal(random), any().normalized()).toRotationMatrix();
    m.v = any();
    m.omega_w = any();
  }
  return motions;
}

/// Angles of the joints, from which no small motion unwraps to another turn.
inline std::vector<double> anglesOf(const rt::Model& model, const Motions& motions) {
  std::vector<double> angles(2);
  for (const rt::Joint& joint : model.joints)
    angles[static_cast<std::size_t>(joint.displacement)] = rt::jointAngle(joint, motions.data()) + 4 * M_PI;
  return angles;
}

inline Eigen::VectorXd loadsOf(const rt::Model& model, const Motions& motions, const std::vector<double>& angles) {
  std::vector<rt::Load> loads(kBodies);
  rt::addDirectLoads(model, motions.data(), angles.data(), loads.data());
  Eigen::VectorXd all(6 * kBodies);
  for (int i = 0; i < kBodies; ++i)
    all.segment<6>(6 * i) << loads[static_cast<std::size_t>(i)].force, loads[static_cast<std::size_t>(i)].torque;
  return all;
}

/// The motions with component c of all velocities, or of all positions, changed by h.
inline Motions moved(Motions motions, bool velocity, int c, double h) {
  rt::BodyMotion& m = motions[static_cast<std::size_t>(c / 6)];
  const rt::Vector3d unit = rt::Vector3d::Unit(c % 3) * h;
  if (velocity)
    (c % 6 < 3 ? m.v : m.omega_w) += unit;
  else if (c % 6 < 3)
    m.r += unit;
  else
    m.R = Eigen::AngleAxisd(h, rt::Vector3d::Unit(c % 3)).toRotationMatrix() * m.R;
  return motions;
}

/// Derivatives of all loads by all positions, or by all velocities, as the model's elements give them.
inline Eigen::MatrixXd derivativesOf(const rt::Model& model, const Motions& motions, const std::vector<double>& angles,
                                     bool velocity) {
  Eigen::MatrixXd D = Eigen::MatrixXd::Zero(6 * kBodies, 6 * kBodies);
  for (const rt::BodyLoadDerivative& d : rt::differentiateDirectLoads(model, motions.data(), angles.data()))
    D.block<6, 6>(6 * d.loaded, 6 * d.moved) += velocity ? d.by_velocity : d.by_position;
  return D;
}

/// Central differences of all loads by component c of all positions, or of all velocities.
inline Eigen::VectorXd differenceOf(const rt::Model& model, const Motions& motions, const std::vector<double>& angles,
                                    bool velocity, int c) {
  constexpr double h = 1e-6;
  return (loadsOf(model, moved(motions, velocity, c, h), angles) -
          loadsOf(model, moved(motions, velocity, c, -h), angles)) /
         (2 * h);
}

/// Central differences at that step: round-off 1e-10 times loads of the order of 100, truncation far below.
constexpr double kDifferenceTolerance = 1e-6;

}  // namespace tactus::tests
