// The third-order step: local Richardson extrapolation of one whole and two half trapezoidal steps.
#pragma once

#include "rt/ali3p/team.h"
#include "rt/ali3p/trapezoidal_step.h"
#include "rt/ali3p/workspace.h"

namespace tactus::rt {

/// Sums up the reports of the three steps: counts are added, measures are the worst of the three.
/// @rt no allocation, no throw, fixed work
StepReport combineReports(const StepReport& whole, const StepReport& first, const StepReport& second) noexcept;

/// (4 fine - coarse) / 3 into `fine`, quaternions normalized. Each thread of the team does its share.
/// @rt no allocation, no throw, fixed work
void extrapolate(const State& coarse, State& fine, const Team& team) noexcept;

/// Combines one whole and two half steps into ws.next, then does one velocity and one acceleration projection with the
/// factor of the last half step, so that the constraints hold at all levels. The input of the first half step is the
/// mean of the last input and this one, as the trapezoidal rule takes the input to be linear over a step.
///
/// @param task  of the whole step
/// @param team  its threads share each of the steps; or, with ws.beside, its second thread does the whole step
/// @returns     in the first thread: combineReports() of the three steps, with the violations of the combined state
/// @rt     no allocation, no throw, bounded work: three steps and two solves
/// @source derived; rt/doc/ali3p.md section 8
template <StepSolver Solver>
StepReport thirdOrderStep(const StepTask& task, const State& state, Workspace& ws, const Team& team) noexcept {
  const auto [dt, end] = task.interval;
  const auto step = [&task](Interval interval, std::span<const double> input, const State& from,
                            SolverWorkspace& scratch, const Team& sharing, State& to) noexcept {
    const StepTask part{task.model, task.plan, task.settings, interval, input};
    Solver solver(part, scratch.of<Solver>(), sharing);
    const StepReport report = trapezoidalStep(part, solver, from, to);
    sharing.wait();
    return report;
  };
  if (team.thread == 0)
    for (std::size_t k = 0; k < task.input.size(); ++k)
      ws.half_input[k] = 0.5 * (state.view().input()[k] + task.input[k]);  // ali3p (26)

  // One whole step, two half steps. The team shares each of them, or the second thread does the whole one while the
  // first does the halves.
  const bool apart = team.threads > 1 && ws.beside != nullptr;
  const Team alone;
  const Team& sharing = apart ? alone : team;
  if (apart && team.thread == 1) {
    ws.whole = step({dt, end}, task.input, state, *ws.beside, alone, ws.coarse);
    team.wait();
    return ws.whole;
  }
  StepReport whole;
  if (!apart) whole = step({dt, end}, task.input, state, ws.solver, team, ws.coarse);
  const Interval first_half{0.5 * dt, end - 0.5 * dt}, second_half{0.5 * dt, end};
  const StepReport first = step(first_half, ws.half_input, state, ws.solver, sharing, ws.half);
  const StepReport second = step(second_half, task.input, ws.half, ws.solver, sharing, ws.next);
  if (apart) {
    team.wait();
    whole = ws.whole;
  }

  // Combine, and clean up.
  StepReport report = combineReports(whole, first, second);
  extrapolate(ws.coarse, ws.next, sharing);
  const StepTask last{task.model, task.plan, task.settings, second_half, task.input};
  Solver solver(last, ws.solver.of<Solver>(), sharing);
  cleanUp(solver, state, ws.next, report);
  return report;
}

}  // namespace tactus::rt
