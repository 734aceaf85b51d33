#include "rt/offline/newmark/tangent_newmark.h"

#include "rt/offline/core/dense_solvers.h"
#include "rt/offline/core/internal_state_rule.h"
#include "rt/offline/core/minimal_coordinates.h"
#include "rt/offline/core/newton_monitor.h"
#include "rt/offline/core/tangent_point.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tactus::rt::offline {

namespace {

/// Highest natural frequency of M sdd + K s = 0, rad/s. K need not be symmetric.
double highestFrequency(const ReducedEquations& reduced) {
  if (reduced.M.rows() == 0) return 0;
  return std::sqrt(spectralRadius(LuFactors(reduced.M).solve(reduced.K)));
}

/// Projects a point onto its rows, level by level, where magnified round-off left violations.
void closeRows(const DynamicSystem& system, const RankRule& rule, MotionPoint& point) {
  constexpr int kPasses = 4;
  const auto answer = [&](const VectorXd& b) -> VectorXd {
    return TangentSpace(MatrixXd(system.jacobian(point)), rule).smallestSolution(b);
  };
  for (int pass = 0; pass < kPasses; ++pass) {
    const VectorXd correction = answer(-system.constraints(point));
    const MotionPoint at = point;
    point = Chart(system, at).placeAt(correction);
  }
  point.velocity += answer(system.rowRates(point.t) - system.jacobian(point) * point.velocity);
  point.acceleration += answer(system.gamma(point) - system.jacobian(point) * point.acceleration);
}

}  // namespace

double newmarkStepLimit(const NewmarkRule& rule, double omega) {
  const double excess = 0.5 * rule.alpha - rule.beta;
  if (excess <= 0 || omega <= 0) return std::numeric_limits<double>::infinity();
  return 1 / (omega * std::sqrt(excess));
}

TangentNewmark::TangentNewmark(const DynamicSystem& system, const MotionPoint& start, const Settings& settings)
    : system_(system), settings_(settings), point_(start) {
  const TangentSpace space{MatrixXd(system.jacobian(start))};
  rule_ = space.ruleAfter({});
  if (settings.begin_unaccelerated) point_.acceleration = space.smallestSolution(system.gamma(start));
}

void TangentNewmark::advance(double h) {
  const auto [alpha, beta] = settings_.rule;
  // Predict with constant acceleration, in the chart at the old point.
  const Chart old_chart(system_, point_);
  MotionPoint estimate = old_chart.motionOf({h * point_.velocity + 0.5 * h * h * point_.acceleration,
                                             point_.velocity + h * point_.acceleration, point_.acceleration});
  estimate.t = point_.t + h;
  const InternalStateRule internal_states{alpha * h, point_.internal_states + (1 - alpha) * h * point_.internal_rate};
  followInternalStates(system_, internal_states, estimate);

  NewtonMonitor monitor(settings_.tolerance, system_.length(), settings_.iterations);
  while (!monitor.converged()) {
    const TangentPoint tangent = linearize(system_, estimate, rule_, internal_states.b);
    const Chart chart(system_, estimate);
    const MatrixXd& N = tangent.T;
    ++statistics_.factorizations;
    ++statistics_.force_evaluations;
    ++statistics_.newton_iterations;

    // The old point in the same coordinates, and Newmark's rule without the new acceleration.
    const ChartPoint old = chart.coordinatesOf(point_);
    const VectorXd sd_0 = N.transpose() * old.yd, sdd_0 = N.transpose() * old.ydd;
    const VectorXd s_c = N.transpose() * old.y + h * sd_0 + h * h * (0.5 - beta) * sdd_0;
    const VectorXd sd_c = sd_0 + h * (1 - alpha) * sdd_0;

    const auto& [M, C, K] = tangent.reduced;
    // The residual was evaluated at (0, u, ud); N^T u and N^T ud are part of sd and sdd.
    const VectorXd right = tangent.reduced_residual + C * sd_c + K * s_c;
    const VectorXd sdd = -LuFactors(M + alpha * h * C + beta * h * h * K).solve(right);
    const VectorXd s = s_c + beta * h * h * sdd, sd = sd_c + alpha * h * sdd;
    const ChartPoint next{tangent.y_p + N * s, tangent.yd_p + N * sd + tangent.U * s,
                          tangent.ydd_p + N * sdd + tangent.W * sd + tangent.V * s};
    monitor.take(std::max(
        {next.y.norm(), h * (next.yd - estimate.velocity).norm(), h * h * (next.ydd - estimate.acceleration).norm()}));
    estimate = chart.motionOf(next);
    followInternalStates(system_, internal_states, estimate);
    if (!monitor.converged()) continue;

    if (settings_.frequencies) {
      const double omega = highestFrequency(tangent.reduced);
      const double stable = newmarkStepLimit(settings_.rule, omega);
      statistics_.omega = omega;
      statistics_.omega_max = std::max(statistics_.omega_max, omega);
      if (std::isfinite(stable))
        statistics_.step_limit = statistics_.step_limit > 0 ? std::min(statistics_.step_limit, stable) : stable;
    }
  }
  if (monitor.stays()) closeRows(system_, rule_, estimate);
  rule_ = setMultipliers(system_, rule_, estimate).ruleAfter(rule_);
  ++statistics_.factorizations;
  ++statistics_.force_evaluations;
  point_ = estimate;
  ++statistics_.steps;
}

std::vector<std::string> TangentNewmark::ownNames() const {
  return settings_.frequencies ? std::vector<std::string>{"omega", "stable_step"} : std::vector<std::string>{};
}

std::vector<double> TangentNewmark::ownValues() const {
  if (!settings_.frequencies) return {};
  const double stable = newmarkStepLimit(settings_.rule, statistics_.omega);
  return {statistics_.omega, std::isfinite(stable) ? stable : 0};
}

std::vector<Option> newmarkOptions() {
  return {choice("scheme", "trapezoidal", {"trapezoidal", "fox-goodwin", "linear-acceleration"},
                 "(alpha, beta) = (1/2, 1/4), (1/2, 1/12) or (1/2, 1/6)"),
          number("alpha", "0.5", 0, 1, "weight of the new acceleration in the velocity; overrides the scheme"),
          number("beta", "0.25", 0, 1, "weight of the new acceleration in the position; overrides the scheme"),
          number("tolerance", "1e-10", 1e-14, 1e-4, "maximum last increment, relative to the size of the mechanism"),
          integer("iterations", 30, 1, 100, "maximum Newton iterations of a step")};
}

NewmarkRule newmarkRule(const OptionValues& options) {
  const std::string& scheme = options.choice("scheme");
  NewmarkRule rule;
  if (scheme == "fox-goodwin") rule.beta = 1.0 / 12;
  if (scheme == "linear-acceleration") rule.beta = 1.0 / 6;
  if (options.given("alpha")) rule.alpha = options.number("alpha");
  if (options.given("beta")) rule.beta = options.number("beta");
  return rule;
}

}  // namespace tactus::rt::offline
