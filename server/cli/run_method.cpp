#include "server/cli/run_method.h"

#include "proto/text/duration.h"
#include "proto/text/exit_code.h"
#include "proto/text/report_line.h"
#include "rt/model/model.h"
#include "server/cli/interrupt_flag.h"
#include "server/cli/run_report.h"

#include <algorithm>

namespace tactus::server {
namespace {

using rt::offline::Ending;

const char* toString(Ending ending) {
  switch (ending) {
    case Ending::kComplete: return "complete";
    case Ending::kInterrupted: return "interrupted";
    case Ending::kFailed: return "failed";
  }
  return "unknown";
}

std::string stepLines(const MethodRunReport& run) {
  const rt::offline::Statistics& s = run.trajectory.statistics;
  const double seconds = run.trajectory.samples.back().t,
               steps = static_cast<double>(std::max<std::int64_t>(s.steps, 1));
  std::string lines = text::reportLine("steps", "{} ({:.6g} s), {} rejected, {}", s.steps, seconds, s.rejected,
                                       toString(run.trajectory.ending));
  lines += text::reportLine("work", "{} iterations ({:.3g} per step), {} factorizations, {} force evaluations",
                            s.newton_iterations, static_cast<double>(s.newton_iterations) / steps, s.factorizations,
                            s.force_evaluations);
  lines += wallTimeLine(run.wall_seconds, steps, seconds);
  if (s.omega_max > 0) lines += text::reportLine("highest frequency", "{:.6g} rad/s", s.omega_max);
  if (s.step_limit > 0) lines += text::reportLine("stable step", "up to {:.6g} s", s.step_limit);
  if (s.error_estimate > 0)
    lines += text::reportLine("error estimate", "{:.3g}, the largest of a step", s.error_estimate);
  if (s.partitions > 0)
    lines += text::reportLine("coordinates", "partitioned {} times, condition up to {:.3g}", s.partitions, s.condition);
  return lines;
}

nlohmann::ordered_json membersOf(const rt::Model& model, const MethodRunOptions& options, const MethodRunReport& run) {
  const rt::offline::Trajectory& t = run.trajectory;
  const rt::offline::Statistics& s = t.statistics;
  return {{"model", model.name},
          {"integrator", options.method},
          {"settings", options.settings},
          {"period_ns", options.step_ns},
          {"steps", s.steps},
          {"rejected", s.rejected},
          {"newton_iterations", s.newton_iterations},
          {"factorizations", s.factorizations},
          {"force_evaluations", s.force_evaluations},
          {"partitions", s.partitions},
          {"partition_condition", s.partitions > 0 ? s.condition : 0.0},
          {"omega_max", s.omega_max},
          {"step_limit", s.step_limit},
          {"error_estimate", s.error_estimate},
          {"sim_time", t.samples.back().t},
          {"wall_time", run.wall_seconds},
          {"status", toString(t.ending)},
          {"failure", t.failure},
          {"interrupted", t.ending == Ending::kInterrupted}};
}

RunReport reportOf(const rt::Model& model, const MethodRunOptions& options, const MethodRunReport& run) {
  const rt::offline::Trajectory& t = run.trajectory;
  return {model,
          run.assembly,
          {t.energy_start, t.energy_end, t.energy_drift, t.worst_position, t.worst_velocity, t.worst_acceleration},
          options.method + ", step " + text::formatDuration(options.step_ns),
          stepLines(run),
          t.ending == Ending::kFailed ? text::reportLine("failed", "{}", t.failure) : "",
          membersOf(model, options, run),
          options.out,
          run.state_hash};
}

}  // namespace

int runAndReport(const rt::Model& model, const MethodRunOptions& options, bool json) {
  const InterruptFlag interrupt;
  RunProgress progress(1e-9 * static_cast<double>(options.until_ns));
  MethodRunOptions observed = options;
  observed.progress = [&progress](double t) { progress.at(t); };
  const MethodRunReport report = runMethod(model, observed, interrupt.flag());
  printRun(reportOf(model, options, report), json);
  if (report.trajectory.ending == Ending::kFailed) return text::kExitFault;
  return report.trajectory.ending == Ending::kInterrupted ? text::kExitFinding : text::kExitOk;
}

}  // namespace tactus::server
