// The choice of an elimination tree.
#pragma once

#include "rt/plan/plan.h"

namespace tactus::rt {

/// Lays out the elimination of a model. Hubs go last where that keeps the rank rule: a joint may be eliminated only
/// when the bodies eliminated before it give its rows full rank, apart from genuine redundancy. The rule is checked
/// by factoring at the declared state and counting pivots that only the regularization keeps from zero.
/// For a mechanism that is a chain, Plan::chain is set as well, unless `lanes` is LaneRule::kNone; the chain solver
/// then does the steps.
Plan compilePlan(const Model& model, LaneRule lanes = LaneRule::kChains);

}  // namespace tactus::rt
