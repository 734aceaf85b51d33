// An offline run with any method of rt/offline: inputs by ticks in, trajectory file out.
#pragma once

#include "rt/mechanics/initial_state.h"
#include "rt/offline/integrator.h"
#include "rt/state/actuator_input.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tactus::server {

struct MethodRunOptions {
  std::string method;
  std::vector<std::string> settings;  ///< KEY=VALUE
  std::int64_t step_ns = 1'000'000;   ///< the step; of methods that choose theirs, the longest one
  std::int64_t until_ns = 0;
  std::string initial_condition;          ///< empty: what the bodies declare
  std::vector<rt::ScriptedInput> script;  ///< ticks of `step_ns`
  /// Names and globs to write; empty for all. What begins with "integrator." is of the method's own numbers.
  std::vector<std::string> signals;
  std::int64_t every = 1;                  ///< a row every so many steps, and the first and last
  std::string out;                         ///< .csv, or empty for none
  std::function<void(double t)> progress;  ///< called after each step, if set
};

struct MethodRunReport {
  rt::AssemblyResult assembly;
  rt::offline::Trajectory trajectory;
  double wall_seconds = 0;       ///< of the method, without the writing
  std::uint64_t state_hash = 0;  ///< of the last state, with the number of steps as its tick
};

/// Runs to the end, a failure of the method, or `interrupt`; what there is until then is written.
/// @throws Error if an option cannot be met, the model cannot be treated, or a file cannot be written
MethodRunReport runMethod(const rt::Model& model, const MethodRunOptions& options, const std::atomic<bool>& interrupt);

}  // namespace tactus::server
