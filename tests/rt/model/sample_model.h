// A small valid model with one of everything, for tests that break one thing at a time.
#pragma once

#include "rt/model/check_model.h"
#include "rt/model/model_spec.h"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

namespace tactus::rt::test {

inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kInf = std::numeric_limits<double>::infinity();

inline BodySpec sampleBody(const std::string& name, const Vector3d& position) {
  BodySpec body;
  body.name = name;
  body.mass = 2;
  body.inertia << 1.0, 0.1, 0.0, 0.1, 1.2, -0.2, 0.0, -0.2, 0.9;
  body.position = position;
  return body;
}

template <typename Kind>
JointSpec sampleJoint(const std::string& name, const std::string& body_1, const std::string& body_2, const Kind& kind) {
  JointSpec joint;
  joint.name = name;
  joint.body_1 = body_1;
  joint.body_2 = body_2;
  joint.kind = kind;
  return joint;
}

/// Joints 0 to 5: revolute, spherical, distance, dot1, dot2, point. Actuators 0 to 2: joint torque, body force,
/// body torque. Sensors 0 to 3: joint angle, joint rate, point position, angular velocity.
inline ModelSpec sampleModel() {
  const Vector3d x = Vector3d::UnitX(), y = Vector3d::UnitY(), z = Vector3d::UnitZ(), zero = Vector3d::Zero();
  ModelSpec spec;
  spec.name = "sample";
  spec.gravity = Vector3d(0, -9.81, 0);
  spec.bodies = {sampleBody("arm", 0.5 * x), sampleBody("rod", 1.5 * x), sampleBody("bob", 2.5 * x)};

  RevoluteSpec hinge;
  hinge.point_2 = -0.5 * x;
  hinge.axis_1 = hinge.axis_2 = z;
  DistanceSpec rope;
  rope.point_1 = 0.5 * x;
  spec.joints = {sampleJoint("hinge", "ground", "arm", hinge),
                 sampleJoint("ball", "arm", "rod", SphericalSpec{0.5 * x, -0.5 * x}),
                 sampleJoint("rope", "rod", "bob", rope),
                 sampleJoint("square", "rod", "bob", Dot1Spec{x, y}),
                 sampleJoint("plane", "ground", "bob", Dot2Spec{z, zero, zero}),
                 sampleJoint("pin", "rod", "bob", PointSpec{0.5 * x, -0.5 * x})};

  spec.actuators.resize(3);
  spec.actuators[0].name = "motor";
  spec.actuators[0].kind = JointTorqueSpec{"hinge"};
  spec.actuators[1].name = "push";
  spec.actuators[1].kind = BodyForceSpec{"bob", zero, 2 * x, Frame::kWorld};
  spec.actuators[2].name = "twist";
  spec.actuators[2].kind = BodyTorqueSpec{"rod", y, Frame::kBody};

  spec.sensors.resize(4);
  spec.sensors[0].name = "angle";
  spec.sensors[0].kind = JointAngleSpec{"hinge"};
  spec.sensors[1].name = "rate";
  spec.sensors[1].kind = JointRateSpec{"hinge"};
  spec.sensors[2].name = "height";
  spec.sensors[2].kind = PointMotionSpec{PointQuantity::kPosition, "bob", zero, y, Frame::kWorld};
  spec.sensors[3].name = "spin";
  spec.sensors[3].kind = AngularVelocitySpec{"bob", x, Frame::kBody};

  spec.initial_conditions.resize(1);
  spec.initial_conditions[0].name = "thrown";
  spec.initial_conditions[0].bodies.resize(1);
  spec.initial_conditions[0].bodies[0].body = "bob";
  spec.initial_conditions[0].bodies[0].velocity = z;
  return spec;
}

inline std::string describe(const std::vector<Finding>& findings) {
  return ModelError(findings).what();
}

/// True if exactly one finding was made: at `path`, with `rule` among the words of its rule.
inline bool isOnly(const std::vector<Finding>& findings, const std::string& path, const std::string& rule,
                   Severity severity = Severity::kError) {
  return findings.size() == 1 && findings[0].path == path && findings[0].severity == severity &&
         findings[0].rule.find(rule) != std::string::npos && !findings[0].value.empty();
}

}  // namespace tactus::rt::test

// One change to the sample model, and the one finding that it must cause.
#define TACTUS_REQUIRE_FINDING(spec, path, rule)                  \
  do {                                                            \
    const auto findings_ = tactus::rt::checkModel(spec);          \
    INFO(tactus::rt::test::describe(findings_));                  \
    REQUIRE(tactus::rt::test::isOnly(findings_, (path), (rule))); \
  } while (false)
