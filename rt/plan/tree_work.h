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

/// Of a vertex.
TreeWork workOf(int vertex, const Symbolic& s, const Topology& topology, const Model& model);

/// Of the tree that layOutPlan() would lay out: the symbolic elimination alone.
/// @param middle  bodies towards which joints of equal boundary are eliminated, see findMiddle(); empty: in file order
TreeWork workOf(const Model& model, HubRule rule, const Forest& forest = {}, const std::vector<int>& middle = {});

}  // namespace tactus::rt
