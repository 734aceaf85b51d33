// A run of any method of rt/offline: inputs by tick in, trajectory file out.
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
  std::int64_t step_ns = 1'000'000;   ///< step; an upper bound for methods that choose their steps
  std::int64_t until_ns = 0;
  std::string initial_condition;          ///< empty: the declared states of the bodies
  std::vector<rt::ScriptedInput> script;  ///< its ticks are steps of `step_ns`
  /// Names and globs to write; empty: all. Names that begin with "integrator." are figures of the method itself.
  std::vector<std::string> signals;
  std::int64_t every = 1;                  ///< steps between two rows; the first and the last row are always written
  std::string out;                         ///< path of a .csv, or empty
  std::function<void(double t)> progress;  ///< called after each step, if set
};

struct MethodRunReport {
  rt::AssemblyResult assembly;
  rt::offline::Trajectory trajectory;
  double wall_seconds = 0;       ///< without the time to write files
  std::uint64_t state_hash = 0;  ///< hash of the last state, with the number of steps as its tick
};

/// Runs until the end, a failure of the method, or `interrupt`. The trajectory up to there is written in each case.
/// @throws Error for an invalid option, a model that the method cannot treat, or a file that cannot be written
MethodRunReport runMethod(const rt::Model& model, const MethodRunOptions& options, const std::atomic<bool>& interrupt);

}  // namespace tactus::server
