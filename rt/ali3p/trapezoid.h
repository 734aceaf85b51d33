// The trapezoidal rule: predictor, rates of an iterate, update by an increment.
#pragma once

#include "rt/ali3p/workspace.h"
#include "rt/model/model.h"
#include "rt/state/state.h"

namespace tactus::rt {

/// Second-order Taylor predictor of every body; multipliers start at those of the last step.
/// @rt no allocation, no throw, fixed work
void predict(const Model& model, double dt, const State& state, Workspace& ws) noexcept;

/// Adds the increments in ws.unknowns to positions and multipliers, with the rates that the rule gives them.
/// @returns largest increment of a body, m; rotations count with the model's length
/// @rt no allocation, no throw, fixed work
double applyIncrement(const Model& model, double dt, Workspace& ws) noexcept;

}  // namespace tactus::rt
