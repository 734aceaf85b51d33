// An offline run: the tick of the server, as fast as it goes, with what it did summed up.
#pragma once

#include "rt/ali3p/settings.h"
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "rt/state/actuator_input.h"
#include "rt/state/snapshot.h"
#include "rt/tick_status.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tactus::server {

struct OfflineRunOptions {
  rt::Settings settings;
  int threads = 1;             ///< that share a step; no more than have work
  bool oversubscribe = false;  ///< let them be more than the cores
  std::int64_t ticks = 0;
  std::string initial_condition;  ///< empty: what the bodies declare
  std::vector<rt::ScriptedInput> script;
  std::vector<std::string> signals;                  ///< names and globs to write; empty for all
  std::int64_t every = 1;                            ///< a row every so many ticks, and the first and last
  std::string out;                                   ///< .csv, or empty for none
  std::function<void(const rt::Snapshot&)> observe;  ///< gets the initial state and every tick; may be empty
};

struct OfflineRunReport {
  std::int64_t ticks = 0;  ///< done; less than asked for after a fault or an interrupt
  rt::TickStatus status = rt::TickStatus::kOk;
  bool interrupted = false;
  double wall_seconds = 0;  ///< of the ticks alone, without the writing
  double energy_start = 0, energy_end = 0;
  double energy_drift = 0;  ///< largest |energy.total - its start|, J
  double position_violation = 0, velocity_violation = 0, acceleration_violation = 0;  ///< worst of the run
  double increment = 0;                                                               ///< worst last increment, m
  std::int64_t not_converged = 0;  ///< ticks whose last increment exceeded the monitor's limit
  std::int64_t limited = 0;        ///< limits of geometric stiffness, all bodies and ticks
  rt::AssemblyResult assembly;     ///< of the initial state
  std::uint64_t state_hash = 0;    ///< of the last good state
};

/// Runs until the tick asked for, a fault, or `interrupt`; what was written until then stays.
/// @throws Error if an option cannot be met, or a file cannot be written
OfflineRunReport runOffline(const rt::Model& model, const OfflineRunOptions& options,
                            const std::atomic<bool>& interrupt);

}  // namespace tactus::server
