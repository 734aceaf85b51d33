#include "rt/ali3p/compile_plan.h"

#include "rt/ali3p/tree/factor.h"
#include "rt/ali3p/tree/residual.h"
#include "rt/ali3p/tree/tangent.h"
#include "rt/mechanics/force_elements.h"

namespace tactus::rt {

namespace {

constexpr double kRelativeCompliance = 1e-9;
constexpr double kStep = 2.0;  ///< s: makes dt^2/4 one
/// A pivot this small against the compliance of its row comes from the regularization, not from a body.
constexpr double kTinyPivot = 1e-6;

/// Rows that a plan can only solve thanks to the regularization, at the declared state.
int tinyPivots(const Model& model, const Plan& plan) {
  TreeWorkspace ws(model, plan);
  const InitialCondition& declared = model.initial_conditions.front();
  for (int i = 0; i < model.bodyCount(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    ws.iterate.motions[k].r = declared.position[k];
    ws.iterate.motions[k].R = rotationMatrix(declared.orientation[k].normalized());
  }
  evaluateConstraints(model, ws.iterate, ws.conditions, ws.rows);
  Settings settings;
  settings.relative_compliance = kRelativeCompliance;
  formTangent(model, kStep, settings, ws.iterate, ws.conditions, ws.rows, ws.loads, ws.unknowns, ws.tangent);
  if (!factor(plan, 1.0, model, ws.rows, ws.tangent, ws.fronts)) return model.rows + 1;
  return countTinyPivots(model, plan, ws.tangent, ws.fronts, kTinyPivot);
}

/// The tree with hubs last, unless that cuts off rows.
Plan chooseTree(const Model& model) {
  Plan bodies_first = layOutPlan(model, HubRule::kNone);
  Plan hubs_last = layOutPlan(model, HubRule::kHubsLast);
  if (hubs_last.hubs == 0) return bodies_first;
  // Genuinely redundant rows are tiny in both; more of them with the hubs last means that rows were cut off.
  return tinyPivots(model, hubs_last) <= tinyPivots(model, bodies_first) ? hubs_last : bodies_first;
}

}  // namespace

Plan compilePlan(const Model& model, LaneRule lanes) {
  Plan plan = chooseTree(model);
  if (lanes == LaneRule::kChains && fitsChains(model)) plan.chain = findChain(model);
  return plan;
}

}  // namespace tactus::rt
