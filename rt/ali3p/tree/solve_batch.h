// The solve of nodes that go side by side: solve.cpp's sweeps, one node a lane.
#pragma once

#include "rt/ali3p/tree/solve.h"
#include "rt/ali3p/workspace.h"
#include "rt/plan/plan.h"

namespace tactus::rt {

/// Takes the batch's part out of the right sides of its boundary.
/// @rt no allocation, no throw, fixed work
void passUpBatch(const Plan& plan, const PlanBatch& batch, RightSide right_side, Workspace& ws) noexcept;

/// Finds the own unknowns of the batch from those of its boundary.
/// @rt no allocation, no throw, fixed work
void substituteBackBatch(const Plan& plan, const PlanBatch& batch, Workspace& ws) noexcept;

}  // namespace tactus::rt
