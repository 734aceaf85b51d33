// The end of a step: the solved iterate becomes the next State.
#pragma once

#include "rt/ali3p/workspace.h"
#include "rt/model/model.h"
#include "rt/state/state.h"

#include <span>

namespace tactus::rt {

/// Writes the iterate, the multipliers, the joint angles and the work of the actuators into ws.next.
/// @returns true if every value is finite
/// @rt no allocation, no throw, fixed work
bool commit(const Model& model, double dt, std::span<const double> input, const State& state, Workspace& ws) noexcept;

}  // namespace tactus::rt
