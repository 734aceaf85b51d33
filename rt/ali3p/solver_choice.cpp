#include "rt/ali3p/solver_choice.h"

#include "rt/ali3p/team.h"

namespace tactus::rt {

namespace {

/// Operations of a factorization and a solve above which a second thread saves at least a tenth of a step of higher
/// order.
constexpr double kLongEnough = 5e3;

}  // namespace

SolverKind solverFor(const Plan& plan, const Settings& settings) noexcept {
  if (settings.gyroscopic_tangent) return SolverKind::kTree;
  return plan.chain ? SolverKind::kChain : plan.forest ? SolverKind::kForest : SolverKind::kTree;
}

int maxThreads(const Plan& plan, const Settings& settings) noexcept {
  const int groups = plan.chain ? maxThreads(plan.chain->segments) : 1;
  if (groups > 1) return solverFor(plan, settings) == SolverKind::kChain ? groups : 1;
  if (plan.units() > 1) return settings.gyroscopic_tangent ? 1 : plan.units();
  return settings.order() > 2 && plan.factor_flops + plan.solve_flops >= kLongEnough ? 2 : 1;
}

}  // namespace tactus::rt
