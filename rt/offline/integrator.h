// The way into rt/offline: a model, the name of a method and its options in, a Trajectory out.
#pragma once

#include "rt/offline/core/input_signal.h"
#include "rt/offline/core/method.h"
#include "rt/offline/core/trajectory.h"
#include "rt/state/state.h"

#include <atomic>
#include <functional>
#include <string>
#include <vector>

namespace tactus::rt::offline {

/// All methods, school by school.
const std::vector<Method>& methods();

/// @throws Error that names the nearest known method
const Method& findMethod(const std::string& name);

/// The motion to compute.
struct Problem {
  const Model& model;
  State start;                ///< consistent, as initialState() returns it for the input at time 0; its tick is ignored
  InputSignal input;          ///< none: every actuator keeps its declared value
  double step = 1e-3;         ///< s; an upper bound for methods that choose their steps
  double until = 1;           ///< s
  std::vector<double> times;  ///< s, rising; only the samples at these times and the start are kept; empty: all steps
  const std::atomic<bool>* interrupt = nullptr;  ///< read after each step and in each evaluation; true ends the run
  std::function<void(double t)> progress;        ///< called after each step, if set
  /// s, rising: where the input jumps. Between two jumps it is constant. A method that chooses its steps ends a step at
  /// each jump and begins anew with the input behind it; a method with a fixed step takes the input as it comes.
  std::vector<double> jumps = {};
};

/// Runs a method over a problem. If a step fails, the trajectory ends there and reports time, place and reason.
///
/// @param[in] settings  KEY=VALUE, see Method::options
/// @throws Error before the first step: unknown method or option, a step that does not divide the horizon or the times,
///         a model that the method cannot treat
Trajectory integrate(const Problem& problem, const std::string& method, const std::vector<std::string>& settings = {});

}  // namespace tactus::rt::offline
