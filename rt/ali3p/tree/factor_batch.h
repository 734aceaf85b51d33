// The factorisation of nodes that go side by side: factor.cpp's eliminations, one node a lane.
#pragma once

#include "rt/ali3p/workspace.h"
#include "rt/plan/plan.h"

namespace tactus::rt {

/// Factors the fronts of a batch of two nodes or more; their children are factored.
/// @returns false if a pivot is not positive (NaN included); the fronts are then unspecified
/// @rt no allocation, no throw, fixed work
bool assembleBatch(const Plan& plan, const PlanBatch& batch, double scale, const Model& model, Workspace& ws) noexcept;

}  // namespace tactus::rt
