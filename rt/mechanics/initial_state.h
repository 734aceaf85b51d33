// Consistent initial values: positions, velocities, accelerations and multipliers that satisfy all constraints.
#pragma once

#include "rt/state/state.h"

namespace tactus::rt {

struct ActuatorInput;

/// How far the declared state was from satisfying the constraints, and how far it was moved.
struct AssemblyResult {
  State state;                     ///< tick 0, consistent at all levels
  double position_violation = 0;   ///< |Phi| as declared
  double velocity_violation = 0;   ///< |Phi_q qd| as declared
  double position_correction = 0;  ///< largest move of a body, m and rad
  double velocity_correction = 0;  ///< largest change of a body's velocity, m/s and rad/s
};

/// Finds the nearest consistent state (in the metric of the masses) and the accelerations and multipliers there,
/// with every actuator at its initial value.
/// @throws Error if a correction exceeds the model's AssemblyLimits, or if no consistent state is found
AssemblyResult initialState(const Model& model, int initial_condition = 0);

/// The same with the actuators at the values that the run begins with. The tick takes an input as reached at the end of
/// its step; a method that is to see a first input from time 0 on must have it in the accelerations it begins with.
AssemblyResult initialState(const Model& model, int initial_condition, const ActuatorInput& input);

}  // namespace tactus::rt
