#include "rt/offline/tangent_newmark.h"

#include "rt/offline/internal_state_rule.h"
#include "rt/offline/minimal_coordinates.h"
#include "rt/offline/newton_monitor.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tactus::rt::offline {

namespace {

/// Highest natural frequency of M sdd + K s = 0, rad/s. K need not be symmetric.
double highestFrequency(const ReducedEquations& reduced) {
  if (reduced.M.rows() == 0) return 0;
  const Eigen::EigenSolver<MatrixXd> eigen(reduced.M.partialPivLu().solve(reduced.K), false);
  return std::sqrt(eigen.eigenvalues().cwiseAbs().maxCoeff());
}

/// Takes what magnified round-off has left of violations, level by level.
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

TangentPoint linearise(const DynamicSystem& system, const MotionPoint& at, const MatrixXd& T,
                       const std::function<MatrixXd(const MatrixXd&)>& answer, double b) {
  const Sparse H = system.jacobian(at);
  const Chart chart(system, at);
  const Sparse L1 = chart.velocityByPosition(at), L2 = chart.accelerationByPosition(at);

  // Rows in the chart: H y = -phi,  H yd = nu - A y,  H ydd = gamma - B y - D (yd - u).
  const RowRateDerivatives rates = system.rowRateDerivatives(at);
  const Sparse A = rates.rate_by_position + H * L1;
  const Sparse& D = rates.second_rate_by_velocity;
  const Sparse B = rates.second_rate_by_position + D * L1 + H * L2;
  TangentPoint p;
  p.T = T;
  p.y_p = answer(-system.constraints(at));
  p.yd_p = answer(system.rowRates(at.t) - A * p.y_p);
  p.ydd_p = answer(system.gamma(at) - B * p.y_p - D * (p.yd_p - at.velocity));
  p.U = answer(-(A * T));
  p.W = answer(-(D * T));
  p.V = answer(-(D * p.U) - B * T);

  // The residual in the chart, restricted to the free motions.
  const ResidualDerivatives d = followingDerivatives(system, at, b);
  const Sparse K = d.K + d.C * L1 + d.M * L2;
  const VectorXd moved =
      system.residual(at) + K * p.y_p + d.C * (p.yd_p - at.velocity) + d.M * (p.ydd_p - at.acceleration);
  p.reduced_residual = T.transpose() * moved;
  p.reduced.M = T.transpose() * (d.M * T);
  p.reduced.C = T.transpose() * (d.C * T + d.M * p.W);
  p.reduced.K = T.transpose() * (K * T + d.C * p.U + d.M * p.V);
  if (system.internalStateCount() == 0) return p;
  const InternalStateDerivatives& m = d.internal_states;
  p.residual_by_internal = T.transpose() * MatrixXd(m.residual_by_internal);
  p.rate_by_position = (m.rate_by_position + Sparse(m.rate_by_velocity * L1)) * T + m.rate_by_velocity * p.U;
  p.rate_by_velocity = m.rate_by_velocity * T;
  p.rate_by_internal = MatrixXd(m.rate_by_internal);
  return p;
}

TangentPoint linearise(const DynamicSystem& system, MotionPoint& at, const RankRule& rule, double b) {
  const TangentSpace space(MatrixXd(system.jacobian(at)), rule);
  at.lambda = space.smallestMultipliers(-system.residual(at));
  return linearise(
      system, at, space.freeMotions(), [&](const MatrixXd& x) { return space.smallestSolution(x); }, b);
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

  NewtonMonitor monitor(settings_.tolerance * std::max(1.0, system_.length()), settings_.iterations);
  while (!monitor.converged()) {
    const TangentPoint tangent = linearise(system_, estimate, rule_, internal_states.b);
    const Chart chart(system_, estimate);
    const MatrixXd& N = tangent.T;
    ++statistics_.factorisations;
    ++statistics_.force_evaluations;
    ++statistics_.newton_iterations;

    // The old point in the same coordinates, and what Newmark's rule makes of it without the new acceleration.
    const ChartPoint old = chart.coordinatesOf(point_);
    const VectorXd sd_0 = N.transpose() * old.yd, sdd_0 = N.transpose() * old.ydd;
    const VectorXd s_c = N.transpose() * old.y + h * sd_0 + h * h * (0.5 - beta) * sdd_0;
    const VectorXd sd_c = sd_0 + h * (1 - alpha) * sdd_0;

    const auto& [M, C, K] = tangent.reduced;
    // The residual was taken at (0, u, ud), of which N^T u and N^T ud are part of sd and sdd.
    const VectorXd right = tangent.reduced_residual + C * sd_c + K * s_c;
    const VectorXd sdd = -(M + alpha * h * C + beta * h * h * K).partialPivLu().solve(right);
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
  ++statistics_.factorisations;
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
          number("alpha", "0.5", 0, 1, "weight of the new acceleration in the velocity, in place of the scheme's"),
          number("beta", "0.25", 0, 1, "weight of the new acceleration in the position, in place of the scheme's"),
          number("tolerance", "1e-10", 1e-14, 1e-4, "largest last increment, relative to the size of the mechanism"),
          integer("iterations", 30, 1, 100, "most Newton iterations of a step")};
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
