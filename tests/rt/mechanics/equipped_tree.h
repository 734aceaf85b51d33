// A tree in general motion with actuators and sensors of most kinds.
#pragma once

#include "rt/mechanics/kinematics.h"
#include "tests/support/random_mechanisms.h"

#include <catch2/catch.hpp>

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace tactus::tests {

/// The first hinge carries a motor; force and torque in both frames act on the last body.
inline rt::ModelSpec equipped() {
  using namespace rt;
  ModelSpec spec = randomTree(6, JointMix::kHinged, 31);
  std::string hinge;
  for (const JointSpec& j : spec.joints)
    if (std::holds_alternative<RevoluteSpec>(j.kind)) hinge = j.name;
  REQUIRE_FALSE(hinge.empty());
  const std::string body = spec.bodies.back().name;
  const auto actuator = [&](const char* name, decltype(ActuatorSpec::kind) kind) {
    ActuatorSpec a;
    a.name = name;
    a.kind = std::move(kind);
    spec.actuators.push_back(a);
  };
  actuator("motor", JointTorqueSpec{hinge});
  actuator("force_w", BodyForceSpec{body, Vector3d(0.1, 0.2, 0.3), Vector3d(1, 2, 3), Frame::kWorld});
  actuator("force_b", BodyForceSpec{body, Vector3d(-0.3, 0, 0.1), Vector3d(0, 1, 1), Frame::kBody});
  actuator("torque_b", BodyTorqueSpec{body, Vector3d(1, 0, 1), Frame::kBody});
  const auto sensor = [&](const char* name, decltype(SensorSpec::kind) kind) {
    SensorSpec s;
    s.name = name;
    s.kind = std::move(kind);
    spec.sensors.push_back(s);
  };
  const Vector3d point(0.1, 0.2, 0.3), axis(1, 2, 3);
  sensor("angle", JointAngleSpec{hinge});
  sensor("rate", JointRateSpec{hinge});
  sensor("position", PointMotionSpec{PointQuantity::kPosition, body, point, axis, Frame::kWorld});
  sensor("velocity", PointMotionSpec{PointQuantity::kVelocity, body, point, axis, Frame::kWorld});
  sensor("acceleration", PointMotionSpec{PointQuantity::kAcceleration, body, point, axis, Frame::kWorld});
  sensor("gyro", AngularVelocitySpec{body, Vector3d::UnitY(), Frame::kBody});
  return spec;
}

inline std::vector<rt::BodyMotion> motionsOf(const rt::State& state) {
  std::vector<rt::BodyMotion> motions;
  for (int i = 0; i < state.layout().bodies; ++i) motions.push_back(rt::bodyMotion(state.view(), i));
  return motions;
}

}  // namespace tactus::tests
