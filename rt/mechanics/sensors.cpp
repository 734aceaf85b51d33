#include "rt/mechanics/sensors.h"

#include "rt/mechanics/joint_constraints.h"
#include "rt/model/model.h"

namespace tactus::rt {

namespace {

bool isOfJoint(SensorKind kind) noexcept {
  switch (kind) {
    case SensorKind::kPointPosition:
    case SensorKind::kPointVelocity:
    case SensorKind::kPointAcceleration:
    case SensorKind::kAngularVelocity:
    case SensorKind::kSpecificForce: return false;
    default: return true;
  }
}

/// Values of joints and of force elements, which are joints, too.
double jointValue(const Model& model, const Sensor& sensor, const StateView& state,
                  const BodyMotion* motions) noexcept {
  const Joint& joint = model.joints[static_cast<std::size_t>(sensor.target)];
  switch (sensor.kind) {
    case SensorKind::kJointAngle: return state.jointDisplacements()[joint.displacement];
    case SensorKind::kJointRate: return jointRate(joint, motions);
    case SensorKind::kJointTravel: return jointTravel(joint, motions);
    case SensorKind::kJointTravelRate: return jointTravelRate(joint, motions);
    // A load on a wheel is a negative multiplier.
    case SensorKind::kForceValue:
      return (joint.kind == JointKind::kVerticalTyre ? -1 : 1) * state.lambda()[joint.first_row];
    default: break;
  }
  const Load load = reactionOnBody2(model, sensor.target, motions, state.lambda());
  const Vector3d& reaction = sensor.kind == SensorKind::kReactionTorque ? load.torque : load.force;
  const bool turns = sensor.frame == Frame::kBody;
  return reaction.dot(turns ? Vector3d(motionOf(motions, joint.body_2).R * sensor.direction) : sensor.direction);
}

}  // namespace

double sensorValue(const Model& model, const Sensor& sensor, const StateView& state,
                   const BodyMotion* motions) noexcept {
  if (isOfJoint(sensor.kind)) return jointValue(model, sensor, state, motions);

  const BodyMotion& body = motions[sensor.target];
  const Vector3d direction = sensor.frame == Frame::kBody ? Vector3d(body.R * sensor.direction) : sensor.direction;
  const Vector3d arm = body.R * sensor.point;
  switch (sensor.kind) {
    case SensorKind::kPointPosition: return direction.dot(body.r + arm);
    case SensorKind::kPointVelocity: return direction.dot(body.v + body.omega_w.cross(arm));
    case SensorKind::kPointAcceleration:
      return direction.dot(body.a + body.alpha_w.cross(arm) + body.omega_w.cross(body.omega_w.cross(arm)));
    case SensorKind::kAngularVelocity: return direction.dot(body.omega_w);
    case SensorKind::kSpecificForce:
      return direction.dot(body.a + body.alpha_w.cross(arm) + body.omega_w.cross(body.omega_w.cross(arm)) -
                           model.gravity);
    default: break;  // answered above
  }
  return 0;
}

}  // namespace tactus::rt
