#include "server/models/chain.h"

#include <string>

namespace tactus::server {
namespace {

using rt::Vector3d;

const Vector3d kLeftEnd(-0.5, 0, 0);
const Vector3d kRightEnd(0.5, 0, 0);

rt::BodySpec makeLink(int i) {
  rt::BodySpec link;
  link.name = "link_" + std::to_string(i);
  link.mass = 1;
  link.inertia.setIdentity();
  link.position = Vector3d(i - 0.5, 0, 0);
  return link;
}

rt::JointSpec makeJoint(int i) {
  rt::JointSpec joint;
  joint.name = "joint_" + std::to_string(i);
  joint.body_1 = i == 1 ? rt::kGroundName : "link_" + std::to_string(i - 1);
  joint.body_2 = "link_" + std::to_string(i);
  joint.kind = rt::SphericalSpec{i == 1 ? Vector3d::Zero().eval() : kRightEnd, kLeftEnd};
  return joint;
}

rt::SensorSpec makeTipSensor(const std::string& name, const std::string& tip, const Vector3d& direction) {
  rt::SensorSpec sensor;
  sensor.name = name;
  sensor.description = "Position of the free end.";
  sensor.kind = rt::PointMotionSpec{rt::PointQuantity::kPosition, tip, kRightEnd, direction, rt::Frame::kWorld};
  return sensor;
}

}  // namespace

rt::ModelSpec makeChain(int links) {
  rt::ModelSpec spec;
  spec.name = "chain_" + std::to_string(links);
  spec.description =
      "A chain of " + std::to_string(links) + " equal links on spherical joints, let go from the horizontal.";
  spec.gravity = Vector3d(0, -9.81, 0);
  for (int i = 1; i <= links; ++i) {
    spec.bodies.push_back(makeLink(i));
    spec.joints.push_back(makeJoint(i));
  }

  const std::string tip = spec.bodies.back().name;
  rt::ActuatorSpec push;
  push.name = "push";
  push.description = "Force on the free end along the world z axis, out of the plane in which the chain falls.";
  push.minimum = -100;
  push.maximum = 100;
  push.kind = rt::BodyForceSpec{tip, kRightEnd, Vector3d::UnitZ(), rt::Frame::kWorld};
  spec.actuators.push_back(push);
  spec.sensors.push_back(makeTipSensor("tip_x", tip, Vector3d::UnitX()));
  spec.sensors.push_back(makeTipSensor("tip_y", tip, Vector3d::UnitY()));
  return spec;
}

}  // namespace tactus::server
