#include "rt/mechanics/actuators.h"

#include "rt/mechanics/body_action.h"
#include "rt/model/model.h"

namespace tactus::rt {

namespace {

BodyAction<double> actionOf(const Actuator& actuator, double value) noexcept {
  return {actuator.kind == ActuatorKind::kBodyForce, actuator.frame, actuator.direction, actuator.point, value};
}

/// Adds the load of one actuator.
void addActuatorLoad(const Model& model, int index, std::span<const double> input, const BodyMotion* motions,
                     Load* loads) noexcept {
  const auto i = static_cast<std::size_t>(index);
  const Actuator& actuator = model.actuators[i];
  switch (actuator.kind) {
    case ActuatorKind::kJointTorque: {
      const Joint& joint = model.joints[static_cast<std::size_t>(actuator.target)];
      const Vector3d torque = motionOf(motions, joint.body_1).R * joint.axis_1 * input[i];
      if (joint.body_1 != kGround) loads[joint.body_1].torque -= torque;
      if (joint.body_2 != kGround) loads[joint.body_2].torque += torque;
      break;
    }
    case ActuatorKind::kBodyForce:
    case ActuatorKind::kBodyTorque: {
      Load& load = loads[actuator.target];
      addAction(actionOf(actuator, input[i]), motions[actuator.target].R, load.force, load.torque);
      break;
    }
    case ActuatorKind::kDriveInput:
    case ActuatorKind::kSpringInput:
    case ActuatorKind::kControl: break;  // they act through their elements
  }
}

}  // namespace

void addActuatorLoads(const Model& model, std::span<const double> input, const BodyMotion* motions,
                      Load* loads) noexcept {
  for (int i = 0; i < model.actuatorCount(); ++i) addActuatorLoad(model, i, input, motions, loads);
}

double actuatorPower(const Model& model, std::span<const double> input, const BodyMotion* motions) noexcept {
  double power = 0;
  for (std::size_t i = 0; i < model.actuators.size(); ++i) {
    const Actuator& actuator = model.actuators[i];
    double rate = 0;
    switch (actuator.kind) {
      case ActuatorKind::kJointTorque:
        rate = jointRate(model.joints[static_cast<std::size_t>(actuator.target)], motions);
        break;
      case ActuatorKind::kBodyForce:
      case ActuatorKind::kBodyTorque: {
        const BodyMotion& body = motions[actuator.target];
        rate = actionRate(actionOf(actuator, input[i]), body.R, body.v, body.omega_w);
        break;
      }
      case ActuatorKind::kDriveInput:
      case ActuatorKind::kSpringInput:
      case ActuatorKind::kControl: break;
    }
    power += rate * input[i];
  }
  return power;
}

}  // namespace tactus::rt
