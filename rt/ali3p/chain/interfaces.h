// The cuts between the segments of a Chain: a block-tridiagonal system that every thread solves for itself.
#pragma once

#include "rt/ali3p/chain/context.h"
#include "rt/state/state.h"

namespace tactus::rt {

/// Multipliers of the cuts from State.
/// @rt no allocation, no throw, fixed work
void loadCuts(const Chain& chain, const State& from, ChainTop& top) noexcept;

/// Solves for the increments of the cuts' multipliers at one level and adds them to the totals (times dt^2/4 at the
/// acceleration level, not at all at the velocity level).
/// @returns false if a pivot is not positive
/// @rt no allocation, no throw, fixed work
bool solveCuts(const ChainContext& context, Level level, bool factor, double leak, ChainTop& top) noexcept;

/// Squared violation of all joints at a level: of the cuts, and what the segments say of their inner ones.
double squaredViolation(const ChainContext& context, const ChainTop& top, Level level) noexcept;

/// The largest squared increment of a body, as the segments say.
double squaredIncrement(const ChainContext& context, const ChainTop& top) noexcept;

/// @rt no allocation, no throw, fixed work
void storeCuts(const Chain& chain, const ChainTop& top, State& to) noexcept;

}  // namespace tactus::rt
