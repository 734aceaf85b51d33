// Values of the sensors.
#pragma once

#include "rt/mechanics/kinematics.h"
#include "rt/state/state.h"

namespace tactus::rt {

struct Model;

/// Value of a sensor, in the unit of its kind. `motions` holds all of every body's motion.
double sensorValue(const Model& model, const Sensor& sensor, const StateView& state,
                   const BodyMotion* motions) noexcept;

}  // namespace tactus::rt
