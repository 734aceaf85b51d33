// The plan that eliminates bodies by the freedoms of their joints where that costs less than by rows.
#pragma once

#include "rt/plan/plan.h"

namespace tactus::rt {

/// As the tree of compilePlan(), with the forest of freedoms of the least counted cost; no forest is one of the
/// choices. Chains get no lanes. For set-up.
/// @source derived; rt/doc/ali3p.md section 12
Plan compileFreedoms(const Model& model);

}  // namespace tactus::rt
