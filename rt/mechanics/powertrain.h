// Engine or motor, gearbox and open differential: torque on the driven wheels, its reaction on the carrier.
#pragma once

#include "rt/mechanics/joint_constraints.h"
#include "rt/mechanics/kinematics.h"
#include "rt/model/model.h"

#include <span>

namespace tactus::rt {

struct PowertrainState {
  double speed = 0;         ///< of the engine, rad/s
  double torque = 0;        ///< of the engine, N m
  double wheel_torque = 0;  ///< on each driven wheel, N m
  double power = 0;         ///< into the mechanism, W
};

/// The engine turns with the mean of the driven wheels against the carrier; at ratio zero it turns none of them. Its
/// torque is that of the tables at its speed (beyond their ends that of the end), between closed and full throttle.
/// @rt no allocation, no throw, work bounded by the size of the tables
PowertrainState evaluatePowertrain(const Model& model, const Powertrain& powertrain, const BodyMotion* motions,
                                   std::span<const double> input) noexcept;

/// @rt no allocation, no throw, bounded work
void addPowertrainLoad(const Model& model, const Powertrain& powertrain, const PowertrainState& state,
                       const BodyMotion* motions, Load* loads) noexcept;

}  // namespace tactus::rt
