// Topology: which bodies and joints meet, which bodies are hubs, and in what order to eliminate them.
#pragma once

#include "rt/plan/plan.h"

#include <vector>

namespace tactus::rt {

struct Joint;
struct Model;

/// Joints that are eliminated as one: consecutive ones, hence consecutive rows.
struct JointGroup {
  int first, count;
};

/// Whether `joint` can be one group with the joint before it, whose rows it goes on with: one compliant row with terms
/// over the same bodies. Of other joints each is one vertex, so that equal parts of a mechanism stay equal.
bool continuesGroup(const Model& model, const Joint& before, const Joint& joint);

/// The graph of a mechanism. Vertices are bodies 0 ... bodies-1, then joints; ground is none. Compliant rows over the
/// same bodies, such as the springs of a modal body, are one vertex, up to six of them.
struct Topology {
  int bodies = 0;
  std::vector<JointGroup> joints;           ///< of each vertex behind the bodies
  std::vector<std::vector<int>> neighbors;  ///< of each vertex, rising; bodies meet joints only
  std::vector<bool> hub;                    ///< of each body
  Forest forest;                            ///< joint that carries each body, or -1; the joint is then no vertex
  std::vector<bool> carries;                ///< of each body: it carries another one
  std::vector<int> from_cuts;               ///< of each vertex: steps to the nearest cut; empty: there is none

  bool isBody(int vertex) const noexcept { return vertex < bodies; }
  const JointGroup& jointsOf(int vertex) const noexcept { return joints[static_cast<std::size_t>(vertex - bodies)]; }
  /// True if all bodies of a joint are hubs or ground.
  bool isBetweenHubs(int joint) const;
  bool isCarried(int vertex) const noexcept { return isBody(vertex) && forest[static_cast<std::size_t>(vertex)] >= 0; }
  int vertices() const noexcept { return static_cast<int>(neighbors.size()); }
};

/// Bodies that are carried by freedoms meet the body that carries them.
Topology topologyOf(const Model& model, HubRule rule, const Forest& forest = {});

/// Vertices in order of elimination: bodies on freedoms, children first; leaf bodies in file order; joints by least
/// boundary (ties: compliant ones first, among these by the height of the tree below them, then those far from
/// the cuts, then by file order); hubs in file order; joints between hubs, or between a hub and ground.
/// Deterministic.
std::vector<int> eliminationOrder(const Topology& topology, const Model& model);

}  // namespace tactus::rt
