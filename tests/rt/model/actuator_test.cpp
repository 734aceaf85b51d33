// Covers: rt/model/model_hash.cpp, rt/model/actuator.cpp, rt/model/elements/joint_torque.cpp
// Covers: rt/model/elements/body_force.cpp, rt/model/elements/body_torque.cpp, rt/model/elements/joint_angle.cpp
// Covers: rt/model/elements/joint_rate.cpp, rt/model/elements/point_motion.cpp
// Covers: rt/model/elements/angular_velocity.cpp
#include "rt/model/model.h"
#include "tests/rt/model/sample_model.h"

#include <catch2/catch.hpp>

using namespace tactus::rt;
using namespace tactus::rt::test;

namespace {

template <typename Kind>
Kind& actuatorOf(ModelSpec& spec, std::size_t i) {
  return std::get<Kind>(spec.actuators[i].kind);
}

template <typename Kind>
Kind& sensorOf(ModelSpec& spec, std::size_t i) {
  return std::get<Kind>(spec.sensors[i].kind);
}

}  // namespace

TEST_CASE("a joint torque acts on a revolute joint that exists", "[rt][model]") {
  ModelSpec spec = sampleModel();
  actuatorOf<JointTorqueSpec>(spec, 0).joint = "hnge";
  TACTUS_REQUIRE_FINDING(spec, "actuators[0].joint_torque.joint", "name of a joint");
  REQUIRE(checkModel(spec)[0].hint == "did you mean \"hinge\"?");
  actuatorOf<JointTorqueSpec>(spec, 0).joint = "ball";
  TACTUS_REQUIRE_FINDING(spec, "actuators[0].joint_torque.joint", "revolute");
}

TEST_CASE("what an actuator does on loss can be done", "[rt][model]") {
  const auto broken = [](auto&& change) {
    ModelSpec spec = sampleModel();
    spec.actuators[0].minimum = 1;
    spec.actuators[0].maximum = 3;
    spec.actuators[0].initial = 2;
    change(spec.actuators[0]);
    return spec;
  };
  using Spec = ActuatorSpec;
  REQUIRE(checkModel(broken([](Spec&) {})).empty());
  TACTUS_REQUIRE_FINDING(broken([](Spec& a) { a.safe = 4; }), "actuators[0].safe", "range");
  TACTUS_REQUIRE_FINDING(broken([](Spec& a) { a.safe = kNan; }), "actuators[0].safe", "finite");
  TACTUS_REQUIRE_FINDING(broken([](Spec& a) { a.on_loss.ramp_time = -1; }), "actuators[0].on_loss.ramp_time", "from 0");
  TACTUS_REQUIRE_FINDING(broken([](Spec& a) { a.on_loss.ramp_time = kInf; }), "actuators[0].on_loss.ramp_time",
                         "from 0");
  TACTUS_REQUIRE_FINDING(broken([](Spec& a) { a.on_loss.action = LossAction::kZero; }), "actuators[0].on_loss.action",
                         "holds 0");
  TACTUS_REQUIRE_FINDING(broken([](Spec& a) { a.on_loss.action = LossAction::kExtrapolate; }),
                         "actuators[0].on_loss.extrapolate_ticks", "from 1");
  TACTUS_REQUIRE_FINDING(broken([](Spec& a) { a.on_loss.extrapolate_ticks = 3; }),
                         "actuators[0].on_loss.extrapolate_ticks", "EXTRAPOLATE");
  TACTUS_REQUIRE_FINDING(broken([](Spec& a) {
                           a.on_loss = {LossAction::kExtrapolate, 0, 3, LossAction::kExtrapolate};
                         }),
                         "actuators[0].on_loss.then", "another");
}

TEST_CASE("safe values and actions on loss have defaults that follow the declaration, and are hashed", "[rt][model]") {
  ModelSpec spec = sampleModel();
  const Model plain = buildModel(spec);
  CHECK(plain.actuators[0].safe == 0);
  CHECK(plain.actuators[0].on_loss.action == LossAction::kHold);
  spec.actuators[0].safe = 0;
  const Model safe = buildModel(spec);
  CHECK(safe.actuators[0].on_loss.action == LossAction::kRamp);
  CHECK(safe.hash != plain.hash);
  spec.actuators[0].on_loss.ramp_time = 0.5;
  CHECK(buildModel(spec).hash != safe.hash);

  spec = sampleModel();
  spec.actuators[0].minimum = 1;
  spec.actuators[0].maximum = 3;
  spec.actuators[0].initial = 2;
  CHECK(buildModel(spec).actuators[0].safe == 2);
}

TEST_CASE("loads on bodies name a body, not the ground", "[rt][model]") {
  ModelSpec spec = sampleModel();
  actuatorOf<BodyForceSpec>(spec, 1).body = "bobb";
  TACTUS_REQUIRE_FINDING(spec, "actuators[1].body_force.body", "name of a body");
  REQUIRE(checkModel(spec)[0].hint == "did you mean \"bob\"?");
  actuatorOf<BodyForceSpec>(spec, 1).body = "ground";
  TACTUS_REQUIRE_FINDING(spec, "actuators[1].body_force.body", "ground does not move");

  spec = sampleModel();
  actuatorOf<BodyTorqueSpec>(spec, 2).body = "hinge";
  TACTUS_REQUIRE_FINDING(spec, "actuators[2].body_torque.body", "name of a body");
}

