// Rank of the constraints at a state: what is redundant, and how many freedoms remain.
#pragma once

#include "rt/model/model.h"
#include "rt/state/state.h"

namespace tactus::rt {

struct Freedoms {
  int rows = 0;       ///< of rigid and driven joints; compliant rows constrain nothing
  int rank = 0;       ///< of their Jacobian
  int freedoms = 0;   ///< 6 a body less the rank
  int redundant = 0;  ///< rows less the rank
};

/// Counts at `state`, in the metric of the masses. Dense: meant for up to some hundred bodies. Set-up: allocates.
Freedoms countFreedoms(const Model& model, const State& state);

}  // namespace tactus::rt
