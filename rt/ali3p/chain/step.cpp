#include "rt/ali3p/chain/step.h"

#include "rt/ali3p/tree/commit.h"
#include "rt/ali3p/monitor.h"
#include "rt/ali3p/tree/residual.h"

namespace tactus::rt {

StepReport chainStep(const ChainContext& context, const Team& team, const State& from, State& to) noexcept {
  const Settings& settings = context.settings;
  const int passes = settings.velocity_passes;
  const Level projection = passes > 0 ? Level::kVelocity : Level::kAcceleration;
  StepReport report;
  Forecast position, velocity;
  bool is_projected = false;  // velocities have been, once
  ChainSolver solver(context, team);
  // What the last solve has done.
  const auto take = [&]() noexcept {
    if (solver.moved() == Level::kPosition) recordIncrement(context.model, solver.increment(), report);
    if (solver.moved() != Level::kVelocity || is_projected) return;
    report.velocity_projection = solver.increment();
    is_projected = true;
  };

  solver.predict(from);
  for (int iteration = 0; iteration < settings.iterations; ++iteration) {
    const bool first = iteration == 0, last = iteration + 1 == settings.iterations;
    solver.sweepUp(Level::kPosition, first || settings.full_newton, first ? kMultiplierLeak : 0.0, [&]() noexcept {
      take();
      report.residual = solver.violation(Level::kPosition);
      position.record(report.residual);
      return wantsFactor(context.model, settings, report, position);
    });
    solver.sweepDown(last ? projection : Level::kPosition);
  }
  report.iterations = settings.iterations;

  bool fresh = false;  // the positions stay from here on: one factorisation is enough
  for (int pass = 0; pass < passes; ++pass) {
    solver.sweepUp(Level::kVelocity, false, 0, [&]() noexcept {
      take();
      velocity.record(solver.violation(Level::kVelocity));
      const bool factor = !fresh && wantsFactor(context.model, settings, report, velocity);
      fresh = fresh || factor;
      return factor;
    });
    solver.sweepDown(pass + 1 == passes ? Level::kAcceleration : Level::kVelocity);
  }
  solver.sweepUp(Level::kAcceleration, false, 0, [&]() noexcept {
    take();
    return false;
  });
  solver.finish(to);

  report.constraint_position = solver.violation(Level::kPosition);
  report.constraint_velocity = solver.violation(Level::kVelocity);
  report.constraint_acceleration = solver.violation(Level::kAcceleration);
  report.factorizations = solver.factorizations();
  report.limited = solver.limited();
  if (team.thread == 0) {
    solver.storePowers(to);
    integrateWork(context.model, context.dt, from, to);
  }
  if (!solver.positive()) report.status = TickStatus::kNotPositive;
  return report;
}

void chainClean(const ChainContext& context, const Team& team, State& state, StepReport& report) noexcept {
  ChainSolver solver(context, team);
  const auto no = []() noexcept { return false; };
  solver.load(state);
  solver.sweepUp(Level::kVelocity, false, 0, no);
  report.constraint_position = solver.violation(Level::kPosition);
  solver.sweepDown(Level::kAcceleration);
  solver.sweepUp(Level::kAcceleration, false, 0, no);
  solver.finish(state);
  report.constraint_velocity = solver.violation(Level::kVelocity);
  report.constraint_acceleration = solver.violation(Level::kAcceleration);
  if (team.thread == 0) solver.storePowers(state);
}

}  // namespace tactus::rt
