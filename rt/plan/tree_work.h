// What a tree costs, before it is laid out: a tree that is out of the question may have gigabytes of fronts.
#pragma once

#include "rt/plan/symbolic.h"

#include <vector>

namespace tactus::rt {

struct Model;

/// Of an elimination tree, or of one of its vertices.
struct TreeWork {
  double operations = 0;   ///< of one factorization and five solves, those of a step with two iterations
  double front_bytes = 0;  ///< of the fronts, but for padding
};

/// Operations of each vertex.
std::vector<double> operationsOf(const Symbolic& s, const Topology& topology, const Model& model);

/// Of the tree that layOutPlan() would lay out: the symbolic elimination alone.
TreeWork workOf(const Model& model, HubRule rule, const Forest& forest = {});

}  // namespace tactus::rt
