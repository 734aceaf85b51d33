#include "rt/ali3p/extrapolate.h"

#include "rt/ali3p/commit.h"
#include "rt/ali3p/project.h"
#include "rt/ali3p/residual.h"
#include "rt/ali3p/trapezoidal_step.h"

#include <algorithm>

namespace tactus::rt {

namespace {

/// Folds the report of one of the steps into that of all.
void addReport(const StepReport& part, StepReport& all) noexcept {
  if (all.status == TickStatus::kOk) all.status = part.status;
  all.iterations += part.iterations;
  all.factorizations += part.factorizations;
  all.limited += part.limited;
  // std::max keeps its first argument where the second is not a number; these must not lose one.
  const auto worst = [](double a, double b) noexcept { return b <= a ? a : b; };
  all.increment = worst(all.increment, part.increment);
  all.contraction = worst(all.contraction, part.contraction);
  all.residual = worst(all.residual, part.residual);
  all.velocity_projection = worst(all.velocity_projection, part.velocity_projection);
}

/// The third-order combination into `fine`.
void combine(const State& coarse, State& fine) noexcept {
  std::vector<double>& f = fine.values();
  const std::vector<double>& c = coarse.values();
  for (std::size_t k = 0; k < f.size(); ++k) f[k] += (f[k] - c[k]) / 3;
  for (int i = 0; i < fine.layout().bodies; ++i) fine.p(i) /= fine.p(i).norm();
}

/// Takes the motions and multipliers of a State as the iterate.
void loadIterate(const Model& model, const State& state, Workspace& ws) noexcept {
  const StateView s = state.view();
  for (int i = 0; i < model.bodyCount(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    ws.motions[k] = bodyMotion(s, i);
    ws.rotations[k].p = s.p(i);
    ws.rotations[k].omega = s.omega(i);
    ws.rotations[k].alpha = s.alpha(i);
  }
  std::copy_n(s.lambda(), model.rows, ws.lambda.data());
}

}  // namespace

StepReport extrapolatedStep(const Model& model, const Plan& plan, const Settings& settings,
                            std::span<const double> input, const State& state, Workspace& ws) noexcept {
  const double dt = settings.dt(), end = settings.timeAt(state.tick + 1);
  StepReport report;

  // One whole step, two half steps.
  addReport(trapezoidalStep(model, plan, settings, {dt, end}, input, state, ws, ws.coarse), report);
  for (std::size_t k = 0; k < input.size(); ++k) ws.half_input[k] = 0.5 * (state.view().input()[k] + input[k]);
  addReport(trapezoidalStep(model, plan, settings, {0.5 * dt, end - 0.5 * dt}, ws.half_input, state, ws, ws.half),
            report);
  addReport(trapezoidalStep(model, plan, settings, {0.5 * dt, end}, input, ws.half, ws, ws.next), report);

  // Combine, and clean what the combination has left in the constraints.
  combine(ws.coarse, ws.next);
  const double work = ws.next.view().workInput(), dissipated = ws.next.view().workDissipated();
  loadIterate(model, ws.next, ws);
  evaluateIterate(model, input, ws);
  report.constraint_position = positionViolation(model, ws);
  projectVelocity(model, plan, ws);
  report.constraint_velocity = velocityViolation(model, ws);
  projectAcceleration(model, plan, 0.0625 * dt * dt, input, ws);
  report.constraint_acceleration = accelerationViolation(model, ws);
  commit(model, dt, input, state, ws, ws.next);
  ws.next.workInput() = work;
  ws.next.workDissipated() = dissipated;
  return report;
}

}  // namespace tactus::rt
