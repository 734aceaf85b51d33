#include "rt/mechanics/elements/powertrain.h"

#include "rt/model/model.h"

#include <Eigen/Geometry>

#include <algorithm>

namespace tactus::rt {

namespace {

double sumOf(const std::vector<int>& actuators, std::span<const double> input) noexcept {
  double sum = 0;
  for (const int actuator : actuators) sum += input[static_cast<std::size_t>(actuator)];
  return sum;
}

/// A driven wheel: its axis in world axes, and its rate about the axis against the carrier.
struct Wheel {
  const Joint& joint;
  Vector3d axis;
  double rate;

  Wheel(const Powertrain& powertrain, int index, const ElementContext& at) noexcept
      : joint(at.model.joints[static_cast<std::size_t>(index)]),
        axis(motionOf(at.motions, joint.body_1).R * joint.axis_1),
        rate(axis.dot(motionOf(at.motions, joint.body_2).omega_w - motionOf(at.motions, powertrain.carrier).omega_w)) {}
};

}  // namespace

PowertrainState PowertrainElement::evaluate(const Powertrain& powertrain, const ElementContext& at) noexcept {
  PowertrainState s;
  double rates = 0;
  const auto wheels = static_cast<double>(powertrain.joints.size());
  for (const int joint : powertrain.joints) {
    const Wheel wheel(powertrain, joint, at);
    rates += wheel.rate;
    s.axis += wheel.axis / wheels;
  }
  const double throttle = std::clamp(sumOf(powertrain.throttle, at.input.values), 0.0, 1.0);
  const double ratio = sumOf(powertrain.ratio, at.input.values) * powertrain.final_ratio;

  s.speed = ratio * rates / wheels;
  const std::vector<double>& speeds = powertrain.speeds;
  const double held = std::clamp(s.speed, speeds.front(), speeds.back());
  const auto right = std::upper_bound(speeds.begin() + 1, speeds.end() - 1, held) - speeds.begin();
  const auto r = static_cast<std::size_t>(right);
  const double t = (held - speeds[r - 1]) / (speeds[r] - speeds[r - 1]);
  const auto valueOf = [&](const std::vector<double>& table) noexcept { return (1 - t) * table[r - 1] + t * table[r]; };
  s.torque = throttle * valueOf(powertrain.full_torque) + (1 - throttle) * valueOf(powertrain.zero_torque);
  const double efficiency = s.torque > 0 ? powertrain.efficiency : 1.0;
  s.wheel_torque = ratio * s.torque * efficiency / wheels;
  s.power = s.wheel_torque * rates;
  if (held != s.speed) return s;  // beyond its ends the table is level
  const auto riseOf = [r](const std::vector<double>& table) noexcept { return table[r] - table[r - 1]; };
  const double slope =
      (throttle * riseOf(powertrain.full_torque) + (1 - throttle) * riseOf(powertrain.zero_torque)) / riseOf(speeds);
  s.resistance = ratio * ratio * efficiency * std::max(0.0, -slope) / wheels;
  return s;
}

void PowertrainElement::addLoad(const Powertrain& powertrain, const PowertrainState& s, const ElementContext& at,
                                Load* loads) noexcept {
  for (const int joint : powertrain.joints) {
    const Wheel wheel(powertrain, joint, at);
    const Vector3d torque = s.wheel_torque * wheel.axis;
    if (wheel.joint.body_2 != kGround) loads[wheel.joint.body_2].torque += torque;
    if (powertrain.carrier != kGround) loads[powertrain.carrier].torque -= torque;
  }
}

std::span<const ElementSignal<PowertrainState>> PowertrainElement::signals(const Powertrain&) noexcept {
  static constexpr ElementSignal<PowertrainState> kSignals[] = {
      {"speed", "rad/s", "speed of the engine", &PowertrainState::speed},
      {"torque", "N m", "torque of the engine", &PowertrainState::torque},
      {"power", "W", "power of the engine on the wheels", &PowertrainState::power}};
  return kSignals;
}

}  // namespace tactus::rt
