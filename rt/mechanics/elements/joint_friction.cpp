#include "rt/mechanics/elements/joint_friction.h"

#include "rt/model/model.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tactus::rt {

namespace {

double limitOf(const JointFriction& friction, std::span<const double> input) noexcept {
  if (!friction.brake) return friction.limit;
  double share = 0;
  for (const int actuator : friction.actuators) share += input[static_cast<std::size_t>(actuator)];
  return friction.limit * std::max(share, 0.0);
}

/// A body is light if (51) adds more than this times its inertia. For a heavier body, two iterations find the state
/// from any predictor.
constexpr double kLight = 4;

double inertiaAlong(const Model& model, int body, bool along_axis, const Vector3d& axis) noexcept {
  if (body == kGround) return std::numeric_limits<double>::infinity();
  const Body& b = model.bodies[static_cast<std::size_t>(body)];
  return along_axis ? b.mass : axis.dot(b.inertia * axis);
}

/// Inertias of the two bodies of a joint along its displacement, kg m^2 or kg; infinite of ground.
struct PairInertia {
  double smaller, larger;

  double ratio() const noexcept { return larger > 0 ? smaller / larger : 0; }
  double ofRelativeMotion() const noexcept { return smaller / (1 + ratio()); }
};

PairInertia pairInertia(const Model& model, const Joint& joint, bool along_axis) noexcept {
  const double a = inertiaAlong(model, joint.body_1, along_axis, joint.axis_1);
  const double b = inertiaAlong(model, joint.body_2, along_axis, joint.axis_2);
  return {std::min(a, b), std::max(a, b)};
}

}  // namespace

FrictionState JointFrictionElement::evaluate(const JointFriction& friction, const ElementContext& at) noexcept {
  const Joint& joint = at.model.joints[static_cast<std::size_t>(friction.joint)];
  double x, rate;
  if (friction.along_axis) {
    x = jointTravel(joint, at.motions);
    rate = jointTravelRate(joint, at.motions);
  } else {
    x = unwrapAngle(jointAngle(joint, at.motions), at.input.displacements[joint.displacement]);
    rate = jointRate(joint, at.motions);
  }
  FrictionState s;
  s.axis = motionOf(at.motions, joint.body_1).R * joint.axis_1;
  s.limit = limitOf(friction, at.input.values);
  const double reach = s.limit / friction.stiffness;
  const double rest = at.input.internal_states[friction.internal_states];
  s.rest = std::clamp(rest, x - reach, x + reach);
  const double wanted = friction.stiffness * (s.rest - x - kStickTime * rate);
  // The predictor continues the acceleration before the step, which is wrong where a joint sticks. Where a light body
  // sticks or can stop within the step, the first iteration takes the spring without its limit. Its solution is that of
  // a joint that sticks; the next evaluation finds the limit with the correct sign.
  const PairInertia inertia = pairInertia(at.model, joint, friction.along_axis);
  const double h = 0.5 * at.input.dt;
  const double added = h * (h + kStickTime) * friction.stiffness;
  const bool holds = at.input.predicted && added > kLight * inertia.smaller && added < inertia.larger &&
                     (std::abs(rest - x) < reach || std::abs(rate) * inertia.ofRelativeMotion() < h * s.limit);
  s.force = holds ? wanted : std::clamp(wanted, -s.limit, s.limit);
  s.sliding = !holds && std::abs(wanted) >= s.limit;  // at a limit of zero, a released brake, also at rest
  const double secant = s.sliding ? (s.limit > 0 ? s.limit / std::abs(wanted) : 0) : 1;
  s.stiffness = secant * friction.stiffness;
  s.share = 1 + inertia.ratio();
  s.largest_inertia = inertia.larger;
  s.dissipated = -s.force * rate;
  return s;
}

void JointFrictionElement::addLoad(const JointFriction& friction, const FrictionState& s, const ElementContext& at,
                                   Load* loads) noexcept {
  const Joint& joint = at.model.joints[static_cast<std::size_t>(friction.joint)];
  const Vector3d load = s.force * s.axis;
  if (!friction.along_axis) {
    if (joint.body_1 != kGround) loads[joint.body_1].torque -= load;
    if (joint.body_2 != kGround) loads[joint.body_2].torque += load;
    return;
  }
  const BodyMotion& body_1 = motionOf(at.motions, joint.body_1);
  const BodyMotion& body_2 = motionOf(at.motions, joint.body_2);
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

void JointFrictionElement::beginStates(const JointFriction& friction, const ElementContext& at,
                                       double* states) noexcept {
  const Joint& joint = at.model.joints[static_cast<std::size_t>(friction.joint)];
  states[friction.internal_states] =
      friction.along_axis ? jointTravel(joint, at.motions) : at.input.displacements[joint.displacement];
}

std::span<const ElementSignal<FrictionState>> JointFrictionElement::signals(const JointFriction& friction) noexcept {
  static constexpr const char* kText = "friction on the second body along the displacement of the joint";
  static constexpr ElementSignal<FrictionState> kForce[] = {{"force", "N", kText, &FrictionState::force}};
  static constexpr ElementSignal<FrictionState> kTorque[] = {{"torque", "N m", kText, &FrictionState::force}};
  return friction.along_axis ? kForce : kTorque;
}

}  // namespace tactus::rt
