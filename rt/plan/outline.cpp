#include "rt/plan/outline.h"

#include "rt/model/model.h"
#include "rt/plan/cuts.h"
#include "rt/plan/tree_work.h"

#include <algorithm>
#include <utility>

namespace tactus::rt {

namespace {

double operationsOf(const std::vector<VertexBatch>& batches, const std::vector<double>& work) {
  double operations = 0;
  for (const VertexBatch& batch : batches)
    operations += work[static_cast<std::size_t>(*std::max_element(batch.begin(), batch.end()))];
  return operations;
}

}  // namespace

Outline outlineOf(const Model& model, HubRule rule, const Forest& forest, const std::vector<int>& cuts) {
  Outline outline;
  outline.topology = topologyOf(model, rule, forest);
  if (!cuts.empty()) outline.topology.from_cuts = distancesTo(cuts, outline.topology);
  outline.symbolic = eliminateSymbolically(outline.topology, eliminationOrder(outline.topology, model));
  outline.batches = findBatches(outline.symbolic, outline.topology, model);
  return outline;
}

double operationsOf(const Outline& outline, const Model& model) {
  return operationsOf(outline.batches, operationsOf(outline.symbolic, outline.topology, model));
}

bool divide(const Model& model, const DivisionRule& rule, Outline& outline) {
  const std::vector<double> work = operationsOf(outline.symbolic, outline.topology, model);
  const std::optional<Trunk> trunk = chooseTrunk(outline.symbolic, outline.topology, work, rule);
  if (!trunk) return false;
  const double most = rule.most_work * operationsOf(outline.batches, work);
  for (const double largest_unit : {1.0 / 16, 1.0 / 8, 1.0 / 4, 1.0 / 2}) {
    Units units = unitsBelow(*trunk, largest_unit);
    if (units.count < 2) return false;
    std::vector<VertexBatch> batches = findBatches(outline.symbolic, outline.topology, model, units.of_vertex);
    if (operationsOf(batches, work) > most) continue;
    units.sort(batches);
    outline.batches = std::move(batches);
    outline.units = std::move(units);
    return true;
  }
  return false;
}

Plan layOutPlan(const Model& model, HubRule hubs, const Forest& forest, const DivisionRule& rule) {
  Outline outline = outlineOf(model, hubs, forest);
  divide(model, rule, outline);
  return layOutPlan(model, outline);
}

Plan layOutPlan(const Model& model, HubRule hubs, const Forest& forest, UnitRule units) {
  Outline outline = outlineOf(model, hubs, forest);
  if (units == UnitRule::kUnits) divide(model, {}, outline);
  return layOutPlan(model, outline);
}

}  // namespace tactus::rt
