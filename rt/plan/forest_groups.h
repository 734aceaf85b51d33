// A forest as groups: mechanisms in which a joint carries each body by its freedoms, and no other joint closes a loop.
// Four bodies on joints of equal freedoms share a group, so that one sequence of vector operations works on all of
// them.
#pragma once

#include "rt/plan/forest.h"

#include <array>
#include <optional>
#include <vector>

namespace tactus::rt {

struct Plan;

/// Freedoms of a body without a joint to a carrier: the root of a floating tree, or a free body.
inline constexpr int kFreeBody = 6;

/// A body of a forest: its group and the lane there.
struct ForestPlace {
  int group = -1, lane = 0;

  friend bool operator==(const ForestPlace&, const ForestPlace&) = default;
};

struct ForestGroup {
  static constexpr int kLanes = 4;

  int freedoms;  ///< of the joints: 0 to 3, or kFreeBody
  int part;      ///< of the Plan
  int filled;    ///< bit l is set if lane l has a body of its own; any other lane repeats the first of those
  std::array<int, kLanes> bodies, joints;    ///< of the Model; joints are -1 for kFreeBody
  std::array<ForestPlace, kLanes> carriers;  ///< group -1: ground, in all lanes
  /// What the bodies carry: each entry has one child of each lane, group -1 where a lane has none left. A lane that
  /// repeats another one has the children of that one.
  std::vector<std::array<ForestPlace, kLanes>> children;

  bool has(int lane) const noexcept { return (filled >> lane & 1) != 0; }
  bool onGround() const noexcept { return carriers[0].group < 0; }
};

/// Whether the lanes of one group are found in the same lanes of another one.
bool areBeside(const std::array<ForestPlace, ForestGroup::kLanes>& places) noexcept;

struct ForestGroups {
  std::vector<ForestGroup> groups;      ///< a carrier before what it carries
  std::vector<std::vector<int>> parts;  ///< of each part of the Plan: its groups, in order; the trunk is last
};

/// The groups of a mechanism, or nothing if it is no forest: a joint stays rows, closes a loop, or couples bodies.
/// @param plan  a plan of the model; bodies of different parts do not share a group
std::optional<ForestGroups> findForestGroups(const Model& model, const Plan& plan);

}  // namespace tactus::rt
