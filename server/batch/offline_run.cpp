#include "server/batch/offline_run.h"

#include "rt/ali3p/compile_plan.h"
#include "rt/ali3p/monitor.h"
#include "rt/ali3p/solver_choice.h"
#include "rt/ali3p/team.h"
#include "rt/loop/tick_loop.h"
#include "rt/mechanics/energy.h"
#include "rt/model/model.h"
#include "server/batch/trajectory_file.h"

#include <algorithm>
#include <chrono>
#include <optional>

namespace tactus::server {
namespace {

using Clock = std::chrono::steady_clock;

/// Ticks between two checks of the interrupt and the clock.
constexpr std::int64_t kBatch = 64;

void account(const rt::Model& model, int iterations, const rt::Snapshot& snapshot, OfflineRunReport& report) {
  const rt::StepReport& step = snapshot.header.report;
  const rt::StateView state(rt::StateLayout(model), snapshot.state.data());
  const rt::Energy energy = rt::energyOf(model, state);
  report.energy_end = energy.total;
  report.energy.record(snapshot.header.tick, energy);
  report.position_violation = std::max(report.position_violation, step.constraint_position);
  report.velocity_violation = std::max(report.velocity_violation, step.constraint_velocity);
  report.acceleration_violation = std::max(report.acceleration_violation, step.constraint_acceleration);
  report.increment = std::max(report.increment, step.increment);
  report.not_converged += step.converged ? 0 : 1;
  report.iterations_needed = std::max(report.iterations_needed, rt::iterationsNeeded(model, step, iterations));
  report.limited += step.limited;
}

}  // namespace

OfflineRunReport runOffline(const rt::Model& model, const OfflineRunOptions& options,
                            const std::atomic<bool>& interrupt) {
  OfflineRunReport report;
  report.assembly = rt::initialState(model, rt::findInitialCondition(model, options.initial_condition));
  const rt::Plan plan = rt::compilePlan(model);
  const int threads = rt::chooseThreads(rt::maxThreads(plan, options.settings), options.threads, options.oversubscribe);
  report.threads = threads;
  // A batch of ticks must fit into the ring, so that the report covers each tick.
  rt::TickLoop loop(model, plan, options.settings, report.assembly.state,
                    {.ring_capacity = 2 * kBatch, .script = options.script, .threads = threads});
  const rt::SignalDirectory directory(model);
  std::optional<TrajectoryFile> file;
  if (!options.out.empty())
    file.emplace(options.out, directory,
                 directory.resolve(options.signals.empty() ? std::vector<std::string>{"*"} : options.signals));

  rt::Snapshot snapshot(model);
  std::uint64_t index = loop.ring().newest(snapshot);
  const rt::Energy energy = rt::energyOf(model, report.assembly.state.view());
  report.energy_start = energy.total;
  report.energy = rt::EnergyBalance(model, options.settings.dt());
  report.energy.begin(energy);
  auto append = [&, last = std::int64_t{-1}](bool wanted) mutable {
    if (!file || !wanted || snapshot.header.tick == last) return;
    file->append(snapshot);
    last = snapshot.header.tick;
  };
  append(true);
  if (options.observe) options.observe(snapshot);

  while (report.ticks < options.ticks && report.status == rt::TickStatus::kOk && !report.interrupted) {
    const std::int64_t batch = std::min(kBatch, options.ticks - report.ticks);
    std::int64_t done = 0;
    const auto start = Clock::now();
    while (done < batch && (report.status = loop.tick()) == rt::TickStatus::kOk) ++done;
    report.wall_seconds += std::chrono::duration<double>(Clock::now() - start).count();
    for (std::int64_t k = 0; k < done; ++k) {
      loop.ring().read(++index, snapshot);
      account(model, options.settings.iterations, snapshot, report);
      ++report.ticks;
      if (options.observe) options.observe(snapshot);
      append(report.ticks % options.every == 0);
    }
    if (report.status != rt::TickStatus::kOk && options.observe_failure) {
      rt::Snapshot failed(model);
      loop.ring().read(index + 1, failed);
      options.observe_failure(failed);
    }
    report.interrupted = interrupt.load(std::memory_order_relaxed);
  }
  append(true);  // the last good one
  if (file) file->close();
  report.state_hash = rt::hashState(loop.state());
  return report;
}

}  // namespace tactus::server
