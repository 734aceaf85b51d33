// A run of the server's tick without pauses, and its figures.
#pragma once

#include "rt/ali3p/settings.h"
#include "rt/mechanics/energy_balance.h"
#include "rt/mechanics/initial_state.h"
#include "rt/state/actuator_input.h"
#include "rt/state/snapshot.h"
#include "rt/tick_status.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tactus::rt {
struct Model;
}

namespace tactus::server {

struct OfflineRunOptions {
  rt::Settings settings;
  int threads = 1;             ///< threads that share a step, at most as many as have work
  bool oversubscribe = false;  ///< accept more threads than cores
  std::int64_t ticks = 0;
  std::string initial_condition;  ///< empty: the declared states of the bodies
  std::vector<rt::ScriptedInput> script;
  std::vector<std::string> signals;  ///< names and globs to write; empty: all
  std::int64_t every = 1;            ///< ticks between two rows; the first and the last row are always written
  std::string out;                   ///< path of a .csv, or empty
  std::function<void(const rt::Snapshot&)> observe;  ///< called with the initial state and each tick, if set
  /// Called with what a step that fails publishes, if set: the last good state, and the inputs of the failed step.
  std::function<void(const rt::Snapshot&)> observe_failure;
};

struct OfflineRunReport {
  std::int64_t ticks = 0;  ///< completed; fewer than requested after a fault or an interrupt
  rt::TickStatus status = rt::TickStatus::kOk;
  bool interrupted = false;
  double wall_seconds = 0;  ///< time of the ticks, without the time to write files
  int threads = 1;          ///< that shared a step
  double energy_start = 0, energy_end = 0;
  rt::EnergyBalance energy;                                                           ///< of all ticks
  double position_violation = 0, velocity_violation = 0, acceleration_violation = 0;  ///< maxima of the run
  double increment = 0;            ///< maximum last increment of a step, m
  std::int64_t not_converged = 0;  ///< ticks whose last increment exceeded the monitor's limit
  int iterations_needed = 0;       ///< the largest that a tick would have needed, see iterationsNeeded()
  std::int64_t limited = 0;        ///< how often geometric stiffness was limited, over bodies and ticks
  rt::AssemblyResult assembly;     ///< assembly of the initial state
  std::uint64_t state_hash = 0;    ///< hash of the last good state
};

/// Runs until the requested tick, a fault, or `interrupt`. Rows written before that stay.
/// @throws Error for an invalid option or a file that cannot be written
OfflineRunReport runOffline(const rt::Model& model, const OfflineRunOptions& options,
                            const std::atomic<bool>& interrupt);

}  // namespace tactus::server
