// One trapezoidal step on the path that the Plan has chosen: along the nodes of its tree, or along the lanes of a
// chain.
#pragma once

#include "rt/ali3p/team.h"
#include "rt/ali3p/trapezoidal_step.h"

namespace tactus::rt {

/// A chain goes along its lanes, but for the gyroscopic tangent.
inline bool goesAlongLanes(const Plan& plan, const Settings& settings) noexcept {
  return plan.chain.has_value() && !settings.gyroscopic_tangent;
}

/// Most threads that can share a step: of a long chain they take groups of segments; of any other mechanism two share a
/// third-order step, if it is long enough, the whole step beside the half steps.
int maxThreads(const Plan& plan, const Settings& settings) noexcept;

/// trapezoidalStep() or chainStep(). Each thread of the team calls it; the report is the same for all.
/// @rt no allocation, no throw, bounded work
StepReport advance(const Model& model, const Plan& plan, const Settings& settings, Interval interval,
                   std::span<const double> input, const State& from, Workspace& ws, const Team& team,
                   State& to) noexcept;

}  // namespace tactus::rt
