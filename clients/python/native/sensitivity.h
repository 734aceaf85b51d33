// Sensitivities of signals to parameters along the ticks of an Engine. Knows no Python.
#pragma once

#include "clients/engine/engine.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace tactus::python {

struct SensitivityRequest {
  std::vector<std::string> parameters;
  std::vector<double> steps;           ///< of each parameter, to each side, in its unit
  std::vector<std::string> signals;    ///< names, no globs
  std::int64_t ticks = 0, every = 1;   ///< a row at every n-th tick
  std::span<const double> inputs;      ///< a row of all actuators for each tick
  std::function<void()> look = [] {};  ///< called at each tick; may throw
};

/// Derivatives of the signals by the parameters, from the equations linearized along the ticks. The engine stands at
/// tick 0 and moves on.
/// @return [row][signal][parameter], in SI units
/// @throws Refusal for a parameter that is unknown or leaves its range; for a signal that is an integral over the run
/// or a figure
///         of the solver; at a singular pose; if a step fails
std::vector<double> sensitivityAlong(engine::Engine& engine, const SensitivityRequest& request);

}  // namespace tactus::python
