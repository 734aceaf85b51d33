#include "rt/mechanics/sensors.h"

#include "rt/mechanics/joint_constraints.h"

namespace tactus::rt {

double sensorValue(const Model& model, const Sensor& sensor, const StateView& state,
                   const BodyMotion* motions) noexcept {
  if (sensor.kind == SensorKind::kJointAngle)
    return state.coordinate()[model.joints[static_cast<std::size_t>(sensor.target)].coordinate];
  if (sensor.kind == SensorKind::kJointRate)
    return jointRate(model.joints[static_cast<std::size_t>(sensor.target)], motions);

  const BodyMotion& body = motions[sensor.target];
  const Vector3d direction = sensor.frame == Frame::kBody ? Vector3d(body.R * sensor.direction) : sensor.direction;
  const Vector3d arm = body.R * sensor.point;
  switch (sensor.kind) {
    case SensorKind::kPointPosition: return direction.dot(body.r + arm);
    case SensorKind::kPointVelocity: return direction.dot(body.v + body.omega_w.cross(arm));
    case SensorKind::kPointAcceleration:
      return direction.dot(body.a + body.alpha_w.cross(arm) + body.omega_w.cross(body.omega_w.cross(arm)));
    case SensorKind::kAngularVelocity: return direction.dot(body.omega_w);
    case SensorKind::kJointAngle:
    case SensorKind::kJointRate: break;  // answered above
  }
  return 0;
}

}  // namespace tactus::rt
