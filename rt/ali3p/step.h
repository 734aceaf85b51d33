// One time step of ALi3p. Open trapezoidal_step.h first: it is the algorithm on one screen.
#pragma once

#include "rt/ali3p/settings.h"
#include "rt/state/state.h"
#include "rt/tick_status.h"

#include <span>

namespace tactus::rt {

struct Plan;
struct Workspace;

/// Advances `state` by one period: index-3 augmented Lagrangian, trapezoidal rule, velocity and acceleration
/// projections, solved by elimination along the tree of the Plan, or along the lanes of its chain or forest;
/// extrapolated to third order where the settings include it.
///
/// @param[in]     input  value of each actuator (N or N m), held over the step and taken at its end
/// @param[in,out] state  untouched unless the report says kOk
/// @param         ws     scratch; nothing in it survives the step
/// @rt       no allocation, no throw, bounded work: fixed but for the factorizations that the monitor asks for
/// @source   [DCA3] sections 3.1-3.4 with six increments a body, see rt/doc/ali3p.md
StepReport step(const Model& model, const Plan& plan, const Settings& settings, std::span<const double> input,
                State& state, Workspace& ws) noexcept;

}  // namespace tactus::rt
