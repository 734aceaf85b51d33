// Topology: which bodies and joints meet, which bodies are hubs, and in what order to eliminate them.
#pragma once

#include "rt/model/model.h"
#include "rt/plan/plan.h"

#include <vector>

namespace tactus::rt {

/// The graph of a mechanism. Vertices are bodies 0 ... bodies-1, then joints; ground is none.
struct Topology {
  int bodies = 0;
  std::vector<std::vector<int>> neighbors;  ///< of each vertex, rising; bodies meet joints only
  std::vector<bool> hub;                    ///< of each body

  bool isBody(int vertex) const noexcept { return vertex < bodies; }
  /// True if both bodies of a joint are hubs or ground.
  bool isBetweenHubs(int joint) const;
  int vertices() const noexcept { return static_cast<int>(neighbors.size()); }
};

Topology topologyOf(const Model& model, HubRule rule);

/// Vertices in order of elimination: leaf bodies in file order; joints by least boundary (ties: compliant ones first,
/// among these by the height of the tree below them, then by file order); hubs in file order; joints between hubs, or
/// between a hub and ground. Deterministic.
std::vector<int> eliminationOrder(const Topology& topology, const Model& model);

}  // namespace tactus::rt
