// Steps of higher order: local extrapolation of trapezoidal steps that divide the same interval into 1, 2 and 3 parts.
#pragma once

#include "rt/ali3p/team.h"
#include "rt/ali3p/trapezoidal_step.h"
#include "rt/ali3p/workspace.h"

namespace tactus::rt {

/// Adds the report of one trapezoidal step to that of all: counts are added, measures are the worst of all.
/// @rt no allocation, no throw, fixed work
void addReport(const StepReport& part, StepReport& all) noexcept;

/// Combines the results of the divisions of a step into that of the finest one, quaternions normalized. Each thread of
/// the team does its share.
/// @param coarser  of the whole step and, at order 4, of two half steps
/// @rt no allocation, no throw, fixed work
void extrapolate(int order, const State* coarser, State& finest, const Team& team) noexcept;

/// A step of order 3 from one whole and two half steps, or of order 4 from one whole, two half and three third steps,
/// combined in ws.next. Velocity and acceleration projections with the factor of the last part follow, so that the
/// constraints hold at all levels. The inputs inside the step lie on the line from the last input to this one, as the
/// trapezoidal rule takes the input to be linear over a step.
///
/// @param task  of the whole step; its settings say the order
/// @param team  its threads share each of the parts; or, with ws.beside, its second thread does all divisions but the
///              finest one
/// @returns     in the first thread: the sum of the reports of all parts, with the violations of the combined state
/// @rt     no allocation, no throw, bounded work: three or six trapezoidal steps, one solve for the velocities and
///         Solver::accelerationPasses() solves for the accelerations
/// @source derived; rt/doc/ali3p.md section 8
template <StepSolver Solver>
StepReport extrapolatedStep(const StepTask& task, const State& state, Workspace& ws, const Team& team) noexcept {
  const double dt = task.interval.length, end = task.interval.end;
  const int order = task.settings.order(), divisions = order - 1;
  Extrapolation& x = ws.extrapolation;
  const bool apart = team.threads > 1 && ws.beside != nullptr;
  // The first half step needs one input inside the step, the third steps two more.
  const auto inputAt = [&x, count = task.input.size()](int parts, int part) noexcept {
    return std::span<double>(x.inputs.data() + static_cast<std::size_t>(parts - 2 + part - 1) * count, count);
  };
  if (team.thread == 0)
    for (int parts = 2; parts <= divisions; ++parts)
      for (int part = 1; part < parts; ++part)
        for (std::size_t k = 0; k < task.input.size(); ++k) {
          const double share = static_cast<double>(part) / parts;
          inputAt(parts, part)[k] = (1 - share) * state.view().input()[k] + share * task.input[k];  // ali3p (26)
        }
  if (divisions > 2) team.wait();  // a second thread reads these inputs, too

  const auto divide = [&](int parts, SolverWorkspace& scratch, const Team& sharing, State* between, State& to,
                          StepReport& report) noexcept {
    const State* from = &state;
    const double h = dt / parts;
    for (int part = 1; part <= parts; ++part) {
      const bool last = part == parts;
      const StepTask of_part{task.model,
                             task.plan,
                             task.settings,
                             {h, end - (parts - part) * h},
                             last ? task.input : inputAt(parts, part)};
      State& result = last ? to : between[part - 1];
      Solver solver(of_part, scratch.of<Solver>(), sharing);
      addReport(trapezoidalStep(of_part, solver, *from, result), report);
      sharing.wait();
      from = &result;
    }
  };

  // The team shares each of the parts, or the second thread does the coarser divisions while the first does the finest.
  const Team alone;
  const Team& sharing = apart ? alone : team;
  StepReport report;
  const auto divideCoarsely = [&](SolverWorkspace& scratch, State* between, StepReport& of_all) noexcept {
    for (int parts = 1; parts < divisions; ++parts)
      divide(parts, scratch, sharing, between, x.coarser[parts - 1], of_all);
  };
  if (apart && team.thread == 1) {
    x.beside = StepReport{};
    divideCoarsely(*ws.beside, &x.between[2], x.beside);
    team.wait();
    return x.beside;
  }
  if (!apart) divideCoarsely(ws.solver, x.between, report);
  divide(divisions, ws.solver, sharing, x.between, ws.next, report);
  if (apart) {
    team.wait();
    addReport(x.beside, report);
  }

  // Combine, and clean up.
  extrapolate(order, x.coarser, ws.next, sharing);
  const StepTask last{task.model, task.plan, task.settings, {dt / divisions, end}, task.input};
  Solver solver(last, ws.solver.of<Solver>(), sharing);
  cleanUp(solver, state, ws.next, report);
  return report;
}

}  // namespace tactus::rt
