#include "tests/rt/offline/sprung_mechanism.h"

#include "rt/math/euler_parameters.h"
#include "tests/support/mechanisms.h"

#include <cmath>
#include <numbers>

namespace tactus::tests {

namespace {

using rt::Vector3d;

rt::ForceSpec force(const std::string& name, decltype(rt::ForceSpec::kind) kind) {
  rt::ForceSpec spec;
  spec.name = name;
  spec.kind = std::move(kind);
  return spec;
}

rt::DriveSpec drive(const std::string& name, decltype(rt::DriveSpec::target) target,
                    decltype(rt::DriveSpec::function) function) {
  rt::DriveSpec spec;
  spec.name = name;
  spec.target = std::move(target);
  spec.function = std::move(function);
  return spec;
}

/// Symmetric and positive definite, with couplings everywhere.
Eigen::MatrixXd coupled(int rows, double scale) {
  Eigen::MatrixXd A(rows, rows);
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < rows; ++c) A(r, c) = (r == c ? 2.0 : 0.0) + 0.5 * std::sin(1.0 + 3 * r + 7 * c);
  return scale * A * A.transpose();
}

rt::RevoluteSpec hinge(const Vector3d& point_1, const Vector3d& point_2, const Vector3d& axis) {
  return {point_1, point_2, axis, axis, 0};
}

/// What the coupled one has besides: a guided body, a coupler over two hinges and that guide, wind, inputs of a
/// bushing.
void couple(rt::ModelSpec& spec) {
  spec.joints.push_back(
      makeJoint("wire", "ground", "soft", rt::PointOnLineSpec{Vector3d(1, 0, 0), {2, 0, 0}, {0, 0, 0}}));
  rt::JointSpec coupler;
  coupler.name = "coupler";
  coupler.kind = rt::CouplerSpec{{{"elbow", 0.6, false}, {"wire", -0.8, true}, {"shoulder", 0.3, false}}};
  spec.joints.push_back(coupler);
  spec.forces.push_back(force(
      "gust", rt::AirLoadSpec{"tail", {0.1, 0.2, 0}, 0.5, 1.2, 0.4, 0.3, {0, 1, 0}, {1, 0.5, 2}, 0.7, {0, 0, 1}}));
  for (const int axis : {2, 6}) {
    rt::ActuatorSpec press;
    press.name = axis == 2 ? "press" : "turn";
    press.initial = -7;
    press.kind = rt::SpringInputSpec{"six", rt::SpringQuantity::kPreload, 1.5, 0.5, axis};
    spec.actuators.push_back(press);
  }
}

}  // namespace

