// [DCA3] with six increments a body: the algorithm, its equations and its departures from print are in rt/doc/ali3p.md.
#include "rt/ali3p/step.h"

#include "rt/ali3p/chain/solver.h"
#include "rt/ali3p/extrapolation.h"
#include "rt/ali3p/forest/solver.h"
#include "rt/ali3p/monitor.h"
#include "rt/ali3p/region_order.h"
#include "rt/ali3p/solver_choice.h"
#include "rt/ali3p/trapezoidal_step.h"
#include "rt/ali3p/tree/solver.h"
#include "rt/ali3p/tree/tangent.h"
#include "rt/math/flush_denormals.h"

#include <omp.h>

#include <algorithm>
#include <utility>

namespace tactus::rt {

namespace {

template <StepSolver Solver>
[[gnu::noinline]] StepReport computeStep(const Team& team, const StepTask& task, const State& state,
                                         Workspace& ws) noexcept {
  if (task.settings.order() > 2) return extrapolatedStep<Solver>(task, state, ws, team);
  Solver solver(task, ws.solver.of<Solver>(), team);
  return trapezoidalStep(task, solver, state, ws.next);
}

/// The whole step into ws.next, as each thread of a team does it; the report of the first thread is that of the step.
template <StepSolver Solver>
StepReport stepAsOneOf(const Team& team, const StepTask& task, const State& state, Workspace& ws) noexcept {
  const FlushDenormals mode;
  return computeStep<Solver>(team, task, state, ws);
}

/// One parallel region for all of the step. Where OpenMP gives fewer threads than set-up asked for, such as inside
/// another region, the first thread does the step alone, with the same bits: a barrier would wait for ever.
template <StepSolver Solver>
TACTUS_OPENS_REGION StepReport stepInTeam(const StepTask& task, const State& state, Workspace& ws) noexcept {
  StepReport report;
  RegionOrder::beforeRegion();
#pragma omp parallel num_threads(ws.threads)
  {
    RegionOrder::regionBegins();
    const bool is_whole = omp_get_num_threads() == ws.threads;
    const Team team = is_whole ? Team{omp_get_thread_num(), ws.threads, ws.barrier.get()} : Team{};
    if (is_whole || omp_get_thread_num() == 0) {
      const StepReport mine = stepAsOneOf<Solver>(team, task, state, ws);
      if (team.thread == 0) report = mine;
    }
    RegionOrder::regionEnds();
  }
  RegionOrder::afterRegion();
  return report;
}

/// The whole step into ws.next, with a report whose status is final.
template <StepSolver Solver>
StepReport stepWith(const StepTask& task, const State& state, Workspace& ws) noexcept {
  const bool is_shared = std::min(ws.threads, maxThreads(task.plan, task.settings)) > 1;
  StepReport report = is_shared ? stepInTeam<Solver>(task, state, ws) : stepAsOneOf<Solver>(Team{}, task, state, ws);
  classify(task.model, report);
  if (report.status == TickStatus::kOk && !Solver::isFinite(report, ws.next)) report.status = TickStatus::kNonFinite;
  return report;
}

StepReport stepWith(SolverKind kind, const StepTask& task, const State& state, Workspace& ws) noexcept {
  if (kind == SolverKind::kChain) return stepWith<ChainSolver>(task, state, ws);
  if (kind == SolverKind::kForest) {
    TreeConditions& conditions = ws.solver.tree.conditions;
    findFastSpins(task.model, task.interval.length, task.settings, state, conditions);
    if (!conditions.any_spins_fast) return stepWith<ForestSolver>(task, state, ws);
  }
  return stepWith<TreeSolver>(task, state, ws);
}

}  // namespace

StepReport step(const Model& model, const Plan& plan, const Settings& settings, std::span<const double> input,
                State& state, Workspace& ws) noexcept {
  const StepTask task{model, plan, settings, {settings.dt(), settings.timeAt(state.tick + 1)}, input};
  const StepReport report = stepWith(solverFor(plan, settings), task, state, ws);
  // Keep the new state only if all of it is finite.
  if (report.status != TickStatus::kOk) return report;
  ws.next.tick = state.tick + 1;
  std::swap(state, ws.next);
  return report;
}

}  // namespace tactus::rt
