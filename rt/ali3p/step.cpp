// [DCA3] in joint space: the algorithm, its equations and where it departs from print are in rt/doc/ali3p.md.
#include "rt/ali3p/step.h"

#include "rt/ali3p/solver_choice.h"
#include "rt/ali3p/tree/commit.h"
#include "rt/ali3p/third_order.h"
#include "rt/ali3p/monitor.h"
#include "rt/ali3p/region_order.h"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace tactus::rt {

namespace {

/// The whole step, as one thread of a team does it; the report of the first thread is that of the step.
StepReport shareStep(const Model& model, const Plan& plan, const Settings& settings, std::span<const double> input,
                     const State& state, Workspace& ws, const Team& team) noexcept {
  if (settings.third_order) return extrapolatedStep(model, plan, settings, input, state, ws, team);
  return advance(model, plan, settings, {settings.dt(), settings.timeAt(state.tick + 1)}, input, state, ws, team,
                 ws.next);
}

/// One parallel region for all of the step.
TACTUS_OPENS_REGION StepReport stepInTeam(const Model& model, const Plan& plan, const Settings& settings,
                                          std::span<const double> input, const State& state, Workspace& ws) noexcept {
  StepReport report;
  RegionOrder::beforeRegion();
#pragma omp parallel num_threads(ws.threads)
  {
    RegionOrder::regionBegins();
    const Team team{omp_get_thread_num(), ws.threads, ws.barrier.get()};
    const StepReport mine = shareStep(model, plan, settings, input, state, ws, team);
    if (team.thread == 0) report = mine;
    RegionOrder::regionEnds();
  }
  RegionOrder::afterRegion();
  return report;
}

/// True if every value of the new state is finite. Along lanes each number of a body, and through the accelerations
/// each multiplier, is part of a norm in the report; one of these that is too large to be squared counts as not finite.
bool isFiniteStep(const Plan& plan, const Settings& settings, const StepReport& report, const State& to) noexcept {
  if (!goesAlongLanes(plan, settings)) return isFinite(to);
  const StateView state = to.view();
  return std::isfinite(report.constraint_position + report.constraint_velocity + report.constraint_acceleration +
                       state.powerInput() + state.powerDissipated() + state.workInput() + state.workDissipated());
}

}  // namespace

StepReport step(const Model& model, const Plan& plan, const Settings& settings, std::span<const double> input,
                State& state, Workspace& ws) noexcept {
  const bool shared = std::min(ws.threads, maxThreads(plan, settings)) > 1;
  StepReport report = shared ? stepInTeam(model, plan, settings, input, state, ws)
                             : shareStep(model, plan, settings, input, state, ws, Team{});
  judge(model, report);

  // Keep the new state only if all of it is finite.
  if (report.status == TickStatus::kOk && !isFiniteStep(plan, settings, report, ws.next))
    report.status = TickStatus::kNonFinite;
  if (report.status != TickStatus::kOk) return report;
  ws.next.tick = state.tick + 1;
  std::swap(state, ws.next);
  return report;
}

}  // namespace tactus::rt
