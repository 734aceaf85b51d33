// [DCA3] in joint space: the algorithm, its equations and where it departs from print are in rt/doc/ali3p.md.
#include "rt/ali3p/step.h"

#include "rt/ali3p/assemble.h"
#include "rt/ali3p/commit.h"
#include "rt/ali3p/disassemble.h"
#include "rt/ali3p/project.h"
#include "rt/ali3p/residual.h"
#include "rt/ali3p/tangent.h"
#include "rt/ali3p/trapezoid.h"

#include <utility>

namespace tactus::rt {

namespace {

/// Scaled increments below this are round-off; their ratio says nothing about convergence.
constexpr double kRoundOffIncrement = 1e-11;
/// A last increment above this, scaled, is reported as not converged.
constexpr double kConvergedIncrement = 1e-6;
/// Share of a multiplier that is forgotten in each step where only the regularisation determines it.
constexpr double kMultiplierLeak = 0.1;

}  // namespace

StepReport step(const Model& model, const Plan& plan, const Settings& settings, std::span<const double> input,
                State& state, Workspace& ws) noexcept {
  const double dt = settings.dt();
  const double scale = 0.25 * dt * dt;
  StepReport report;
  bool positive = true;

  // Predict positions, rates and multipliers at the end of the step.
  predict(model, dt, state, ws);

  // Newton iterations on the index-3 equations; the tangent is frozen at the predictor unless full Newton is chosen.
  for (int iteration = 0; iteration < settings.iterations; ++iteration) {
    evaluateIterate(model, input, ws);
    if (iteration == 0 || settings.full_newton) {
      report.limited += formTangent(model, scale, settings.relative_compliance, ws);
      positive = assemble(plan, scale, model, ws) && positive;
    }
    report.residual = positionViolation(model, ws);
    positionRightSide(model, iteration == 0 ? kMultiplierLeak : 0.0, ws);
    solve(plan, RightSide::kBodiesAndRows, ws);
    const double before = report.increment;
    report.increment = applyIncrement(model, dt, ws);
    report.contraction = before > kRoundOffIncrement * model.length ? report.increment / before : 0.0;
  }
  report.iterations = settings.iterations;

  // Clean velocities, then accelerations and reactions, with the Jacobian of the new positions and the same factor.
  evaluateIterate(model, input, ws);
  report.constraint_position = positionViolation(model, ws);
  report.velocity_projection = projectVelocity(model, plan, ws);
  for (int pass = 1; pass < settings.velocity_passes; ++pass) projectVelocity(model, plan, ws);
  report.constraint_velocity = velocityViolation(model, ws);
  projectAcceleration(model, plan, scale, ws);
  report.constraint_acceleration = accelerationViolation(model, ws);
  report.converged = report.increment <= kConvergedIncrement * model.length;

  // Keep the new state only if all of it is finite.
  const bool finite = commit(model, dt, input, state, ws);
  report.status = !positive ? TickStatus::kNotPositive : finite ? TickStatus::kOk : TickStatus::kNonFinite;
  if (report.status == TickStatus::kOk) std::swap(state, ws.next);
  return report;
}

}  // namespace tactus::rt
