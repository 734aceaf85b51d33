// Rules on actuators and sensors.
#include "rt/model/rules.h"

#include <cmath>

namespace tactus::rt::rules {
namespace {

/// Not a number compares false, so that it yields one finding, not three.
void checkRange(const std::string& path, const ActuatorSpec& actuator, FindingList& out) {
  if (actuator.minimum) requireFinite(path + ".minimum", *actuator.minimum, out);
  if (actuator.maximum) requireFinite(path + ".maximum", *actuator.maximum, out);
  if (actuator.minimum && actuator.maximum && *actuator.minimum > *actuator.maximum)
    out.error(path + ".minimum", printed(*actuator.minimum), "must not be above maximum " + printed(*actuator.maximum));
}

void checkInitialValue(const std::string& path, const ActuatorSpec& actuator, FindingList& out) {
  if (!requireFinite(path + ".initial", actuator.initial, out)) return;
  if (actuator.minimum && actuator.initial < *actuator.minimum)
    out.error(path + ".initial", printed(actuator.initial), "must not be below minimum " + printed(*actuator.minimum));
  if (actuator.maximum && actuator.initial > *actuator.maximum)
    out.error(path + ".initial", printed(actuator.initial), "must not be above maximum " + printed(*actuator.maximum));
}

bool inRange(double value, const ActuatorSpec& actuator) {
  return value >= actuator.minimum.value_or(value) && value <= actuator.maximum.value_or(value);
}

void checkLoss(const std::string& path, const ActuatorSpec& actuator, FindingList& out) {
  constexpr double kMaxRamp = 3600;            // s
  constexpr int kMaxExtrapolated = 1'000'000;  // ticks
  if (actuator.safe && requireFinite(path + ".safe", *actuator.safe, out) && !inRange(*actuator.safe, actuator))
    out.error(path + ".safe", printed(*actuator.safe), "must lie in the range of the actuator");

  const InputLossSpec& loss = actuator.on_loss;
  requireWithin(path + ".on_loss.ramp_time", loss.ramp_time, 0, kMaxRamp, out);
  const auto checkZero = [&](const char* field, LossAction action) {
    if (action == LossAction::kZero && !inRange(0, actuator))
      out.error(path + field, "LOSS_ACTION_ZERO", "needs a range that holds 0");
  };
  checkZero(".on_loss.action", loss.action);
  checkZero(".on_loss.then", loss.then);
  if (loss.action == LossAction::kExtrapolate) {
    requireWithin(path + ".on_loss.extrapolate_ticks", loss.extrapolate_ticks, 1, kMaxExtrapolated, out);
  } else if (loss.extrapolate_ticks != 0) {
    out.error(path + ".on_loss.extrapolate_ticks", std::to_string(loss.extrapolate_ticks),
              "belongs to LOSS_ACTION_EXTRAPOLATE");
  }
  if (loss.then == LossAction::kExtrapolate)
    out.error(path + ".on_loss.then", "LOSS_ACTION_EXTRAPOLATE", "must be another action than the one before it");
}

struct ActuatorRules {
  const std::string& path;
  const References& references;
  FindingList& out;

  void operator()(const JointTorqueSpec& s) const {
    references.requireAngle(path + ".joint_torque.joint", s.joint, out);
  }
  void operator()(const BodyForceSpec& s) const {
    references.requireBody(path + ".body_force.body", s.body, false, out);
    requireFinite(path + ".body_force.point", s.point, out);
    requireDirection(path + ".body_force.direction", s.direction, out);
  }
  void operator()(const BodyTorqueSpec& s) const {
    references.requireBody(path + ".body_torque.body", s.body, false, out);
    requireDirection(path + ".body_torque.direction", s.direction, out);
  }
  void operator()(const DriveInputSpec& s) const { references.requireDrive(path + ".drive_input.drive", s.drive, out); }
  void operator()(const ControlSpec&) const {}      // checkControls() looks at the whole model
  void operator()(const SpringInputSpec&) const {}  // checkSpringInputs() looks at all of them together
};

std::string fieldOf(PointQuantity quantity) {
  switch (quantity) {
    case PointQuantity::kPosition: return ".point_position";
    case PointQuantity::kVelocity: return ".point_velocity";
    case PointQuantity::kAcceleration: return ".point_acceleration";
  }
  return {};
}

struct SensorRules {
  const std::string& path;
  const References& references;
  FindingList& out;

  void operator()(const JointAngleSpec& s) const { references.requireAngle(path + ".joint_angle.joint", s.joint, out); }
  void operator()(const JointRateSpec& s) const { references.requireAngle(path + ".joint_rate.joint", s.joint, out); }
  void operator()(const PointMotionSpec& s) const {
    const std::string at = path + fieldOf(s.quantity);
    references.requireBody(at + ".body", s.body, false, out);
    requireFinite(at + ".point", s.point, out);
    requireDirection(at + ".direction", s.direction, out);
  }
  void operator()(const AngularVelocitySpec& s) const {
    references.requireBody(path + ".angular_velocity.body", s.body, false, out);
    requireDirection(path + ".angular_velocity.direction", s.direction, out);
  }
  void operator()(const ForceValueSpec& s) const {
    references.requireRowForce(path + ".force_value.force", s.force, out);
  }
  void operator()(const JointTravelSpec& s) const {
    references.requireTravel(path + ".joint_travel.joint", s.joint, out);
  }
  void operator()(const JointReactionSpec& s) const {
    references.requireJoint(path + ".joint_reaction.joint", s.joint, out);
    requireDirection(path + ".joint_reaction.direction", s.direction, out);
  }
  void operator()(const SpecificForceSpec& s) const {
    references.requireBody(path + ".specific_force.body", s.body, false, out);
    requireFinite(path + ".specific_force.point", s.point, out);
    requireDirection(path + ".specific_force.direction", s.direction, out);
  }
};

}  // namespace

void checkActuator(const std::string& path, const ActuatorSpec& actuator, const References& references,
                   FindingList& out) {
  checkRange(path, actuator, out);
  checkInitialValue(path, actuator, out);
  checkLoss(path, actuator, out);
  std::visit(ActuatorRules{path, references, out}, actuator.kind);
}

void checkSensor(const std::string& path, const SensorSpec& sensor, const References& references, FindingList& out) {
  std::visit(SensorRules{path, references, out}, sensor.kind);
}

}  // namespace tactus::rt::rules
