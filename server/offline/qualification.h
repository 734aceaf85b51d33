// `tactus qualify`: does this model run at this period on this machine? Paced ticks, reruns of the same, and a verdict.
// Whether the result is right is another question: `tactus validate`.
#pragma once

#include "rt/ali3p/settings.h"
#include "rt/loop/realtime_thread.h"
#include "rt/loop/tick_stats.h"
#include "rt/model/model.h"
#include "rt/tick_status.h"
#include "server/doctor/host_check.h"
#include "server/offline/validation.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tactus::server {

struct QualificationOptions {
  rt::Settings settings;  ///< its period is the one that is wanted
  std::int64_t ticks = 0;
  std::string initial_condition;
  rt::ThreadRequest thread;
  int reruns = 2;                ///< beside the first run; at least 1
  double head_room = 2;          ///< the period over the time that 99.9 % of the ticks stay below, at least
  std::int64_t compared_ns = 0;  ///< simulated time that is compared with a reference; 0: none
  double tolerance = 1e-3;       ///< as in ValidationOptions
};

enum class Fitness { kFit, kFitWith, kNotFit };
const char* toString(Fitness fitness) noexcept;  ///< "fit", "fit with conditions", "not fit"

/// The same run once more, in another way.
struct Rerun {
  std::string how;
  std::int64_t first_difference = 0;  ///< tick; 0: every state that was compared has the same bits
};

struct QualificationReport {
  // What it was done on.
  std::string host;                        ///< as nameHost() calls it
  std::vector<HostFinding> host_findings;  ///< as `tactus doctor` lists them

  // Of ticks at the pace of the clock.
  std::vector<rt::Grant> grants;
  rt::TickStatsReport stats;
  std::int64_t period_ns = 0;
  std::int64_t ticks = 0;  ///< done at that pace
  std::int64_t spin_margin_ns = 0;
  double head_room = 0;        ///< period over the 99.9 % tick
  double worst_head_room = 0;  ///< period over the worst tick

  // Of the first run, as fast as it goes.
  rt::TickStatus status = rt::TickStatus::kOk;
  std::int64_t not_converged = 0;  ///< ticks whose last increment exceeded the monitor's limit
  double times_real_time = 0;      ///< simulated over elapsed time

  std::vector<Rerun> reruns;
  std::optional<ValidationReport> accuracy;  ///< of the same period and iterations against a reference
  Fitness fitness = Fitness::kNotFit;
  std::vector<std::string> reasons;     ///< why not, or what was found to be right
  std::vector<std::string> conditions;  ///< of "fit with"
  bool interrupted = false;
};

/// Runs everything: takes a little longer than the ticks take at their period. After an interrupt the report holds what
/// was done until then, without a verdict.
/// @throws Error if the period or the initial condition cannot be met
QualificationReport qualify(const rt::Model& model, const QualificationOptions& options,
                            const std::atomic<bool>& interrupt,
                            const std::function<void(const std::string&)>& progress);

/// The verdict by the numbers of a report. Not fit: a step failed, a rerun differed, the 99.9 % tick or one deadline in
/// a thousand does not hold. Conditions: what was not granted, rarer misses, less head-room than wanted, ticks that did
/// not converge, an accuracy that is not to be trusted.
void judge(const QualificationOptions& options, QualificationReport& report);

}  // namespace tactus::server
