// Engine or motor, gearbox and open differential: torque on the driven wheels, its reaction on the carrier.
#pragma once

#include "rt/mechanics/elements/force_element.h"

namespace tactus::rt {

struct PowertrainState {
  double speed = 0;         ///< of the engine, rad/s
  double torque = 0;        ///< of the engine, N m
  double wheel_torque = 0;  ///< on each driven wheel, N m
  double power = 0;         ///< into the mechanism, W
};

struct PowertrainElement : ForceElement {
  static constexpr auto kElements = &ElementLists::powertrains;
  static constexpr auto kNames = &ElementLists::powertrain_names;
  static constexpr bool kKept = true;
  static constexpr bool kHasSignals = true;

  using Evaluation = PowertrainState;

  /// The engine turns with the mean of the driven wheels against the carrier; at ratio zero it turns none of them. Its
  /// torque is that of the tables at its speed (beyond their ends that of the end), between closed and full throttle.
  /// @rt no allocation, no throw, work bounded by the size of the tables
  static PowertrainState evaluate(const Powertrain& powertrain, const ElementContext& at) noexcept;

  /// @rt no allocation, no throw, bounded work
  static void addLoad(const Powertrain& powertrain, const PowertrainState& s, const ElementContext& at,
                      Load* loads) noexcept;

  static ElementPower power(const Powertrain&, const PowertrainState& s) noexcept { return {0, s.power}; }

  /// `Mechanism` is the Model, which only a caller needs complete.
  template <class Mechanism, class F>
  static void forEachBody(const Mechanism& model, const Powertrain& powertrain, F&& f) {
    if (powertrain.carrier != kGround) f(powertrain.carrier);
    for (const int index : powertrain.joints) {
      const Joint& joint = model.joints[static_cast<std::size_t>(index)];
      if (joint.body_1 != kGround) f(joint.body_1);
      if (joint.body_2 != kGround) f(joint.body_2);
    }
  }

  static std::span<const ElementSignal<PowertrainState>> signals(const Powertrain& powertrain) noexcept;
};

}  // namespace tactus::rt
