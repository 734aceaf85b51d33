#include "server/cli/run_method.h"

#include "proto/text/duration.h"
#include "server/cli/exit_code.h"
#include "server/cli/run_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <iostream>

namespace tactus::server {
namespace {

using Json = nlohmann::ordered_json;
using rt::offline::Ending;

std::atomic<bool> interrupted{false};
void interrupt(int) {
  interrupted.store(true);
}

const char* toString(Ending ending) {
  switch (ending) {
    case Ending::kComplete: return "complete";
    case Ending::kInterrupted: return "interrupted";
    case Ending::kFailed: return "failed";
  }
  return "unknown";
}

RunFigures figuresOf(const MethodRunReport& report) {
  const rt::offline::Trajectory& t = report.trajectory;
  return {report.assembly,  t.energy_start,   t.energy_end,        t.energy_drift,
          t.worst_position, t.worst_velocity, t.worst_acceleration};
}

void printText(const rt::Model& model, const MethodRunOptions& options, const MethodRunReport& report) {
  const rt::offline::Trajectory& t = report.trajectory;
  const rt::offline::Statistics& s = t.statistics;
  const double seconds = t.samples.back().t, steps = static_cast<double>(std::max<std::int64_t>(s.steps, 1));
  printRunHead(model, options.method + ", step " + text::formatDuration(options.step_ns), report.assembly);
  std::printf("steps               %lld (%.6g s), %lld rejected, %s\n", static_cast<long long>(s.steps), seconds,
              static_cast<long long>(s.rejected), toString(t.ending));
  std::printf("work                %lld iterations (%.3g a step), %lld factorisations, %lld force evaluations\n",
              static_cast<long long>(s.newton_iterations), static_cast<double>(s.newton_iterations) / steps,
              static_cast<long long>(s.factorizations), static_cast<long long>(s.force_evaluations));
  std::printf("wall time           %.6g s, %.4g us a step, %.4g times real time\n", report.wall_seconds,
              1e6 * report.wall_seconds / steps, seconds / report.wall_seconds);
  if (s.omega_max > 0) std::printf("highest frequency   %.6g rad/s\n", s.omega_max);
  if (s.step_limit > 0) std::printf("stable step         up to %.6g s\n", s.step_limit);
  if (s.error_estimate > 0) std::printf("error estimate      %.3g, the largest of a step\n", s.error_estimate);
  if (s.partitions > 0)
    std::printf("coordinates         parted %lld times, condition up to %.3g\n", static_cast<long long>(s.partitions),
                s.condition);
  printRunFigures(figuresOf(report));
  if (t.ending == Ending::kFailed) std::printf("failed              %s\n", t.failure.c_str());
  if (!options.out.empty()) std::printf("written             %s\n", options.out.c_str());
  std::printf("state hash: %s\n", rt::formatHash(report.state_hash).c_str());
}

void printJson(const rt::Model& model, const MethodRunOptions& options, const MethodRunReport& report) {
  const rt::offline::Trajectory& t = report.trajectory;
  const rt::offline::Statistics& s = t.statistics;
  Json json = {{"model", model.name},
               {"integrator", options.method},
               {"settings", options.settings},
               {"period_ns", options.step_ns},
               {"steps", s.steps},
               {"rejected", s.rejected},
               {"newton_iterations", s.newton_iterations},
               {"factorisations", s.factorizations},
               {"force_evaluations", s.force_evaluations},
               {"partitions", s.partitions},
               {"partition_condition", s.partitions > 0 ? s.condition : 0.0},
               {"omega_max", s.omega_max},
               {"step_limit", s.step_limit},
               {"error_estimate", s.error_estimate},
               {"sim_time", t.samples.back().t},
               {"wall_time", report.wall_seconds},
               {"status", toString(t.ending)},
               {"failure", t.failure},
               {"interrupted", t.ending == Ending::kInterrupted},
               {"out", options.out},
               {"state_hash", rt::formatHash(report.state_hash)}};
  addRunFigures(figuresOf(report), json);
  std::cout << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace

int runAndReport(const rt::Model& model, const MethodRunOptions& options, bool json) {
  interrupted.store(false);
  const auto previous = std::signal(SIGINT, interrupt);
  RunProgress progress(1e-9 * static_cast<double>(options.until_ns));
  MethodRunOptions observed = options;
  observed.progress = [&progress](double t) { progress.at(t); };
  const MethodRunReport report = runMethod(model, observed, interrupted);
  std::signal(SIGINT, previous);
  json ? printJson(model, options, report) : printText(model, options, report);
  if (report.trajectory.ending == Ending::kFailed) return kExitFault;
  return report.trajectory.ending == Ending::kInterrupted ? kExitFinding : kExitOk;
}

}  // namespace tactus::server
