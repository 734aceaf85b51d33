// Energies of a mechanism.
#pragma once

#include "rt/mechanics/kinematics.h"
#include "rt/state/state.h"

namespace tactus::rt {

struct Model;

/// J. `total` is what a perfect integration keeps constant: kinetic + potential + dissipated - input.
struct Energy {
  double kinetic = 0;
  double potential =
      0;  ///< of gravity, zero where every center of mass is at the origin, of springs and of tyres, radially
  double dissipated = 0;  ///< since tick 0
  double input = 0;       ///< work of actuators, drives, engines, wind and road since tick 0
  double total = 0;
};

/// Reads R and r of the motions, which are those of `state`.
/// @rt no allocation, no throw
Energy energyOf(const Model& model, const StateView& state, const BodyMotion* motions) noexcept;

/// The same; works out the motions itself. Not for the tick: allocates.
Energy energyOf(const Model& model, const StateView& state);

}  // namespace tactus::rt
