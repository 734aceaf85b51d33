// `tactus qualify`: does this model run at this period on this machine? A paced run, reruns of the same ticks, a
// verdict. `tactus validate` judges whether the result is accurate.
#pragma once

#include "rt/ali3p/settings.h"
#include "rt/loop/realtime_thread.h"
#include "rt/loop/tick_stats.h"
#include "rt/tick_status.h"
#include "server/batch/validation.h"
#include "server/doctor/host_check.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tactus::rt {
struct Model;
}

namespace tactus::server {

struct QualificationOptions {
  rt::Settings settings;  ///< includes the period to qualify
  std::int64_t ticks = 0;
  std::string initial_condition;
  rt::ThreadRequest thread;
  int reruns = 2;        ///< number of reruns side by side, at least 1
  double head_room = 2;  ///< minimum ratio of the period to the 99.9 % tick time
  std::vector<rt::ScriptedInput> script;
  std::int64_t compared_ns = 0;  ///< simulated time to compare with references; 0: none
  std::int64_t wanted_ns = 0;    ///< to extrapolate errors to; 0: the time of all ticks
  double budget_s = 60;          ///< for the comparison
  Tolerances tolerances;         ///< as in ValidationOptions
};

enum class Fitness { kFit, kFitWith, kNotFit };
const char* toString(Fitness fitness) noexcept;  ///< "fit", "fit with conditions", "not fit"

/// The same ticks run once more under other conditions.
struct Rerun {
  std::string how;
  std::int64_t first_difference = 0;  ///< tick; 0: all compared states have the same bits
};

/// What had happened in the paced run by a tick.
struct PacedPoint {
  std::int64_t tick = 0;
  std::int64_t missed = 0;      ///< deadlines
  std::int64_t longest_ns = 0;  ///< longest tick time
};

struct QualificationReport {
  // The machine.
  std::string host;                        ///< name from nameHost()
  std::vector<HostFinding> host_findings;  ///< findings of `tactus doctor`

  // The paced run: ticks at the rate of the clock.
  std::vector<rt::Grant> grants;
  rt::TickStatsReport stats;
  std::int64_t period_ns = 0;
  std::int64_t ticks = 0;  ///< completed
  std::int64_t spin_margin_ns = 0;
  double head_room = 0;        ///< period divided by the 99.9 % tick time
  double worst_head_room = 0;  ///< period divided by the longest tick time
  std::vector<PacedPoint> paced_over_time;

  // The first run: ticks without pauses.
  rt::TickStatus status = rt::TickStatus::kOk;
  std::int64_t not_converged = 0;  ///< ticks whose last increment exceeded the monitor's limit
  int iterations_needed = 0;       ///< the largest that a tick would have needed, see iterationsNeeded()
  double times_real_time = 0;      ///< simulated time divided by elapsed time

  std::vector<Rerun> reruns;
  std::optional<ValidationReport> accuracy;  ///< the same period and iterations compared with a reference
  Fitness fitness = Fitness::kNotFit;
  std::vector<std::string> reasons;     ///< one line for each check: "ok: ..." or "no: ..."
  std::string deciding;                 ///< the reason or the condition that decides
  std::vector<std::string> conditions;  ///< what Fitness::kFitWith depends on
  bool interrupted = false;
};

/// Runs all parts of the qualification: ticks without pauses, reruns, the paced run and the comparison, for which
/// `budget_s` is the limit. After an interrupt the report holds the results so far, without a verdict.
/// @param[in] progress  called with a line of text when a part begins
/// @throws Error if the period is out of range or the initial condition is unknown
QualificationReport qualify(const rt::Model& model, const QualificationOptions& options,
                            const std::atomic<bool>& interrupt,
                            const std::function<void(const std::string&)>& progress);

/// Derives the verdict from the figures of a report. Not fit: a step failed, a rerun differed, the 99.9 % tick exceeds
/// the period, more than one deadline in a thousand was missed, or the accuracy is not trusted. Conditions: real-time
/// rights that were not granted, rarer misses, less headroom than required, ticks that did not converge, a comparison
/// whose references did not cover the duration.
void judge(const QualificationOptions& options, QualificationReport& report);

}  // namespace tactus::server
