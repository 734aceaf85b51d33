// The kernels of a forest: each walks the groups of one part of the Plan, carriers first, or on the way up the other
// way round. A thread calls them for its units and for the trunk.
#pragma once

#include "rt/ali3p/forest/workspace.h"
#include "rt/state/state.h"

#include <span>

namespace tactus::rt {

/// Groups of one part, as a thread finds them.
struct ForestPart {
  const ForestGroups& forest;
  const std::vector<ForestElement>& elements;
  ForestShare& share;
  const std::vector<int>& groups;  ///< a carrier before what it carries
};

/// Loads the motion of the bodies from State as it stands, and evaluates what a velocity projection needs.
/// @rt no allocation, no throw, fixed work
void loadGroups(const ForestContext& context, const ForestPart& part, const State& from, ForestTotals& totals) noexcept;

/// Predicts the end of the step from State, and evaluates what the first Newton solve needs.
/// @rt no allocation, no throw, fixed work
/// @source [DCA3] section 3.1
void predictGroups(const ForestContext& context, const ForestPart& part, const State& from,
                   ForestTotals& totals) noexcept;

/// The forward substitution at a level; forms the tangent before it and factors that with `factors`.
/// @rt no allocation, no throw, fixed work except for bodies whose geometric stiffness has to be limited
/// @source rt/doc/ali3p.md section 12
void climbGroups(const ForestContext& context, const ForestPart& part, Level level, bool factors,
                 ForestTotals& totals) noexcept;

/// The back substitution at level `solved`; moves the bodies, and evaluates what a solve at level `next` needs.
/// @rt no allocation, no throw, fixed work
void descendGroups(const ForestContext& context, const ForestPart& part, Level solved, Level next,
                   ForestTotals& totals) noexcept;

/// The same for the accelerations, the last solve of a step.
/// @param[out] to       bodies and multipliers; null: nothing is written
/// @param[out] motions  one a body; null: likewise
/// @rt no allocation, no throw, fixed work
void finishGroups(const ForestContext& context, const ForestPart& part, State* to, BodyMotion* motions,
                  ForestTotals& totals) noexcept;

/// Writes the motions of the bodies as they stand.
/// @param is_moving  the positions are being solved
/// @rt no allocation, no throw, fixed work
void storeMotions(const ForestContext& context, const ForestPart& part, bool is_moving, BodyMotion* motions) noexcept;

/// Adds loads on the bodies to their right sides.
/// @param factor  as of formRightSide()
/// @rt no allocation, no throw, fixed work
void addLoads(const ForestPart& part, double factor, const Load* loads) noexcept;

}  // namespace tactus::rt