rt::ModelSpec sprungMechanism(bool coupled_too) {
  rt::ModelSpec spec;
  spec.name = "sprung";
  spec.gravity = Vector3d(0, -kGravity, 0);
  const Vector3d left(-0.5, 0, 0), right(0.5, 0, 0);
  for (const auto& [name, x] : {std::pair("arm", 0.5), {"link", 1.5}, {"soft", 2.5}, {"tail", 3.5}}) {
    rt::BodySpec body = makeBody(name, {x, 0, 0});
    body.inertia = Vector3d(0.3, 0.5, 0.4).asDiagonal();
    spec.bodies.push_back(body);
  }
  rt::BodySpec bob = makeBody("bob", {-0.5, 0, 0.4});
  bob.inertia = Vector3d(0.2, 0.3, 0.25).asDiagonal();
  spec.bodies.push_back(bob);
  const Vector3d tilted = Vector3d(0, 1, 2).normalized();
  spec.joints = {makeJoint("shoulder", "ground", "arm", hinge({0, 0, 0}, left, Vector3d(0, 0, 1))),
                 makeJoint("elbow", "arm", "link", hinge(right, left, tilted)),
                 makeJoint("anchor", "ground", "bob", rt::SphericalSpec{{0, 0, 0.4}, {0.5, 0, 0}})};

  rt::RotationalSpringSpec about{"elbow", 40, 3, 0.2, -1};
  rt::TranslationalSpringSpec along;
  along.body_1 = "ground";
  along.body_2 = "tail";
  along.point_1 = {3, 2, 0.5};
  along.point_2 = {0.2, 0.1, 0};
  along.stiffness = 60;
  along.damping = 2;
  along.free_length = 1.5;
  along.preload = 4;
  rt::BushingSpec six;
  six.body_1 = "link";
  six.body_2 = "soft";
  six.point_1 = right;
  six.point_2 = left;
  six.orientation = rt::Vector4d(0.9, 0.1, -0.2, 0.3).normalized();
  six.stiffness = coupled(6, 30);
  six.damping = coupled(6, 0.5);
  rt::BushingSpec three = six;
  three.body_1 = "soft";
  three.body_2 = "tail";
  three.stiffness = coupled(3, 60);
  three.damping = coupled(3, 1);
  spec.forces = {force("about", about), force("along", along), force("six", six), force("three", three),
                 force("air", rt::BodyDragSpec{"tail", 0.6, 0.1})};

  // Both begin at rest where the bodies are.
  rt::DrivenDistanceSpec rod;
  rod.body_1 = "ground";
  rod.body_2 = "bob";
  rod.point_1 = {-0.5, 1, 0.4};
  rod.point_2 = {-0.5, 0, 0};
  const double length = std::hypot(0.5, 1.0);
  spec.drives = {drive("swing", rt::DrivenAngleSpec{"shoulder"}, rt::HarmonicSpec{-0.4, 0.4, 3, std::numbers::pi / 2}),
                 drive("hoist", rod, rt::PolynomialSpec{{length, 0, -0.3, 0.1}})};

  rt::ActuatorSpec push;
  push.name = "push";
  push.initial = 3;
  push.kind = rt::BodyForceSpec{"soft", Vector3d(0.1, 0.2, 0), Vector3d(0, 0, 1), rt::Frame::kBody};
  spec.actuators = {push};
  if (coupled_too) couple(spec);
  return spec;
}

rt::ModelSpec torsionalRotor() {
  rt::ModelSpec spec = sprungMechanism();
  spec.name = "torsional_rotor";
  spec.bodies.resize(1);
  rt::BodySpec& rotor = spec.bodies.front();
  rotor.position = Vector3d::Zero();
  rotor.inertia = Vector3d(1, 1.5, 2).asDiagonal();
  rotor.angular_velocity = {0, 0, 12};
  spec.joints = {makeJoint("hinge", "ground", rotor.name, hinge({0, 0, 0}, {0, 0, 0}, Vector3d(0, 0, 1)))};
  spec.forces = {force("torsion", rt::RotationalSpringSpec{"hinge", 2, 0.4, 0, 0})};
  spec.drives.clear();
  spec.actuators.clear();
  return spec;
}

rt::ModelSpec wheelOnBump(bool heights) {
  rt::ModelSpec spec = freeBody(0);
  rt::RoadSpec road;
  road.name = "road";
  road.origin = {0.1, -0.2, 0.3};
  road.up = Vector3d(0.2, -0.1, 1).normalized();
  road.along = road.up.cross(Vector3d(0.3, 1, 0)).normalized() * -1;
  road.half_cylinders = {{0.8, 0.05}};
  if (heights) {
    road.heights = {-1.03, -2.04, 0.1, 41, {}};
    for (int row = 0; row < 41; ++row)
      for (int column = 0; column < 41; ++column)
        road.heights->values.push_back(0.02 * std::sin(0.5 * row) * std::cos(0.3 * column));
  }
  spec.roads = {road};

  // The center of the wheel, 0.1 m behind the middle of the bump.
  const double radius = 0.4, reach = radius + 0.05, height = std::sqrt(reach * reach - 0.01) - 0.02;
  const Vector3d center(0.1, 0.2, -0.15);
  rt::BodySpec& body = spec.bodies[0];
  body.mass = 10;
  body.orientation = rt::Vector4d(0.9, 0.2, -0.3, 0.1).normalized();
  body.position = road.origin + 0.9 * road.along + height * road.up - rt::rotationMatrix(body.orientation) * center;
  spec.forces = {force("tyre", rt::VerticalTyreSpec{"road", body.name, center, radius, 1e3, 8})};
  return spec;
}

}  // namespace tactus::tests
