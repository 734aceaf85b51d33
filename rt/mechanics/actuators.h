// Loads that the actuators put on the bodies, and the power they spend.
#pragma once

#include "rt/mechanics/joint_constraints.h"
#include "rt/mechanics/kinematics.h"

#include <span>

namespace tactus::rt {

struct Model;

/// Adds the loads of all actuators to `loads` (one a body; torques about the centers of mass, world axes).
/// Reads r and R of the motions.
/// @param[in] input  value of each actuator, N or N m
/// @rt no allocation, no throw, fixed work
void addActuatorLoads(const Model& model, std::span<const double> input, const BodyMotion* motions,
                      Load* loads) noexcept;

/// Power of all actuators at the given motion, W. Reads R, v and omega_w.
/// @rt no allocation, no throw, fixed work
double actuatorPower(const Model& model, std::span<const double> input, const BodyMotion* motions) noexcept;

}  // namespace tactus::rt
