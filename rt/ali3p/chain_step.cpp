#include "rt/ali3p/chain_step.h"

#include "rt/ali3p/commit.h"
#include "rt/ali3p/monitor.h"
#include "rt/ali3p/residual.h"

namespace tactus::rt {

StepReport chainStep(const ChainContext& context, const Team& team, const State& from, State& to) noexcept {
  const Settings& settings = context.settings;
  StepReport report;
  Forecast position, velocity;
  ChainSolver solver(context, team);
  const auto solve = [&](Level level, Level next, bool factor, double leak) noexcept {
    const double increment = solver.solve(level, next, factor, leak);
    if (factor) {
      report.limited += solver.limited();
      ++report.factorizations;
    }
    return increment;
  };
  const Level projection = settings.velocity_passes > 0 ? Level::kVelocity : Level::kAcceleration;

  solver.predict(from);
  for (int iteration = 0; iteration < settings.iterations; ++iteration) {
    report.residual = solver.violation(Level::kPosition);
    position.record(report.residual);
    const bool first = iteration == 0, last = iteration + 1 == settings.iterations;
    const bool factor = first || settings.full_newton || wantsFactor(context.model, settings, report, position);
    const double increment =
        solve(Level::kPosition, last ? projection : Level::kPosition, factor, first ? kMultiplierLeak : 0.0);
    recordIncrement(context.model, increment, report);
  }
  report.iterations = settings.iterations;

  report.constraint_position = solver.violation(Level::kPosition);
  bool fresh = false;  // the positions stay from here on: one factorisation is enough
  for (int pass = 0; pass < settings.velocity_passes; ++pass) {
    velocity.record(solver.violation(Level::kVelocity));
    const bool factor = !fresh && wantsFactor(context.model, settings, report, velocity);
    const bool last = pass + 1 == settings.velocity_passes;
    fresh = fresh || factor;
    const double change = solve(Level::kVelocity, last ? Level::kAcceleration : Level::kVelocity, factor, 0);
    if (pass == 0) report.velocity_projection = change;
  }
  report.constraint_velocity = solver.violation(Level::kVelocity);
  solver.finish(to);
  report.constraint_acceleration = solver.violation(Level::kAcceleration);
  if (team.thread == 0) {
    solver.storePowers(to);
    integrateWork(context.model, context.dt, from, to);
  }
  if (!solver.positive()) report.status = TickStatus::kNotPositive;
  return report;
}

void chainClean(const ChainContext& context, const Team& team, State& state, StepReport& report) noexcept {
  ChainSolver solver(context, team);
  solver.load(state);
  report.constraint_position = solver.violation(Level::kPosition);
  solver.solve(Level::kVelocity, Level::kAcceleration, false, 0);
  report.constraint_velocity = solver.violation(Level::kVelocity);
  solver.finish(state);
  report.constraint_acceleration = solver.violation(Level::kAcceleration);
  if (team.thread == 0) solver.storePowers(state);
}

}  // namespace tactus::rt
