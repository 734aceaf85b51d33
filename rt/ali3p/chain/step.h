// One trapezoidal step of ALi3p along the lanes of a Chain: trapezoidal_step.h for long uniform chains.
#pragma once

#include "rt/ali3p/chain/solver.h"
#include "rt/ali3p/trapezoidal_step.h"

namespace tactus::rt {

/// The same as trapezoidalStep() but for the order in which numbers are added up.
/// @rt no allocation, no throw, bounded work
StepReport chainStep(const ChainContext& context, const Team& team, const State& from, State& to) noexcept;

/// Cleans what an extrapolation has left in the constraints of `state`, with the factor of the step before: velocities,
/// then accelerations and multipliers. Enters the violations into the report.
/// @rt no allocation, no throw, fixed work
void chainClean(const ChainContext& context, const Team& team, State& state, StepReport& report) noexcept;

}  // namespace tactus::rt
