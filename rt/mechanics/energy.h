// Energies of a mechanism.
#pragma once

#include "rt/model/model.h"
#include "rt/state/state.h"

namespace tactus::rt {

/// J. `total` is what a perfect integration keeps constant: kinetic + potential + dissipated - input.
struct Energy {
  double kinetic = 0;
  double potential = 0;   ///< of gravity; zero where every centre of mass is at the origin
  double dissipated = 0;  ///< since tick 0
  double input = 0;       ///< work of the actuators since tick 0
  double total = 0;
};

Energy energyOf(const Model& model, const StateView& state) noexcept;

}  // namespace tactus::rt
