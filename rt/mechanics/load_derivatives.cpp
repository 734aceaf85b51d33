#include "rt/mechanics/load_derivatives.h"

#include "rt/math/skew.h"
#include "rt/mechanics/mass_matrix.h"
#include "rt/model/model.h"

namespace tactus::rt {

namespace {

LoadDerivative emptyDerivative(int loaded, int turned) {
  LoadDerivative d{loaded, turned, {}};
  d.by_rotation.setZero();
  return d;
}

/// A joint's torque turns with its axis, which is fixed in body 1; it acts on body 2 and, reversed, on body 1.
void addJointTorque(const Joint& joint, double value, const BodyMotion* motions, std::vector<LoadDerivative>& all) {
  if (joint.body_1 == kGround) return;
  const Matrix3d turning = -skew(value * (motions[joint.body_1].R * joint.axis_1));
  for (const int loaded : {joint.body_1, joint.body_2}) {
    if (loaded == kGround) continue;
    LoadDerivative d = emptyDerivative(loaded, joint.body_1);
    d.by_rotation.bottomRows<3>() = loaded == joint.body_1 ? Matrix3d(-turning) : turning;
    all.push_back(d);
  }
}

}  // namespace

InertiaTorqueDerivatives differentiateInertiaTorque(const Body& body, const BodyMotion& m) noexcept {
  const Matrix3d J = worldInertia(body, m.R);
  const Matrix3d W = skew(m.omega_w), turned = skew(J * m.omega_w);
  return {J * skew(m.alpha_w) - skew(J * m.alpha_w) + W * (J * W - turned), W * J - turned, J};
}

std::vector<LoadDerivative> differentiateActuatorLoads(const Model& model, std::span<const double> input,
                                                       const BodyMotion* motions) {
  std::vector<LoadDerivative> all;
  for (std::size_t i = 0; i < model.actuators.size(); ++i) {
    const Actuator& actuator = model.actuators[i];
    // These load no body themselves.
    if (actuator.kind == ActuatorKind::kDriveInput || actuator.kind == ActuatorKind::kSpringInput ||
        actuator.kind == ActuatorKind::kControl)
      continue;
    if (actuator.kind == ActuatorKind::kJointTorque) {
      addJointTorque(model.joints[static_cast<std::size_t>(actuator.target)], input[i], motions, all);
      continue;
    }
    const BodyMotion& body = motions[actuator.target];
    const bool turns = actuator.frame == Frame::kBody;
    const Vector3d load = input[i] * (turns ? Vector3d(body.R * actuator.direction) : actuator.direction);
    LoadDerivative d = emptyDerivative(actuator.target, actuator.target);
    if (actuator.kind == ActuatorKind::kBodyTorque) {
      if (turns) d.by_rotation.bottomRows<3>() = -skew(load);
    } else {
      // Both the arm and, if fixed in the body, the force turn.
      const Vector3d arm = body.R * actuator.point;
      d.by_rotation.bottomRows<3>() = skew(load) * skew(arm);
      if (turns) {
        d.by_rotation.topRows<3>() = -skew(load);
        d.by_rotation.bottomRows<3>() -= skew(arm) * skew(load);
      }
    }
    all.push_back(d);
  }
  return all;
}

}  // namespace tactus::rt
