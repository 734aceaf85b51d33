// One trapezoidal step of ALi3p between two States: the algorithm on one screen, for any solver.
#pragma once

#include "rt/ali3p/monitor.h"
#include "rt/ali3p/solver.h"
#include "rt/ali3p/step_end.h"

namespace tactus::rt {

/// Leak of the multipliers: the factor of eps lambda in ali3p (15).
inline constexpr double kMultiplierLeak = 0.1;

/// Copies the last violations of a solver into the report.
template <StepSolver Solver>
void recordViolations(const Solver& solver, StepReport& report) noexcept {
  report.constraint_position = solver.violation(Level::kPosition);
  report.constraint_velocity = solver.violation(Level::kVelocity);
  report.constraint_acceleration = solver.violation(Level::kAcceleration);
}

/// Index-3 augmented Lagrangian with the trapezoidal rule, velocity and acceleration projections.
///
/// @param[out] to  everything but its tick is written; must not be `from`
/// @returns a report. Its status covers pivots that are not positive; step() checks for values that are not finite
/// @rt     no allocation, no throw, bounded work: fixed but for the factorizations that the monitor asks for
/// @source [DCA3] sections 3.1-3.4 with six increments a body, see rt/doc/ali3p.md
template <StepSolver Solver>
StepReport trapezoidalStep(const StepTask& task, Solver& solver, const State& from, State& to) noexcept {
  const Settings& settings = task.settings;
  const int passes = settings.velocity_passes;
  const Level projection = passes > 0 ? Level::kVelocity : Level::kAcceleration;  // what follows the positions
  StepReport report;
  PredictedViolation position, velocity;
  // The result of a solve is known only when the next solve begins: records it then.
  bool is_projected = false;
  const auto record = [&]() noexcept {
    if (solver.moved() == Level::kPosition) recordIncrement(task.model, solver.increment(), report);
    if (solver.moved() != Level::kVelocity || is_projected) return;
    report.velocity_projection = solver.increment();
    is_projected = true;
  };

  // Newton iterations on the index-3 equations; the tangent stays that of the predictor while it contracts well.
  solver.predict(from);  // ali3p (5), (6)
  for (int iteration = 0; iteration < settings.iterations; ++iteration) {
    const bool first = iteration == 0, last = iteration + 1 == settings.iterations;
    solver.sweepUp(Level::kPosition, first || settings.full_newton, first ? kMultiplierLeak : 0.0, [&]() noexcept {
      record();
      report.residual = solver.violation(Level::kPosition);
      position.record(report.residual);
      return wantsFactor(task.model, settings, report, position);  // ali3p (24)
    });
    solver.sweepDown(last ? projection : Level::kPosition);  // ali3p (16), then (1) to (4)
  }
  report.iterations = settings.iterations;

  // Clean velocities, then accelerations and reactions, with the Jacobian of the new positions.
  bool is_fresh = false;  // the positions stay from here on: one factorization is enough
  for (int pass = 0; pass < passes; ++pass) {
    solver.sweepUp(Level::kVelocity, false, 0, [&]() noexcept {
      record();
      velocity.record(solver.violation(Level::kVelocity));
      const bool factors = !is_fresh && wantsFactor(task.model, settings, report, velocity);  // ali3p (24)
      is_fresh = is_fresh || factors;
      return factors;
    });
    solver.sweepDown(pass + 1 == passes ? Level::kAcceleration : Level::kVelocity);  // ali3p (21)
  }
  const auto recordOnly = [&]() noexcept {
    record();
    return false;
  };
  for (int pass = 1; pass < solver.accelerationPasses(); ++pass) {
    solver.sweepUp(Level::kAcceleration, false, 0, recordOnly);
    solver.sweepDown(Level::kAcceleration);
  }
  solver.sweepUp(Level::kAcceleration, false, 0, recordOnly);
  solver.finish(from, to);  // ali3p (22), (23)
  if (solver.leads()) integrateWork(task.model, task.interval.length, from, to);

  recordViolations(solver, report);
  report.factorizations = solver.factorizations();
  report.limited = solver.limited();
  if (!solver.positive()) report.status = TickStatus::kNotPositive;
  return report;
}

/// Projects `state`, the result of an extrapolation, onto the constraints with the tangent of the step before: first
/// the velocities, then accelerations and multipliers. Writes the violations into the report.
/// @param from  the state at the beginning of the step
/// @rt no allocation, no throw, fixed work
template <StepSolver Solver>
void cleanUp(Solver& solver, const State& from, State& state, StepReport& report) noexcept {
  const auto keepTangent = []() noexcept { return false; };
  solver.load(state);
  solver.sweepUp(Level::kVelocity, false, 0, keepTangent);
  solver.sweepDown(Level::kAcceleration);
  for (int pass = 1; pass < solver.accelerationPasses(); ++pass) {
    solver.sweepUp(Level::kAcceleration, false, 0, keepTangent);
    solver.sweepDown(Level::kAcceleration);
  }
  solver.sweepUp(Level::kAcceleration, false, 0, keepTangent);
  solver.finish(from, state);
  recordViolations(solver, report);
}

}  // namespace tactus::rt
