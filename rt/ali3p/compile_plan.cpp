#include "rt/ali3p/compile_plan.h"

#include "rt/ali3p/tree/factor.h"
#include "rt/ali3p/tree/residual.h"
#include "rt/ali3p/tree/tangent.h"
#include "rt/mechanics/force_elements.h"
#include "rt/model/model.h"
#include "rt/plan/cuts.h"
#include "rt/plan/outline.h"
#include "rt/plan/tree_work.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace tactus::rt {

namespace {

constexpr double kRelativeCompliance = 1e-9;
constexpr double kStep = 2.0;  ///< s: makes dt^2/4 one
/// A pivot this small against the compliance of its row comes from the regularization, not from a body.
constexpr double kTinyPivot = 1e-6;
/// What freedoms may cost of the cost of rows: the count is not more exact.
constexpr double kLeastGain = 0.9;
/// A tree whose fronts take more bytes than this is not laid out if another one has fronts so many times smaller.
constexpr double kLargestFronts = 1e8, kMuchSmaller = 4;

bool isTooLarge(const TreeWork& tree, const TreeWork& other) noexcept {
  return tree.front_bytes > kLargestFronts && tree.front_bytes > kMuchSmaller * other.front_bytes;
}

/// Rows that a plan can only solve thanks to the regularization, at the declared state. Genuinely redundant rows are
/// tiny in every plan; where there are more in one, rows were cut off.
int tinyPivots(const Model& model, const Plan& plan) {
  TreeWorkspace ws(model, plan);
  const InitialCondition& declared = model.initial_conditions.front();
  for (int i = 0; i < model.bodyCount(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    ws.iterate.motions[k].r = declared.position[k];
    ws.iterate.motions[k].R = rotationMatrix(declared.orientation[k].normalized());
  }
  evaluateConstraints(model, ws.iterate, ws.conditions, ws.rows);
  completeJacobian(ws.rows);
  Settings settings;
  settings.relative_compliance = kRelativeCompliance;
  formTangent(model, kStep, Level::kPosition, settings, ws.iterate, ws.conditions, ws.rows, ws.loads, ws.unknowns,
              ws.tangent);
  if (!factor(plan, 1.0, model, ws.rows, ws.tangent, ws.fronts)) return model.rows + 1;
  return countTinyPivots(model, plan, ws.tangent, ws.fronts, kTinyPivot);
}

/// Without hubs both rules give the same tree.
bool hasHubs(const Model& model, const Forest& forest) {
  const Topology topology = topologyOf(model, HubRule::kHubsLast, forest);
  return std::find(topology.hub.begin(), topology.hub.end(), true) != topology.hub.end();
}

/// The tree with hubs last, unless that cuts off rows. Of two trees, one that is far too large is left out.
Plan chooseTree(const Model& model, const Forest& forest, UnitRule units) {
  if (!hasHubs(model, forest)) return layOutPlan(model, HubRule::kNone, forest, units);
  const TreeWork first = workOf(model, HubRule::kNone, forest), last = workOf(model, HubRule::kHubsLast, forest);
  if (isTooLarge(last, first)) return layOutPlan(model, HubRule::kNone, forest, units);
  Plan hubs_last = layOutPlan(model, HubRule::kHubsLast, forest, units);
  if (isTooLarge(first, last)) return hubs_last;
  const int left = tinyPivots(model, hubs_last);
  if (left == 0) return hubs_last;
  Plan bodies_first = layOutPlan(model, HubRule::kNone, forest, units);
  return left <= tinyPivots(model, bodies_first) ? hubs_last : bodies_first;
}

// Factors of stepCost().
constexpr double kAlone = 1.2, kFreedomsAlone = 1.7, kWithOthers = 2.6, kBatch = 1.2;

/// Instructions of one factorization and five solves, those of a step with two iterations, by counted operations. The
/// factors are instructions an operation, as callgrind counts them for an arm of revolutes: nodes alone run along the
/// rows of their fronts in vectors, bodies on freedoms alone number by number, most of all over the rows of loops, and
/// batches four nodes at a time.
double stepCost(const Plan& plan) {
  double cost = 0;
  for (const PlanBatch& batch : plan.batches) {
    const PlanNode& node = plan.nodes[static_cast<std::size_t>(batch.lanes[0])];
    const double factor = !batch.alone()                        ? kBatch
                          : node.kind != NodeKind::kFreedomBody ? kAlone
                          : node.boundary_size > 6              ? kWithOthers
                                                                : kFreedomsAlone;
    cost += factor * (factorFlops(node) + 5 * solveFlops(node));
  }
  return cost;
}

/// What a tree costs at least: every node in a full batch.
double leastCost(const TreeWork& tree) noexcept {
  return std::min(kAlone, kBatch / kBatchLanes) * tree.operations;
}

/// A plan with units for threads may cost one thread so many times as much as the cheapest plan of a line.
constexpr double kMostForThreads = 1.3;
constexpr double kLeastLine = 3e4;  ///< operations of a tree that is tried with cuts: a step of some 5 us

/// A plan of a line, with cuts.
struct Candidate {
  Outline outline;
  double cost;  ///< stepCost() of the plan
};

/// Cuts of a mechanism of rigid rows, those that cost least first.
std::vector<Candidate> withCuts(const Model& model) {
  std::vector<Candidate> candidates;
  const Topology topology = topologyOf(model, HubRule::kNone);
  for (const std::vector<int>& cuts : findCuts(topology)) {
    Outline outline = outlineOf(model, HubRule::kNone, {}, cuts);
    const double cost = kBatch * operationsOf(outline, model);
    candidates.push_back({std::move(outline), cost});
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.cost < b.cost; });
  return candidates;
}

/// The candidate that costs least when it is divided into units for threads; none if each costs more than `most`.
std::optional<Candidate> cheapestWithUnits(const Model& model, const std::vector<Candidate>& candidates, double most) {
  std::optional<Candidate> cheapest;
  DivisionRule rule;
  rule.threads = 2;
  for (const Candidate& candidate : candidates) {
    if (candidate.cost > most) break;
    rule.most_work = most / candidate.cost;
    Outline outline = candidate.outline;
    if (!divide(model, rule, outline)) continue;
    most = kBatch * operationsOf(outline, model);
    cheapest = Candidate{std::move(outline), most};
  }
  return cheapest;
}

/// The plan of a mechanism that is a line, with the cuts that cost least: equal segments as lanes, and units for
/// threads.
Plan alongLine(const Model& model, Plan plan, UnitRule units) {
  if (plan.factor_flops + 5 * plan.solve_flops < kLeastLine || !model.compliant_laws.empty()) return plan;
  const std::vector<Candidate> candidates = withCuts(model);
  if (candidates.empty()) return plan;
  const Candidate& cheapest = candidates.front();
  const double own = stepCost(plan), most = kMostForThreads * std::min(own, cheapest.cost);
  std::optional<Candidate> with_units;
  if (units == UnitRule::kUnits)
    with_units = cheapestWithUnits(model, candidates, plan.units() > 0 ? std::min(own, most) : most);
  std::optional<Plan> other;
  if (with_units) {
    other = layOutPlan(model, with_units->outline);
  } else if (plan.units() == 0 || own > most) {
    if (cheapest.cost <= kLeastGain * own) other = layOutPlan(model, cheapest.outline);
  }
  return other && tinyPivots(model, *other) <= tinyPivots(model, plan) ? *std::move(other) : plan;
}

/// The forests that may cost less than rows alone.
std::vector<Forest> candidateForests(const Model& model) {
  std::vector<Forest> candidates;
  const auto add = [&](ForestRule rule) {
    for (const int least_rows : {3, 4, 5}) {
      Forest forest = findForest(model, rule, least_rows);
      const bool is_empty = std::all_of(forest.begin(), forest.end(), [](int joint) { return joint < 0; });
      if (!is_empty && std::find(candidates.begin(), candidates.end(), forest) == candidates.end())
        candidates.push_back(std::move(forest));
    }
  };
  add(ForestRule::kTrees);
  const std::size_t trees = candidates.size();
  add(ForestRule::kSpanning);
  if (candidates.size() == trees) return candidates;
  // The other forests have loops that their joints close.
  const bool is_too_large =
      hasHubs(model, {}) && isTooLarge(workOf(model, HubRule::kNone), workOf(model, HubRule::kHubsLast));
  if (tinyPivots(model, layOutPlan(model, is_too_large ? HubRule::kHubsLast : HubRule::kNone)) > 0)
    candidates.resize(trees);
  return candidates;
}

/// The cost of the cheaper tree with a forest. The tree of less work is laid out first, the other one only if it may
/// cost less.
double costWith(const Model& model, const Forest& forest) {
  if (!hasHubs(model, forest)) return stepCost(layOutPlan(model, HubRule::kNone, forest));
  struct Tree {
    HubRule rule;
    TreeWork work;
  };
  Tree less{HubRule::kNone, workOf(model, HubRule::kNone, forest)},
      more{HubRule::kHubsLast, workOf(model, HubRule::kHubsLast, forest)};
  if (more.work.operations < less.work.operations) std::swap(less, more);
  const double cost = stepCost(layOutPlan(model, less.rule, forest));
  if (leastCost(more.work) >= cost || isTooLarge(more.work, less.work)) return cost;
  return std::min(cost, stepCost(layOutPlan(model, more.rule, forest)));
}

/// The forest of the least cost; none is one of them.
Forest chooseForest(const Model& model) {
  std::vector<Forest> candidates = candidateForests(model);
  if (candidates.empty()) return {};
  Forest best;
  double least = kLeastGain * costWith(model, best);
  for (Forest& forest : candidates)
    if (const double cost = costWith(model, forest); cost < least) {
      least = cost;
      best = std::move(forest);
    }
  return best;
}

/// Bodies of a group, on average, from which its lanes save time. A step of a group takes 0.9 to 1 us where one of a
/// body that stands alone takes 0.6 us: an arm of seven revolutes 6.5 and 4.5 us, a humanoid of 30 bodies in 11
/// groups 11.5 and 17.5 us (tests/bench/cases, AVX2, 2026-11-30).
constexpr double kLeastFill = 1.6;

std::optional<ForestGroups> chooseGroups(const Model& model, const Plan& plan) {
  std::optional<ForestGroups> forest = findForestGroups(model, plan);
  if (forest && model.bodyCount() < kLeastFill * static_cast<double>(forest->groups.size())) forest.reset();
  return forest;
}

/// Whether threads can share the steps of a mechanism: everything that they evaluate is rows and loads of actuators,
/// each at the bodies of one joint.
bool fitsUnits(const Model& model) noexcept {
  return model.compliant_laws.empty() && model.couplers.empty() && model.gears.empty() &&
         model.extra_body_pairs.empty() && !hasForceElements(model);
}

}  // namespace

Plan compilePlan(const Model& model, LaneRule lanes, FreedomRule freedoms) {
  std::optional<Chain> chain;
  if (lanes == LaneRule::kAll && fitsChains(model)) chain = findChain(model);
  const bool by_rows = chain || freedoms == FreedomRule::kNone;
  const UnitRule units = chain || !fitsUnits(model) ? UnitRule::kNone : UnitRule::kUnits;
  const Forest forest = by_rows ? Forest{} : chooseForest(model);
  Plan plan = chooseTree(model, forest, units);
  // A forest has its own order: a body before the body that carries it.
  if (!chain && forest.empty()) plan = alongLine(model, std::move(plan), units);
  plan.chain = std::move(chain);
  if (!by_rows && lanes == LaneRule::kAll) plan.forest = chooseGroups(model, plan);
  return plan;
}

}  // namespace tactus::rt
