// One trapezoidal step of ALi3p between two States: the algorithm on one screen.
#pragma once

#include "rt/ali3p/settings.h"
#include "rt/ali3p/workspace.h"
#include "rt/plan/plan.h"
#include "rt/state/state.h"
#include "rt/tick_status.h"

#include <span>

namespace tactus::rt {

/// The span of one step, s; `end` counts from tick 0.
struct Interval {
  double length, end;
};

/// Index-3 augmented Lagrangian with the trapezoidal rule, velocity and acceleration projections.
///
/// @param      input  value of each actuator at the end of the step
/// @param[out] to     all but its tick; may not be `from`. Afterwards ws holds its motions, multipliers and the factor
/// @returns a report whose status knows of lost pivots but not yet of values that are not finite
/// @rt     no allocation, no throw, bounded work: fixed but for the factorisations that the monitor asks for
/// @source [DCA3] sections 3.1-3.4 in joint space, see rt/doc/ali3p.md
StepReport trapezoidalStep(const Model& model, const Plan& plan, const Settings& settings, Interval interval,
                           std::span<const double> input, const State& from, Workspace& ws, State& to) noexcept;

}  // namespace tactus::rt
