// Engine or motor, gearbox and open differential: torque on the driven wheels, its reaction on the carrier.
#pragma once

#include "rt/mechanics/elements/force_element.h"

namespace tactus::rt {

struct PowertrainState {
  double speed = 0;         ///< of the engine, rad/s
  double torque = 0;        ///< of the engine, N m
  double wheel_torque = 0;  ///< on each driven wheel, N m
  double power = 0;         ///< into the mechanism, W
  /// Fall of the wheel torque per rate of all driven wheels, never below 0, N m s/rad.
  double resistance = 0;
  Vector3d axis = Vector3d::Zero();  ///< mean of the axes of the driven wheels, world
};

struct PowertrainElement : ForceElement {
  static constexpr auto kElements = &ElementLists::powertrains;
  static constexpr auto kNames = &ElementLists::powertrain_names;
  static constexpr bool kKept = true;
  static constexpr bool kAddsInertia = true;
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

  /// (dt/2) of the resistance about the axis, on each driven wheel, and as often on the carrier. Couplings between
  /// bodies are left out: of wheels that turn alike the sum is exact. Without this part a table that falls steeply, as
  /// that of a limiter, makes the torque jump to and fro from step to step. A fall that the engine passes in one step
  /// still does, because the slope is that at the predicted speed.
  template <class Mechanism, class Add>
  static void addInertia(const Mechanism& model, const Powertrain& powertrain, const PowertrainState& s, double dt,
                         Add&& add) noexcept {
    if (s.resistance == 0) return;
    const Matrix3d inertia = 0.5 * dt * s.resistance * s.axis * s.axis.transpose();
    for (const int index : powertrain.joints) {
      const int wheel = model.joints[static_cast<std::size_t>(index)].body_2;
      if (wheel != kGround) add(wheel, 0.0, inertia);
      if (powertrain.carrier != kGround) add(powertrain.carrier, 0.0, inertia);
    }
  }

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
