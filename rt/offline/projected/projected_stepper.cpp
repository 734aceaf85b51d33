#include "rt/offline/projected/projected_stepper.h"

#include "rt/offline/core/chart.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace tactus::rt::offline {

namespace {

/// Compliance of the rows in a projection, relative to that of their bodies; keeps redundant rows solvable.
constexpr double kCompliance = 1e-9;
/// Largest violation of the rows, relative to the size of the mechanism, and passes to reach it.
constexpr double kProjectionClosed = 1e-13;
constexpr int kMaxProjectionPasses = 8;

}  // namespace

ProjectedStepper::ProjectedStepper(const DynamicSystem& system, const MotionPoint& start, const Tolerances& tolerances)
    : system_(system), tolerances_(tolerances), point_(start), control_(tolerances, dormandPrince().order - 1) {
  settleAccelerations(system_, point_, accelerations_);
}

ProjectedStepper::Trial ProjectedStepper::tryStep(double h) {
  const ExplicitRungeKutta& rule = dormandPrince();
  const Chart chart(system_, point_);
  // At the start of the chart, rates of its coordinates are velocities and accelerations.
  std::vector<VectorXd> yd = {point_.velocity}, ydd = {point_.acceleration}, md = {point_.internal_rate};
  const auto summed = [&](const std::vector<double>& weights, const std::vector<VectorXd>& k) {
    VectorXd sum = VectorXd::Zero(k.front().size());
    for (std::size_t j = 0; j < std::min(weights.size(), k.size()); ++j) sum += weights[j] * k[j];
    return VectorXd(h * sum);
  };
  const auto placed = [&](const std::vector<double>& weights, double c) {
    const VectorXd none = VectorXd::Zero(system_.size());
    MotionPoint point = chart.motionOf({summed(weights, yd), point_.velocity + summed(weights, ydd), none});
    point.t = point_.t + c * h;
    point.internal_states = point_.internal_states + summed(weights, md);
    return point;
  };
  for (std::size_t i = 1; i < rule.a.size(); ++i) {
    MotionPoint stage = placed(rule.a[i], rule.c[i]);
    settleAccelerations(system_, stage, accelerations_);
    ++statistics_.force_evaluations;
    ++statistics_.factorizations;
    const ChartPoint rates = chart.coordinatesOf(stage);
    yd.push_back(rates.yd);
    ydd.push_back(rates.ydd);
    md.push_back(stage.internal_rate);
  }
  Trial trial{placed(rule.b, 1), 0};
  const VectorXd position = summed(rule.embedded, yd) - summed(rule.b, yd),
                 rate = summed(rule.embedded, ydd) - summed(rule.b, ydd),
                 internal = summed(rule.embedded, md) - summed(rule.b, md);
  statistics_.error_estimate = std::max(statistics_.error_estimate, position.norm());
  if (!trial.point.velocity.allFinite()) return {trial.point, std::numeric_limits<double>::infinity()};
  trial.error = freeErrorNorm(system_, tolerances_, position, rate, internal, point_, trial.point);
  return trial;
}

void ProjectedStepper::project(MotionPoint& point) {
  const int n = system_.size(), m = system_.rows();
  if (m > 0) {
    const double limit = kProjectionClosed * std::max(1.0, system_.length());
    VectorXd right(n + m);
    double before = std::numeric_limits<double>::infinity();
    for (int pass = 0;; ++pass) {
      const VectorXd phi = system_.constraints(point);
      const double violation = phi.norm();
      // The rows that compliance leaves open close by the next pass; at round-off no pass gains.
      if (violation <= limit || (pass > 1 && violation >= 0.5 * before)) break;
      if (pass == kMaxProjectionPasses || !std::isfinite(violation)) {
        std::ostringstream text;
        text << "the constraints were not closed in " << pass << " passes; |Phi| is " << violation;
        throw NoConvergence(text.str());
      }
      const Sparse H = system_.jacobian(point), M = system_.mass(point);
      corrections_.factor(M, H, H, rowCompliances(H, M, kCompliance));
      ++statistics_.factorizations;
      ++statistics_.newton_iterations;
      right << VectorXd::Zero(n), -phi;
      const VectorXd dq = corrections_.solve(right).head(n);
      const VectorXd velocity = point.velocity, internal = point.internal_states;
      const double t = point.t;
      // placeAt() takes the rates of its reference.
      point = Chart(system_, point).placeAt(dq);
      point.t = t;
      point.velocity = velocity;
      point.internal_states = internal;
      before = violation;
    }
    const Sparse H = system_.jacobian(point), M = system_.mass(point);
    corrections_.factor(M, H, H, rowCompliances(H, M, kCompliance));
    for (int pass = 0; pass < 2; ++pass) {
      right << VectorXd::Zero(n), system_.rowRates(point.t) - H * point.velocity;
      point.velocity += corrections_.solve(right).head(n);
    }
  }
  settleAccelerations(system_, point, accelerations_);
}

void ProjectedStepper::advance(double limit) {
  const auto attempt = [&](double h) -> Trial {
    try {
      Trial trial = tryStep(h);
      if (!tolerances_.adaptive || trial.error <= 1) project(trial.point);
      return trial;
    } catch (const NoConvergence&) {
      if (!tolerances_.adaptive) throw;
      return {point_, kNoConvergence};
    }
  };
  Trial trial = attempt(control_.propose(limit));
  while (!control_.accept(trial.error)) {
    ++statistics_.rejected;
    trial = attempt(control_.propose(limit));
  }
  point_ = std::move(trial.point);
  ++statistics_.steps;
}

}  // namespace tactus::rt::offline
