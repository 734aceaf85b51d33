// What every step writes last, whichever solver it uses: input, work, and the check that all of it is finite.
#pragma once

#include "rt/state/state.h"

#include <span>

namespace tactus::rt {

struct Model;

/// Writes the input into `to`. Adding zero gives both zeros one bit pattern.
/// @rt no allocation, no throw, fixed work
void storeInput(std::span<const double> input, State& to) noexcept;

/// Integrates the work by the trapezoidal rule, with the powers of both states.
/// @param dt  length of the step, s
/// @rt no allocation, no throw, fixed work
void integrateWork(const Model& model, double dt, const State& from, State& to) noexcept;

/// True if every value of the state is finite.
/// @rt no allocation, no throw, fixed work
bool isFinite(const State& state) noexcept;

}  // namespace tactus::rt
