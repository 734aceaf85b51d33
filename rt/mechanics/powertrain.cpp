#include "rt/mechanics/powertrain.h"

#include <Eigen/Geometry>

#include <algorithm>

namespace tactus::rt {

namespace {

double sumOf(const std::vector<int>& actuators, std::span<const double> input) noexcept {
  double sum = 0;
  for (const int actuator : actuators) sum += input[static_cast<std::size_t>(actuator)];
  return sum;
}

/// Where a wheel turns: its axis in world axes, and its rate about it against the carrier.
struct Wheel {
  const Joint& joint;
  Vector3d axis;
  double rate;

  Wheel(const Model& model, const Powertrain& powertrain, int index, const BodyMotion* motions) noexcept
      : joint(model.joints[static_cast<std::size_t>(index)]),
        axis(motionOf(motions, joint.body_1).R * joint.axis_1),
        rate(axis.dot(motionOf(motions, joint.body_2).omega_w - motionOf(motions, powertrain.carrier).omega_w)) {}
};

}  // namespace

PowertrainState evaluatePowertrain(const Model& model, const Powertrain& powertrain, const BodyMotion* motions,
                                   std::span<const double> input) noexcept {
  double rates = 0;
  for (const int joint : powertrain.joints) rates += Wheel(model, powertrain, joint, motions).rate;
  const auto wheels = static_cast<double>(powertrain.joints.size());
  const double throttle = std::clamp(sumOf(powertrain.throttle, input), 0.0, 1.0);
  const double ratio = sumOf(powertrain.ratio, input) * powertrain.final_ratio;

  PowertrainState s;
  s.speed = ratio * rates / wheels;
  const std::vector<double>& speeds = powertrain.speeds;
  const double held = std::clamp(s.speed, speeds.front(), speeds.back());
  const auto right = std::upper_bound(speeds.begin() + 1, speeds.end() - 1, held) - speeds.begin();
  const auto r = static_cast<std::size_t>(right);
  const double t = (held - speeds[r - 1]) / (speeds[r] - speeds[r - 1]);
  const auto at = [&](const std::vector<double>& table) noexcept { return (1 - t) * table[r - 1] + t * table[r]; };
  s.torque = throttle * at(powertrain.full_torque) + (1 - throttle) * at(powertrain.zero_torque);
  s.wheel_torque = ratio * s.torque * (s.torque > 0 ? powertrain.efficiency : 1.0) / wheels;
  s.power = s.wheel_torque * rates;
  return s;
}

void addPowertrainLoad(const Model& model, const Powertrain& powertrain, const PowertrainState& state,
                       const BodyMotion* motions, Load* loads) noexcept {
  for (const int joint : powertrain.joints) {
    const Wheel wheel(model, powertrain, joint, motions);
    const Vector3d torque = state.wheel_torque * wheel.axis;
    if (wheel.joint.body_2 != kGround) loads[wheel.joint.body_2].torque += torque;
    if (powertrain.carrier != kGround) loads[powertrain.carrier].torque -= torque;
  }
}

}  // namespace tactus::rt
