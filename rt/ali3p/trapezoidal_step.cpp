#include "rt/ali3p/trapezoidal_step.h"

#include "rt/ali3p/tree/factor.h"
#include "rt/ali3p/tree/commit.h"
#include "rt/ali3p/tree/solve.h"
#include "rt/ali3p/monitor.h"
#include "rt/ali3p/tree/project.h"
#include "rt/ali3p/tree/residual.h"
#include "rt/ali3p/tree/tangent.h"
#include "rt/ali3p/tree/trapezoid.h"

namespace tactus::rt {

StepReport trapezoidalStep(const Model& model, const Plan& plan, const Settings& settings, Interval interval,
                           std::span<const double> input, const State& from, Workspace& ws, State& to) noexcept {
  const double dt = interval.length;
  const double scale = 0.25 * dt * dt;
  StepReport report;
  Forecast position, velocity;
  bool positive = true;
  const auto factor = [&]() noexcept {
    report.limited += formTangent(model, dt, settings, ws);
    positive = assemble(plan, scale, model, ws) && positive;
    ++report.factorizations;
  };

  // Predict positions, rates and multipliers at the end of the step.
  predict(model, dt, from, ws);
  evaluateDrives(model, interval.end, input, ws);

  // Newton iterations on the index-3 equations; the tangent stays that of the predictor while it contracts well.
  for (int iteration = 0; iteration < settings.iterations; ++iteration) {
    evaluateIterate(model, input, ws);
    report.residual = positionViolation(model, ws);
    position.record(report.residual);
    if (iteration == 0 || settings.full_newton || wantsFactor(model, settings, report, position)) factor();
    positionRightSide(model, iteration == 0 ? kMultiplierLeak : 0.0, ws);
    solve(plan, RightSide::kBodiesAndRows, ws);
    recordIncrement(model, applyIncrement(model, dt, ws), report);
  }
  report.iterations = settings.iterations;

  // Clean velocities, then accelerations and reactions, with the Jacobian of the new positions.
  evaluateConstraints(model, ws);
  report.constraint_position = positionViolation(model, ws);
  bool fresh = false;  // the positions stay from here on: one factorisation is enough
  for (int pass = 0; pass < settings.velocity_passes; ++pass) {
    velocity.record(velocityViolation(model, ws));
    if (!fresh && wantsFactor(model, settings, report, velocity)) {
      factor();
      fresh = true;
    }
    const double change = projectVelocity(model, plan, pass, ws);
    if (pass == 0) report.velocity_projection = change;
  }
  report.constraint_velocity = velocityViolation(model, ws);
  projectAcceleration(model, plan, scale, input, ws);
  report.constraint_acceleration = accelerationViolation(model, ws);

  commit(model, dt, input, from, ws, to);
  if (!positive) report.status = TickStatus::kNotPositive;
  return report;
}

}  // namespace tactus::rt
