// The interfaces between the segments of a Chain: the joints that no lane holds. Their multipliers form a
// block-tridiagonal system, which every thread solves for itself.
#pragma once

#include "rt/ali3p/chain/context.h"
#include "rt/state/state.h"

namespace tactus::rt {

/// Reads the multipliers of the interfaces from State.
/// @rt no allocation, no throw, fixed work
void loadMultipliers(const Chain& chain, const State& from, InterfaceSystem& interfaces) noexcept;

/// Solves for the increments of the interfaces' multipliers at one level and adds them to the totals (times dt^2/4 at
/// the acceleration level, not at all at the velocity level).
/// @returns false if a pivot is not positive
/// @rt no allocation, no throw, fixed work
bool solveInterfaces(const ChainContext& context, Level level, bool factor, double leak,
                     InterfaceSystem& interfaces) noexcept;

/// Squared violation of all joints at a level: of the interfaces, and of the inner joints as the segments wrote it.
/// @rt no allocation, no throw, fixed work
double squaredViolation(const ChainContext& context, const InterfaceSystem& interfaces, Level level) noexcept;

/// The largest squared increment of a body, from those that the segments wrote.
/// @rt no allocation, no throw, fixed work
double squaredIncrement(const ChainContext& context, const InterfaceSystem& interfaces) noexcept;

/// Writes the multipliers of the interfaces to State.
/// @rt no allocation, no throw, fixed work
void storeMultipliers(const Chain& chain, const InterfaceSystem& interfaces, State& to) noexcept;

}  // namespace tactus::rt
