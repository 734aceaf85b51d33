#include "server/batch/method_run.h"

#include "rt/model/model.h"
#include "server/batch/method_start.h"
#include "server/batch/trajectory_file.h"

#include <fnmatch.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

namespace tactus::server {
namespace {

using rt::offline::Sample;
using rt::offline::Trajectory;

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

constexpr const char* kOwn = "integrator.";

bool isOwn(const std::string& pattern) {
  return pattern.rfind(kOwn, 0) == 0;
}

/// Figures of the method to write: all, unless signals are named.
std::vector<std::size_t> ownColumns(const MethodRunOptions& options, const Trajectory& trajectory) {
  std::vector<std::size_t> columns;
  for (std::size_t i = 0; i < trajectory.own_names.size(); ++i) {
    const std::string name = kOwn + trajectory.own_names[i];
    const bool wanted = options.signals.empty() ||
                        std::any_of(options.signals.begin(), options.signals.end(), [&](const std::string& pattern) {
                          return isOwn(pattern) && ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
                        });
    if (wanted) columns.push_back(i);
  }
  return columns;
}

void write(const rt::Model& model, const MethodRunOptions& options, const Trajectory& trajectory,
           TrajectoryFile& file) {
  const std::vector<std::size_t> columns = ownColumns(options, trajectory);
  std::vector<std::string> names;
  for (const std::size_t i : columns) names.push_back(kOwn + trajectory.own_names[i]);
  file.addColumns(names);
  const auto every = static_cast<std::size_t>(options.every);
  for (std::size_t k = 0; k < trajectory.samples.size(); ++k) {
    if (k % every != 0 && k + 1 != trajectory.samples.size()) continue;
    std::vector<double> own;
    for (const std::size_t i : columns) own.push_back(trajectory.samples[k].own[i]);
    file.append(snapshotOf(model, trajectory.samples[k]), own);
  }
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
  MethodStart start = startOf(model, options.method, options.initial_condition, options.script, options.step_ns);
  report.assembly = std::move(start.assembly);
  const rt::offline::Problem problem{model,
                                     report.assembly.state,
                                     start.input,
                                     1e-9 * static_cast<double>(options.step_ns),
                                     1e-9 * static_cast<double>(options.until_ns),
                                     {},
                                     &interrupt,
                                     options.progress};
  // An error of the file comes before the work; an older file stays until there is a trajectory.
  const rt::SignalDirectory directory(model);
  std::vector<std::string> patterns = options.signals.empty() ? std::vector<std::string>{"*"} : options.signals;
  std::erase_if(patterns, isOwn);
  const std::vector<int> signals = directory.resolve(patterns);
  if (!options.out.empty()) TrajectoryFile::requireWritable(options.out);

  const auto begin = std::chrono::steady_clock::now();
  report.trajectory = rt::offline::integrate(problem, options.method, options.settings);
  report.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (!options.out.empty()) {
    TrajectoryFile file(options.out, directory, signals);
    write(model, options, report.trajectory, file);
  }
  report.state_hash = hashOf(model, report.trajectory);
  return report;
}

}  // namespace tactus::server
