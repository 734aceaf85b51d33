// Units: subtrees of a plan that threads can eliminate side by side.
#pragma once

#include "rt/plan/batches.h"

#include <optional>
#include <vector>

namespace tactus::rt {

/// The part of each vertex: a unit, or the trunk, which is eliminated after all units.
struct Units {
  int count = 0;               ///< of units
  std::vector<int> of_vertex;  ///< 0 ... count - 1, or `count` for the trunk; empty: no units
  std::vector<double> cost;    ///< operations of each part; the trunk is last

  /// Brings batches into the order of their parts. The order within a part stays.
  void sort(std::vector<VertexBatch>& batches) const;
};

/// When a tree is divided.
struct DivisionRule {
  /// Operations of one factorization and five solves, those of a step with two iterations, below which it is not: a
  /// step of so few takes some 30 us, and a barrier up to one.
  double least_work = 2e5;
  int threads = 8;              ///< for which the trunk is chosen
  double largest_trunk = 0.15;  ///< share of the work: each thread does the trunk
  double largest_in_way = 0.6;  ///< share of the work that so many threads may have in their way: trunk and one unit
  /// What a step of one thread may cost of that without a division: nodes share a batch only within a unit.
  double most_work = 1.05;
};

/// The top of a tree, and the subtrees below it.
struct Trunk {
  std::vector<int> subtree;     ///< of each vertex, -1 in the trunk
  std::vector<double> weights;  ///< operations of each subtree
  double cost = 0, total = 0;   ///< operations of the trunk, and of the tree
};

/// The top of the heaviest subtree goes to the trunk, again and again; of the trunks on the way the one is chosen with
/// which the threads of the rule have the least work in their way. None if the rule is not met. A joint of the trunk
/// may meet bodies of units only if the topology has cuts: the trunk of a line without cuts would be its last part.
/// @param work  operations of each vertex
std::optional<Trunk> chooseTrunk(const Symbolic& s, const Topology& topology, const std::vector<double>& work,
                                 const DivisionRule& rule);

/// Small subtrees share a unit, and equal ones by fours as long as the unit is not above `largest_unit` of the work.
Units unitsBelow(const Trunk& trunk, double largest_unit);

/// Writes the parts of a plan, its ports and the places of its boundary unknowns. Called when all unknowns have their
/// offsets; addRuns() adds the runs.
void addParts(const Units& units, const Model& model, Plan& plan);

}  // namespace tactus::rt
