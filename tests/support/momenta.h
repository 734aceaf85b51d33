// Momentum and angular momentum of a mechanism in free motion.
#pragma once

#include "tests/support/simulation.h"

namespace tactus::tests {

/// Changes over a run, as shares of what was there at the start.
struct MomentumDrift {
  double linear = 0;
  double angular = 0;  ///< about the origin of the world
};

/// Of a mechanism that no outer load acts on, stepped by the solver of the tick with the settings of settingsFor().
/// @param dt, until  s
/// @returns infinite numbers if a step fails
MomentumDrift momentumDrift(const rt::ModelSpec& spec, double dt, double until);

}  // namespace tactus::tests
