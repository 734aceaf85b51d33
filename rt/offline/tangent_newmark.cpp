#include "rt/offline/tangent_newmark.h"

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

}  // namespace

double newmarkStepLimit(const NewmarkRule& rule, double omega) {
  const double excess = 0.5 * rule.alpha - rule.beta;
  if (excess <= 0 || omega <= 0) return std::numeric_limits<double>::infinity();
  return 1 / (omega * std::sqrt(excess));
}

TangentPoint linearise(const DynamicSystem& system, MotionPoint& at, int most_rank) {
  const Sparse H = system.jacobian(at);
  const Chart chart(system, at);
  const Sparse L1 = chart.velocityByPosition(at), L2 = chart.accelerationByPosition(at);

  // Rows in the chart: H y = -phi,  H yd = nu - A y,  H ydd = gamma - B y - D (yd - u).
  const RowRateDerivatives rates = system.rowRateDerivatives(at);
  const Sparse A = rates.rate_by_position + H * L1;
  const Sparse& D = rates.second_rate_by_velocity;
  const Sparse B = rates.second_rate_by_position + D * L1 + H * L2;
  TangentPoint p{TangentSpace(MatrixXd(H), most_rank), {}, {}, {}, {}, {}, {}, {}, {}};
  const MatrixXd& N = p.space.freeMotions();
  const VectorXd residual = system.residual(at);
  at.lambda = p.space.smallestMultipliers(-residual);
  p.y_p = p.space.smallestSolution(-system.constraints(at));
  p.yd_p = p.space.smallestSolution(system.rowRates(at.t) - A * p.y_p);
  p.ydd_p = p.space.smallestSolution(system.gamma(at) - B * p.y_p - D * (p.yd_p - at.velocity));
  p.U = p.space.smallestSolution(-(A * N));
  p.W = p.space.smallestSolution(-(D * N));
  p.V = p.space.smallestSolution(-(D * p.U) - B * N);

  // The residual in the chart, restricted to the free motions.
  const ResidualDerivatives d = system.residualDerivatives(at);
  const Sparse K = d.K + d.C * L1 + d.M * L2;
  const VectorXd moved = residual + K * p.y_p + d.C * (p.yd_p - at.velocity) + d.M * (p.ydd_p - at.acceleration);
  p.reduced_residual = N.transpose() * moved;
  p.reduced.M = N.transpose() * (d.M * N);
  p.reduced.C = N.transpose() * (d.C * N + d.M * p.W);
  p.reduced.K = N.transpose() * (K * N + d.C * p.U + d.M * p.V);
  return p;
}

TangentNewmark::TangentNewmark(const DynamicSystem& system, const MotionPoint& start, const Settings& settings)
    : system_(system), settings_(settings), point_(start), rank_(0) {
  const TangentSpace space{MatrixXd(system.jacobian(start))};
  rank_ = space.rank();
  if (settings.begin_unaccelerated) point_.acceleration = space.smallestSolution(system.gamma(start));
}

void TangentNewmark::advance(double h) {
  const auto [alpha, beta] = settings_.rule;
  // Predict with constant acceleration, in the chart at the old point.
  const Chart old_chart(system_, point_);
  MotionPoint estimate = old_chart.motionOf({h * point_.velocity + 0.5 * h * h * point_.acceleration,
                                             point_.velocity + h * point_.acceleration, point_.acceleration});
  estimate.t = point_.t + h;

  NewtonMonitor monitor(settings_.tolerance * std::max(1.0, system_.length()), settings_.iterations);
  while (!monitor.converged()) {
    const TangentPoint tangent = linearise(system_, estimate, rank_);
    const Chart chart(system_, estimate);
    const MatrixXd& N = tangent.space.freeMotions();
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
  const TangentSpace space{MatrixXd(system_.jacobian(estimate))};
  estimate.lambda = space.smallestMultipliers(-system_.residual(estimate));
  rank_ = std::max(rank_, space.rank());
  ++statistics_.factorisations;
  ++statistics_.force_evaluations;
  point_ = estimate;
  ++statistics_.steps;
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
