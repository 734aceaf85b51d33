// The third-order step: local Richardson extrapolation of one whole and two half trapezoidal steps.
#pragma once

#include "rt/ali3p/settings.h"
#include "rt/ali3p/team.h"
#include "rt/ali3p/workspace.h"
#include "rt/plan/plan.h"
#include "rt/state/state.h"
#include "rt/tick_status.h"

#include <span>

namespace tactus::rt {

/// (4 fine - coarse) / 3 of everything that moves, quaternions normalised; then one velocity and one acceleration
/// projection with the factor of the last half step, so that the constraints hold at all levels after the combination.
/// Half way the input is the mean of the last one and this one: the line on which the trapezoidal rule samples it.
///
/// @param input  value of each actuator at the end of the step
/// @param team   shares each of the steps; or, with ws.beside, its second thread does the whole one
/// @returns      to the first thread: worst of the three steps; norms of the combined state, which is in ws.next, all
///               but its tick
/// @rt     no allocation, no throw, bounded work: three steps and two solves
/// @source derived; rt/doc/ali3p.md section 8
StepReport extrapolatedStep(const Model& model, const Plan& plan, const Settings& settings,
                            std::span<const double> input, const State& state, Workspace& ws,
                            const Team& team) noexcept;

}  // namespace tactus::rt
