#include "rt/mechanics/joint_friction.h"

#include <Eigen/Geometry>

#include <algorithm>

namespace tactus::rt {

namespace {

double limitOf(const JointFriction& friction, std::span<const double> input) noexcept {
  if (!friction.brake) return friction.limit;
  double share = 0;
  for (const int actuator : friction.actuators) share += input[static_cast<std::size_t>(actuator)];
  return friction.limit * std::max(share, 0.0);
}

}  // namespace

FrictionState evaluateFriction(const Model& model, const JointFriction& friction, const BodyMotion* motions,
                               const double* displacements, const double* internal_states,
                               std::span<const double> input) noexcept {
  const Joint& joint = model.joints[static_cast<std::size_t>(friction.joint)];
  double x, rate;
  if (friction.along_axis) {
    x = jointTravel(joint, motions);
    rate = jointTravelRate(joint, motions);
  } else {
    x = unwrapAngle(jointAngle(joint, motions), displacements[joint.displacement]);
    rate = jointRate(joint, motions);
  }
  FrictionState s;
  s.axis = motionOf(motions, joint.body_1).R * joint.axis_1;
  s.limit = limitOf(friction, input);
  const double reach = s.limit / friction.stiffness;
  s.rest = std::clamp(internal_states[0], x - reach, x + reach);
  const double wanted = friction.stiffness * (s.rest - x - kStickTime * rate);
  s.force = std::clamp(wanted, -s.limit, s.limit);
  s.sliding = s.force != wanted;
  s.dissipated = -s.force * rate;
  return s;
}

void addFrictionLoad(const Model& model, const JointFriction& friction, const FrictionState& state,
                     const BodyMotion* motions, Load* loads) noexcept {
  const Joint& joint = model.joints[static_cast<std::size_t>(friction.joint)];
  const Vector3d load = state.force * state.axis;
  if (!friction.along_axis) {
    if (joint.body_1 != kGround) loads[joint.body_1].torque -= load;
    if (joint.body_2 != kGround) loads[joint.body_2].torque += load;
    return;
  }
  // Both forces act where point 2 is.
  const BodyMotion& body_1 = motionOf(motions, joint.body_1);
  const BodyMotion& body_2 = motionOf(motions, joint.body_2);
  const Vector3d arm_2 = body_2.R * joint.point_2;
  if (joint.body_1 != kGround) {
    loads[joint.body_1].force -= load;
    loads[joint.body_1].torque -= (body_2.r + arm_2 - body_1.r).cross(load);
  }
  if (joint.body_2 != kGround) {
    loads[joint.body_2].force += load;
    loads[joint.body_2].torque += arm_2.cross(load);
  }
}

}  // namespace tactus::rt
