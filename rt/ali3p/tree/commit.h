// The end of a step: the solved iterate becomes the next State.
#pragma once

#include "rt/ali3p/workspace.h"
#include "rt/model/model.h"
#include "rt/state/state.h"

#include <span>

namespace tactus::rt {

/// Writes the iterate, the multipliers, the joint angles, the internal states of elements, the input and the work of
/// the actuators into `to`. The tick is left to the caller.
/// @param dt    length of the step, s
/// @param from  the state at its beginning; may not be `to`
/// @rt no allocation, no throw, fixed work
void commit(const Model& model, double dt, std::span<const double> input, const State& from, const Workspace& ws,
            State& to) noexcept;

/// Writes the input; adding zero makes one bit pattern of both zeros.
/// @rt no allocation, no throw, fixed work
void storeInput(std::span<const double> input, State& to) noexcept;

/// Carries the work on by the trapezoidal rule, as the step itself weighs the loads; the powers are there.
/// @rt no allocation, no throw, fixed work
void integrateWork(const Model& model, double dt, const State& from, State& to) noexcept;

/// True if every value of the state is finite.
/// @rt no allocation, no throw, fixed work
bool isFinite(const State& state) noexcept;

}  // namespace tactus::rt
