// Sensitivities of signals to parameters along the ticks of an Engine. Knows no Python.
#pragma once

#include "clients/engine/engine.h"

#include <functional>
#include <string>
#include <vector>

namespace tactus::python {

struct SensitivityRequest {
  std::vector<std::string> parameters;
  std::vector<double> steps;           ///< of each parameter, in its unit
  std::vector<int> sides;              ///< of each parameter, as sideOf() returns it
  std::vector<std::string> signals;    ///< names, no globs
  std::int64_t ticks = 0, every = 1;   ///< a row at every n-th tick
  std::vector<double> inputs;          ///< a row of all actuators for each tick
  std::function<void()> look = [] {};  ///< called at each model and tick; may throw
};

/// To which side of its nominal value a parameter can move by a step: 0 both, 1 above, -1 below; 0 also if to none.
/// @throws Refusal for an unknown parameter
int sideOf(const engine::Engine& engine, const std::string& parameter, double step);

/// Derivatives of the signals by the parameters, from the equations linearized along the ticks. The engine stands at
/// tick 0 and moves on.
/// @return [row][signal][parameter], in SI units
/// @throws Refusal for a parameter that is unknown or leaves its range; for a signal that is an integral over the run
/// or a figure
///         of the solver; at a singular pose; if a step fails
std::vector<double> sensitivityAlong(engine::Engine& engine, const SensitivityRequest& request);

}  // namespace tactus::python
