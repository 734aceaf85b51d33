// The two sweeps of a solve along the lanes of a Chain. Up: merges the places of each segment into one compound. Down:
// finds the multipliers inside the segments from those at their ends, moves the bodies, and evaluates what the next
// solve needs. Between them, the compounds of all segments meet in chain_top.h.
#pragma once

#include "rt/ali3p/chain_context.h"
#include "rt/state/state.h"

namespace tactus::rt {

/// Loads the motion of the bodies of a group from State as it stands, and evaluates what a velocity projection needs.
/// @rt no allocation, no throw, fixed work
void loadGroup(const ChainContext& context, int group, const State& from) noexcept;

/// Predicts the end of the step from State, and evaluates what the first Newton solve needs.
/// @rt no allocation, no throw, fixed work
/// @source [DCA3] section 3.1
void predictGroup(const ChainContext& context, int group, const State& from, const ChainTop& top) noexcept;

/// Merges the places of a group's segments for one solve.
/// @param factor     form and factor the tangent anew
/// @param with_bodies  the bodies have a right side; else only the rows
/// @param leak  share of a multiplier that is forgotten where only the regularisation determines it
/// @rt no allocation, no throw, fixed work but for bodies whose geometric stiffness has to be limited
/// @source [DCA3] Eqs. (36)-(39) in joint space; rt/doc/ali3p.md section 10
void sweepUp(const ChainContext& context, int group, bool factor, bool with_bodies, double leak,
             const ChainTop& top) noexcept;

/// Applies the solution at level `solved` to a group and evaluates what a solve at level `next` needs.
/// @rt no allocation, no throw, fixed work
void sweepDown(const ChainContext& context, int group, Level solved, Level next, const ChainTop& top) noexcept;

}  // namespace tactus::rt
