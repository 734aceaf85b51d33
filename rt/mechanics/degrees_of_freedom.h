// Rank of the constraints at a state: redundant rows, and the degrees of freedom that remain.
#pragma once

#include "rt/state/state.h"

namespace tactus::rt {

struct Model;

struct DegreesOfFreedom {
  int rows = 0;       ///< of rigid and driven joints; compliant rows constrain nothing
  int rank = 0;       ///< of their Jacobian
  int count = 0;      ///< 6 a body less the rank
  int redundant = 0;  ///< rows less the rank
};

/// Counts at `state`, in the metric of the masses. Dense: meant for up to some hundred bodies. Set-up: allocates.
DegreesOfFreedom countDegreesOfFreedom(const Model& model, const State& state);

}  // namespace tactus::rt