TEST_CASE("loads have a direction and a finite point", "[rt][model]") {
  ModelSpec spec = sampleModel();
  actuatorOf<BodyForceSpec>(spec, 1).direction.setZero();
  TACTUS_REQUIRE_FINDING(spec, "actuators[1].body_force.direction", "not of zero length");
  spec = sampleModel();
  actuatorOf<BodyForceSpec>(spec, 1).point[0] = kInf;
  TACTUS_REQUIRE_FINDING(spec, "actuators[1].body_force.point", "finite");
  spec = sampleModel();
  actuatorOf<BodyTorqueSpec>(spec, 2).direction.setZero();
  TACTUS_REQUIRE_FINDING(spec, "actuators[2].body_torque.direction", "not of zero length");
}

TEST_CASE("the range of an actuator is finite and not empty", "[rt][model]") {
  ModelSpec spec = sampleModel();
  spec.actuators[0].minimum = kNan;
  TACTUS_REQUIRE_FINDING(spec, "actuators[0].minimum", "finite");
  spec = sampleModel();
  spec.actuators[0].maximum = kInf;
  TACTUS_REQUIRE_FINDING(spec, "actuators[0].maximum", "finite");
  spec = sampleModel();
  spec.actuators[0].minimum = 0;
  spec.actuators[0].maximum = 0;
  REQUIRE(checkModel(spec).empty());
}

TEST_CASE("the minimum of an actuator is not above its maximum", "[rt][model]") {
  ModelSpec spec = sampleModel();
  spec.actuators[0].minimum = 2;
  spec.actuators[0].maximum = 1;
  spec.actuators[0].initial = 1.5;
  const auto findings = checkModel(spec);
  INFO(describe(findings));
  REQUIRE(findings.size() == 3);  // and the initial value breaks both bounds
  REQUIRE(findings[0].path == "actuators[0].minimum");
  REQUIRE(findings[0].rule == "must not be above maximum 1");
}

TEST_CASE("the initial value of an actuator is within its range", "[rt][model]") {
  ModelSpec spec = sampleModel();
  spec.actuators[0].minimum = 1;
  TACTUS_REQUIRE_FINDING(spec, "actuators[0].initial", "below minimum 1");
  spec = sampleModel();
  spec.actuators[0].maximum = -1;
  TACTUS_REQUIRE_FINDING(spec, "actuators[0].initial", "above maximum -1");
  spec = sampleModel();
  spec.actuators[0].initial = kNan;
  TACTUS_REQUIRE_FINDING(spec, "actuators[0].initial", "finite");
}

TEST_CASE("joint sensors read a revolute joint that exists", "[rt][model]") {
  ModelSpec spec = sampleModel();
  sensorOf<JointAngleSpec>(spec, 0).joint = "bal";
  TACTUS_REQUIRE_FINDING(spec, "sensors[0].joint_angle.joint", "name of a joint");
  REQUIRE(checkModel(spec)[0].hint == "did you mean \"ball\"?");
  spec = sampleModel();
  sensorOf<JointRateSpec>(spec, 1).joint = "rope";
  TACTUS_REQUIRE_FINDING(spec, "sensors[1].joint_rate.joint", "revolute");
}

TEST_CASE("body sensors name a body and have a direction", "[rt][model]") {
  const char* const fields[] = {"point_position", "point_velocity", "point_acceleration"};
  const PointQuantity quantities[] = {PointQuantity::kPosition, PointQuantity::kVelocity, PointQuantity::kAcceleration};
  for (int k = 0; k < 3; ++k) {
    const std::string path = std::string("sensors[2].") + fields[k];
    ModelSpec spec = sampleModel();
    sensorOf<PointMotionSpec>(spec, 2).quantity = quantities[k];
    REQUIRE(checkModel(spec).empty());
    sensorOf<PointMotionSpec>(spec, 2).body = "nobody";
    TACTUS_REQUIRE_FINDING(spec, path + ".body", "name of a body");
    sensorOf<PointMotionSpec>(spec, 2).body = "rod";
    sensorOf<PointMotionSpec>(spec, 2).direction.setZero();
    TACTUS_REQUIRE_FINDING(spec, path + ".direction", "not of zero length");
    sensorOf<PointMotionSpec>(spec, 2).direction = Vector3d::UnitX();
    sensorOf<PointMotionSpec>(spec, 2).point[1] = kNan;
    TACTUS_REQUIRE_FINDING(spec, path + ".point", "finite");
  }
  ModelSpec spec = sampleModel();
  sensorOf<AngularVelocitySpec>(spec, 3).body = "ground";
  TACTUS_REQUIRE_FINDING(spec, "sensors[3].angular_velocity.body", "ground does not move");
  spec = sampleModel();
  sensorOf<AngularVelocitySpec>(spec, 3).direction.setZero();
  TACTUS_REQUIRE_FINDING(spec, "sensors[3].angular_velocity.direction", "not of zero length");
}
