#include "rt/offline/rosenbrock/adams.h"

#include "rt/offline/core/dense_solvers.h"
#include "rt/offline/core/explicit_runge_kutta.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace tactus::rt::offline {

namespace {

constexpr std::size_t kPoints = 4;
/// Error of the corrector divided by the difference between predictor and corrector, for equal steps: 19 / 270.
constexpr double kMilne = 19.0 / 270;
/// With step control, the first steps are this share of the requested one: their error is not estimated.
constexpr double kFirstAdamsShare = 1e-6;

}  // namespace

VectorXd integrationWeights(const std::vector<double>& t, double h) {
  const auto n = static_cast<Eigen::Index>(t.size());
  // In units of h, so that the entries do not depend on the step.
  MatrixXd V(n, n);
  VectorXd right(n);
  for (Eigen::Index k = 0; k < n; ++k) {
    for (Eigen::Index j = 0; j < n; ++j) V(k, j) = std::pow(t[static_cast<std::size_t>(j)] / h, k);
    right[k] = 1.0 / static_cast<double>(k + 1);
  }
  return h * LuFactors(V).solve(right);
}

AdamsStepper::AdamsStepper(const DynamicSystem& system, const MotionPoint& start, const Tolerances& tolerances)
    : system_(system), tolerances_(tolerances), history_{start}, control_(tolerances, 4) {
  rule_ = TangentSpace(MatrixXd(system.jacobian(start))).ruleAfter({});
}

void AdamsStepper::begin(double h) {
  const MotionPoint& from = history_.front();
  const MatrixXd H(system_.jacobian(from));
  const RankRule rule = TangentSpace(H).ruleAfter({});
  const MinimalCoordinates coordinates(system_, from, factoredBasis(H, Factorization::kQr, rule.threshold),
                                       rule.threshold);
  const double step = tolerances_.adaptive ? kFirstAdamsShare * h : h;
  MotionPoint next = rungeKuttaStep(classicalRungeKutta(), from, coordinates, step, statistics_).end;
  setMultipliers(system_, rule, next);
  history_.push_front(std::move(next));
  ++statistics_.factorizations;
  ++statistics_.steps;
}

void AdamsStepper::advance(double limit) {
  if (history_.size() < kPoints) {
    begin(limit);
    if (history_.size() == kPoints && tolerances_.adaptive) control_.propose(kFirstAdamsShare * limit);
    return;
  }
  const MotionPoint& now = history_.front();
  const MinimalCoordinates coordinates(system_, now, continuedBasis(MatrixXd(system_.jacobian(now)), free_, rule_),
                                       rule_.threshold);
  ++statistics_.factorizations;
  const MatrixXd& N = coordinates.basis().free;
  free_ = N;
  const Chart chart(system_, now);
  // Rates of the free coordinates at the earlier points, one column each, the latest first.
  MatrixXd rates(N.cols(), kPoints), second_rates(N.cols(), kPoints),
      internal_rates(system_.internalStateCount(), kPoints);
  std::vector<double> times;
  for (std::size_t j = 0; j < kPoints; ++j) {
    const ChartPoint c = chart.coordinatesOf(history_[j]);
    rates.col(static_cast<Eigen::Index>(j)) = N.transpose() * c.yd;
    second_rates.col(static_cast<Eigen::Index>(j)) = N.transpose() * c.ydd;
    internal_rates.col(static_cast<Eigen::Index>(j)) = history_[j].internal_rate;
    times.push_back(history_[j].t - now.t);
  }

  for (;;) {
    const double h = control_.propose(limit);
    const VectorXd w = integrationWeights(times, h);
    const VectorXd s_p = rates * w, sd_p = rates.col(0) + second_rates * w,
                   m_p = now.internal_states + internal_rates * w;
    // The corrector replaces the oldest point by the new one.
    const VectorXd c = integrationWeights({h, times[0], times[1], times[2]}, h);
    VectorXd position;
    MotionPoint next;
    double error = kNoConvergence;
    try {
      const auto predicted = coordinates.evaluate(now.t + h, s_p, sd_p, m_p, statistics_);
      const VectorXd sd = rates.col(0) + c[0] * predicted.second_rate + second_rates.leftCols(3) * c.tail(3);
      const VectorXd s = c[0] * sd + rates.leftCols(3) * c.tail(3);
      const VectorXd m =
          now.internal_states + c[0] * predicted.point.internal_rate + internal_rates.leftCols(3) * c.tail(3);
      next = coordinates.evaluate(now.t + h, s, sd, m, statistics_).point;
      position = kMilne * (s - s_p);
      error = errorNorm(system_, tolerances_, N, position, kMilne * (sd - sd_p), kMilne * (m - m_p), now, next);
    } catch (const NoConvergence&) {
      if (!tolerances_.adaptive) throw;
    }
    if (control_.accept(error)) {
      statistics_.error_estimate = std::max(statistics_.error_estimate, position.norm());
      history_.push_front(next);
      rule_ = setMultipliers(system_, rule_, history_.front()).ruleAfter(rule_);
      history_.pop_back();
      break;
    }
    ++statistics_.rejected;
  }
  ++statistics_.steps;
}

}  // namespace tactus::rt::offline
