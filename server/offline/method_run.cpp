#include "server/offline/method_run.h"

#include "server/offline/trajectory_file.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <optional>
#include <span>

namespace tactus::server {
namespace {

using rt::offline::Sample;
using rt::offline::Trajectory;

/// Room for round-off in a time over the step, in steps.
constexpr double kTickTolerance = 1e-6;

/// A script by ticks as a signal over time: its row for a tick holds over all of the step that ends there.
rt::offline::InputSignal signalOf(const rt::Model& model, const MethodRunOptions& options) {
  if (options.script.empty()) return {};
  return [declared = rt::ActuatorInput(model).values, script = options.script,
          step = 1e-9 * static_cast<double>(options.step_ns)](double t, std::span<double> values) {
    const auto tick = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(t / step - kTickTolerance)));
    const auto after = std::upper_bound(script.begin(), script.end(), tick,
                                        [](std::int64_t k, const rt::ScriptedInput& row) { return k < row.tick; });
    const std::vector<double>& row = after == script.begin() ? declared : std::prev(after)->values;
    std::copy(row.begin(), row.end(), values.begin());
  };
}

rt::Snapshot snapshotOf(const rt::Model& model, const Sample& sample) {
  rt::Snapshot snapshot(model);
  snapshot.state = sample.state;
  snapshot.inputs = sample.inputs;
  snapshot.header.sim_time_ns = std::llround(sample.t * 1e9);
  snapshot.header.report.constraint_position = sample.position_violation;
  snapshot.header.report.constraint_velocity = sample.velocity_violation;
  snapshot.header.report.constraint_acceleration = sample.acceleration_violation;
  return snapshot;
}

void write(const rt::Model& model, const MethodRunOptions& options, const Trajectory& trajectory,
           TrajectoryFile& file) {
  const auto every = static_cast<std::size_t>(options.every);
  for (std::size_t k = 0; k < trajectory.samples.size(); ++k)
    if (k % every == 0 || k + 1 == trajectory.samples.size()) file.append(snapshotOf(model, trajectory.samples[k]));
  file.close();
}

std::uint64_t hashOf(const rt::Model& model, const Trajectory& trajectory) {
  rt::State last(model);
  last.values() = trajectory.samples.back().state;
  last.tick = trajectory.statistics.steps;
  return rt::hashState(last);
}

}  // namespace

MethodRunReport runMethod(const rt::Model& model, const MethodRunOptions& options, const std::atomic<bool>& interrupt) {
  MethodRunReport report;
  report.assembly = rt::initialState(model, rt::findInitialCondition(model, options.initial_condition));
  const rt::offline::Problem problem{model,
                                     report.assembly.state,
                                     signalOf(model, options),
                                     1e-9 * static_cast<double>(options.step_ns),
                                     1e-9 * static_cast<double>(options.until_ns),
                                     {},
                                     &interrupt,
                                     {}};
  // A file that cannot be written must be known before the work is done.
  const rt::SignalDirectory directory(model);
  std::optional<TrajectoryFile> file;
  if (!options.out.empty())
    file.emplace(options.out, directory,
                 directory.resolve(options.signals.empty() ? std::vector<std::string>{"*"} : options.signals));

  const auto start = std::chrono::steady_clock::now();
  report.trajectory = rt::offline::integrate(problem, options.method, options.settings);
  report.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (file) write(model, options, report.trajectory, *file);
  report.state_hash = hashOf(model, report.trajectory);
  return report;
}

}  // namespace tactus::server
