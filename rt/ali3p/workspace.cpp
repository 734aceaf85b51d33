#include "rt/ali3p/workspace.h"

#include "rt/ali3p/chain/lanes.h"
#include "rt/model/model.h"

#include <algorithm>

namespace tactus::rt {

namespace {

bool sharesLaneGroups(const Plan& plan) noexcept {
  return plan.chain && maxThreads(plan.chain->segments) > 1;
}
/// All threads share each step; else two share a step of higher order.
bool sharesSteps(const Plan& plan) noexcept {
  return sharesLaneGroups(plan) || plan.units() > 1;
}

}  // namespace

Extrapolation::Extrapolation(const Model& model)
    : coarser{State(model), State(model)},
      between{State(model), State(model), State(model)},
      inputs(3 * model.actuators.size()) {}

SolverWorkspace::SolverWorkspace(const Model& model, const Plan& plan, int team)
    : tree(model, plan, plan.units() > 1 ? team : 1) {
  if (plan.forest) forest = ForestWorkspace(model, plan, plan.units() > 1 ? team : 1);
  if (plan.chain) chain = ChainWorkspace(model, *plan.chain, widestLanes(*plan.chain), team);
}

Workspace::Workspace(const Model& model, const Plan& plan, int team)
    : solver(model, plan, sharesSteps(plan) ? team : 1),
      threads(sharesSteps(plan) ? team : std::min(team, 2)),
      next(model),
      extrapolation(model) {
  if (threads > 1) barrier = std::make_unique<SpinBarrier>(threads);
  if (threads > 1 && !sharesSteps(plan)) beside = std::make_unique<SolverWorkspace>(model, plan, 1);
}

}  // namespace tactus::rt
