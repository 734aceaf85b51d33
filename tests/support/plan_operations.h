// The work of a plan, counted from its batches.
#pragma once

#include "rt/plan/plan.h"

namespace tactus::tests {

/// Of one factorization and five solves, the solves of a step with two iterations. The lanes of a batch count once: they
/// share one sequence of instructions.
inline double operationsInBatches(const rt::Plan& plan) {
  double operations = 0;
  for (const rt::PlanBatch& batch : plan.batches) {
    const rt::PlanNode& node = plan.nodes[static_cast<std::size_t>(batch.lanes[0])];
    operations += rt::factorFlops(node) + 5 * rt::solveFlops(node);
  }
  return operations;
}

}  // namespace tactus::tests
