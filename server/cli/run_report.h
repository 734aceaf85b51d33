// The report of `tactus run`, for the real-time solver and for every other method.
#pragma once

#include "rt/mechanics/initial_state.h"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdint>
#include <string>

namespace tactus::rt {
struct Model;
}

namespace tactus::server {

/// Numbers that every method reports.
struct RunFigures {
  double energy_start, energy_end, energy_drift;                          ///< J
  double position_violation, velocity_violation, acceleration_violation;  ///< worst norms of the run
};

/// One run: the figures of every method, and the lines and JSON members that only its method has.
struct RunReport {
  const rt::Model& model;
  const rt::AssemblyResult& assembly;
  RunFigures figures;
  std::string method;              ///< method and settings, in words
  std::string steps;               ///< lines about the steps that were made
  std::string notes;               ///< lines behind the figures; may be empty
  nlohmann::ordered_json members;  ///< JSON before the figures, without the output file and the state hash
  std::string out;                 ///< file that was written; empty if there is none
  std::uint64_t state_hash;
};

/// Prints a report to stdout, as lines of text or as JSON.
void printRun(const RunReport& report, bool as_json);

/// "wall time           0.1 s, 100 us per step, 10 times real time\n".
std::string wallTimeLine(double wall_seconds, double steps, double simulated_seconds);

/// Reports the progress of a long run on stderr every two seconds.
class RunProgress {
 public:
  /// @param[in] until  simulated time at the end, s
  explicit RunProgress(double until) : until_(until), reported_(std::chrono::steady_clock::now()) {}

  /// @param[in] t  simulated time now, s
  void at(double t);

 private:
  double until_;  ///< s
  std::chrono::steady_clock::time_point reported_;
};

}  // namespace tactus::server
