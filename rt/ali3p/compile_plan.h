// The choice of an elimination tree.
#pragma once

#include "rt/plan/plan.h"

namespace tactus::rt {

/// Lays out the elimination of a model. Hubs go last where that keeps the rank rule: a joint may be eliminated only
/// when the bodies eliminated before it give its rows full rank, apart from genuine redundancy. The rule is checked
/// by factoring at the declared state and counting pivots that only the regularization keeps from zero.
/// For a mechanism that is a chain, Plan::chain is set as well, and for one that is a forest whose groups are full
/// enough Plan::forest, unless `lanes` is LaneRule::kNone; the chain solver or the forest solver then does the steps.
/// Of any other mechanism the bodies are eliminated by the freedoms of the joints that carry them where one
/// factorization and the solves of a step then cost less by counted operations. Where a mechanism has redundant rows,
/// the joints of its loops stay rows, so that their multipliers share the redundant part as before. For set-up.
/// @source rt/doc/ali3p.md sections 4, 12 and 15
Plan compilePlan(const Model& model, LaneRule lanes = LaneRule::kAll, FreedomRule freedoms = FreedomRule::kCheapest);

}  // namespace tactus::rt
