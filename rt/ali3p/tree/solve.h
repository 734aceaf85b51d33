// The solve with the factored fronts: biases up the tree, loads and increments down again.
#pragma once

#include "rt/ali3p/workspace.h"
#include "rt/plan/plan.h"

namespace tactus::rt {

/// Which parts of a right side are not zero.
enum class RightSide {
  kBodiesAndRows,  ///< the position solve
  kRowsOnly,       ///< the projections
};

/// Solves the factored system in place: ws.unknowns holds the right side, then the increments (m, rad or their rates)
/// and the increments of the multipliers.
/// @rt no allocation, no throw, fixed work
/// @source [DCA3] Eqs. (39), (34) as forward and backward substitution, rt/doc/ali3p.md section 4
void solve(const Plan& plan, RightSide right_side, Workspace& ws) noexcept;

}  // namespace tactus::rt
