// ForestWorkspace: the scratch of a step along the groups of a forest. Worthless after the step. Each member says who
// writes it and who reads it.
#pragma once

#include "rt/ali3p/forest/evaluation.h"
#include "rt/ali3p/forest/sweep_up.h"
#include "rt/ali3p/tree/workspace.h"

#include <cstddef>
#include <vector>

namespace tactus::rt {

struct Model;
struct Plan;

/// Memory of nodes of different sizes, one behind the other.
struct alignas(64) ForestLine {
  std::byte bytes[64];
};

/// Where a thread finds a group, and the groups that it meets. Written by the constructor of ForestWorkspace.
struct ForestLinks {
  std::byte* node = nullptr;  ///< a ForestNode of the freedoms of the group
  LanePlaces carriers{};      ///< a ForestBody of each lane
  bool on_ground = false;
  int first_child = 0, child_count = 0;  ///< into ForestShare::children
  ForestPassed* passed[2] = {};          ///< on each side: the same where no other thread reads it

  template <int Freedoms>
  ForestNode<Freedoms>& as() const noexcept {
    return *reinterpret_cast<ForestNode<Freedoms>*>(node);
  }
  /// What the nodes of all freedoms begin with.
  ForestBody& body() const noexcept { return *reinterpret_cast<ForestBody*>(node); }
};

/// Of a part of the Plan.
struct ForestTotals {
  // Written where the bodies have moved.
  double squares[3] = {0, 0, 0};  ///< of the rows, by level
  double increment = 0;           ///< largest of a body, squared
  // Written by a sweep up that factors.
  double least = 1, gain = 0;  ///< as ForestSums
  int limited = 0;
};

/// What one thread of a team does: some units of the Plan, and the trunk, which each thread does for itself.
struct ForestShare {
  std::vector<int> units;               ///< parts of the Plan; written by the constructor
  std::vector<ForestLinks> links;       ///< of each group; likewise
  std::vector<LanePlaces> children[2];  ///< of each side: a ForestPassed of each lane; likewise
  std::vector<ForestLine> trunk;        ///< its nodes. Written and read by all phases of a step
  ForestTotals of_trunk;                ///< written and read by ForestSolver
  int side = 0;                         ///< of what threads pass to each other; the same in all threads
  // Where the Model has loads. Written and read by ForestSolver.
  TreeConditions conditions;
  TreeLoads loads;
  std::vector<BodyMotion> motions;  ///< one a body; of those that this thread moves
  std::vector<ForestAdded> added;   ///< of each group, if the Model has force elements
};

struct ForestWorkspace {
  ForestWorkspace() = default;
  /// @param plan  with a forest
  ForestWorkspace(const Model& model, const Plan& plan, int threads);
  // A copy would point into the memory of the other one.
  ForestWorkspace(ForestWorkspace&&) noexcept = default;
  ForestWorkspace& operator=(ForestWorkspace&&) noexcept = default;

  std::vector<ForestElement> elements;  ///< of each group; written by the constructor
  std::vector<ForestPlace> places;      ///< of each body; likewise
  std::vector<ForestLine> nodes;        ///< of the groups of units. Written and read by their threads
  std::vector<ForestLine> passed;  ///< between a unit and the trunk, two sides; then the world as a body and as a child
  std::vector<ForestShare> shares;  ///< of each thread
  /// Of each unit. Two sides, which take turns, so that no thread writes what another still reads.
  std::vector<ForestTotals> totals[2];
  /// One a body, at the end of a step. Written by all threads in finish(), read by the first one.
  std::vector<BodyMotion> motions;
};

}  // namespace tactus::rt
