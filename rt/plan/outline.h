// What a plan will be, before its fronts are laid out: enough to tell what it costs.
#pragma once

#include "rt/plan/batches.h"
#include "rt/plan/forest.h"
#include "rt/plan/plan.h"
#include "rt/plan/symbolic.h"
#include "rt/plan/units.h"

#include <vector>

namespace tactus::rt {

struct Model;

/// The elimination of a model, without numbers of its fronts.
struct Outline {
  Topology topology;
  Symbolic symbolic;
  std::vector<VertexBatch> batches;
  Units units;  ///< none before divide()
};

/// The undivided outline of a model.
/// @param cuts  bodies towards which joints of equal boundary are eliminated, see findCuts(); empty: in file order
Outline outlineOf(const Model& model, HubRule rule, const Forest& forest, const std::vector<int>& cuts = {});

/// Operations of one factorization and five solves. Nodes that share a batch count as one.
double operationsOf(const Outline& outline, const Model& model);

/// Divides a plan into units, which are as small as they can be while one thread loses little.
/// @returns whether there are any; otherwise the outline stays as it was
bool divide(const Model& model, const DivisionRule& rule, Outline& outline);

/// The plan of an outline.
Plan layOutPlan(const Model& model, const Outline& outline);

/// layOutPlan() with another rule, for tests.
Plan layOutPlan(const Model& model, HubRule hubs, const Forest& forest, const DivisionRule& rule);

}  // namespace tactus::rt
