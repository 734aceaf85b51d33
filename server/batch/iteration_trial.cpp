#include "server/batch/iteration_trial.h"

#include "proto/text/duration.h"
#include "rt/ali3p/monitor.h"
#include "rt/model/model.h"
#include "server/batch/offline_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

namespace tactus::server {
namespace {

/// Rows times steps of a trial: a tenth of a second of work.
constexpr std::int64_t kTrialRows = 100'000, kMaxSteps = 500, kFewestSteps = 10;
constexpr int kMaxTrials = 4;  ///< increments that shrink more slowly later ask for a further trial

}  // namespace

IterationTrial tryIterations(const rt::Model& model, const rt::Settings& settings) {
  OfflineRunOptions options;
  options.settings = settings;
  options.ticks = std::clamp(kTrialRows / std::max(model.rows, 1), kFewestSteps, kMaxSteps);
  const std::atomic<bool> interrupt{false};
  IterationTrial trial;
  for (int k = 0; k < kMaxTrials; ++k) {
    const OfflineRunReport run = runOffline(model, options, interrupt);
    if (k == 0)
      trial = {run.ticks, run.not_converged, run.increment, settings.iterations, run.status == rt::TickStatus::kOk};
    if (run.status == rt::TickStatus::kOk && run.not_converged == 0) break;
    trial.needed = std::max(run.iterations_needed, options.settings.iterations + 1);
    if (trial.needed > rt::kMaxIterations) break;
    options.settings.iterations = trial.needed;
    if (k + 1 == kMaxTrials) trial.needed = rt::kMaxIterations + 1;  // no number of iterations has passed its trial
  }
  return trial;
}

std::optional<rt::Finding> findUnconverged(const IterationTrial& trial, const rt::Settings& settings) {
  if (trial.ok && trial.not_converged == 0) return std::nullopt;
  const bool enough = trial.needed <= rt::kMaxIterations;
  const std::string period = text::formatDuration(settings.period_ns);
  return rt::Finding{
      rt::Severity::kWarning, "solver.iterations", std::to_string(settings.iterations),
      trial.ok
          ? fmt::format("should be {}: {} of the first {} steps of {} do not converge, with increments up to {:.2g} m",
                        enough ? std::to_string(trial.needed) : "more", trial.not_converged, trial.steps, period,
                        trial.increment)
          : fmt::format("should be {}: step {} of {} fails", enough ? std::to_string(trial.needed) : "more",
                        trial.steps + 1, period),
      enough ? fmt::format("or a shorter period with fewer iterations; the same steps converge with {}", trial.needed)
             : "use a shorter period: more iterations are not enough"};
}

}  // namespace tactus::server
