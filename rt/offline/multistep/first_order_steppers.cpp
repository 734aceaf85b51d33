#include "rt/offline/multistep/first_order_steppers.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tactus::rt::offline {

namespace {

/// Steps that differ by less than this share count as equal.
constexpr double kSameStep = 1e-9;

/// With step control, the first step is this share of the requested one: its error cannot be estimated.
constexpr double kFirstShare = 1e-3;
/// Maximum ratio of a step to the one before.
constexpr double kMaxGrowth = 2;

RatePoint velocityPoint(const MotionPoint& p) {
  return {p.t, p.velocity, p.acceleration};
}

/// Tries steps until the control accepts one.
template <class Try>
MotionPoint chooseStep(const DynamicSystem& system, const Tolerances& tolerances, StepControl& control,
                       const MotionPoint& before, Statistics& statistics, const Try& tryStep) {
  for (;; ++statistics.rejected) {
    try {
      StepTrial trial = tryStep();
      const bool good =
          !tolerances.adaptive || control.accept(freeErrorNorm(system, tolerances, trial.position, trial.velocity,
                                                               trial.internal_states, before, trial.point));
      if (!good) continue;
      if (trial.position.size() > 0)
        statistics.error_estimate = std::max(statistics.error_estimate, trial.position.norm());
      return std::move(trial.point);
    } catch (const NoConvergence&) {
      if (!tolerances.adaptive) throw;
      control.accept(kNoConvergence);
    }
  }
}

}  // namespace

MultistepStepper::MultistepStepper(const DynamicSystem& system, const MotionPoint& start, int steps, double rho_inf,
                                   const Index3Solver::Settings& settings, const Tolerances& tolerances)
    : system_(system),
      solver_(system, settings, statistics_),
      steps_(steps),
      rho_inf_(rho_inf),
      history_{start},
      tolerances_(tolerances),
      control_(tolerances, 2) {}

MultistepCoefficients MultistepStepper::coefficientsFor(double h) {
  const MultistepCoefficients trapezoidal{{0, 1}, {0.5, 0.5}};
  if (rho_inf_ == 1) return trapezoidal;
  if (history_.size() > 1) {
    const double ratio = h / (history_[0].t - history_[1].t);
    if (std::abs(ratio - 1) > kSameStep) {
      if (steps_ == 2) return twoStepCoefficients(rho_inf_, ratio);
      history_.resize(1);
    }
  }
  return static_cast<int>(history_.size()) < steps_ ? trapezoidal : multistepCoefficients(steps_, rho_inf_);
}

MotionPoint MultistepStepper::tryStep(double h) {
  const MultistepCoefficients k = coefficientsFor(h);
  const Chart chart(system_, history_.front());
  FirstOrderRelation relation{history_.front().t + h, k.beta[0] * h, VectorXd::Zero(system_.size()),
                              VectorXd::Zero(system_.size()), VectorXd::Zero(system_.internalStateCount())};
  for (std::size_t j = 1; j < k.alpha.size(); ++j) {
    const MotionPoint& past = history_[j - 1];
    const ChartPoint c = chart.coordinatesOf(past);
    relation.y_c += k.alpha[j] * c.y + k.beta[j] * h * c.yd;
    relation.u_c += k.alpha[j] * past.velocity + k.beta[j] * h * past.acceleration;
    relation.m_c += k.alpha[j] * past.internal_states + k.beta[j] * h * past.internal_rate;
  }
  const VectorXd predicted =
      history_.size() > 1 ? predictSecondOrder(relation.t, velocityPoint(history_[0]), velocityPoint(history_[1]))
                          : history_.front().acceleration;
  return solver_.solve(history_.front(), relation, predicted, history_.front().lambda);
}

StepTrial MultistepStepper::compared(MotionPoint next) const {
  const MotionPoint &last = history_[0], &before = history_[1];
  const Chart chart(system_, last);
  const ChartPoint x = chart.coordinatesOf(next), x_0 = chart.coordinatesOf(last), x_1 = chart.coordinatesOf(before);
  const VectorXd y = predictValue(next.t, {last.t, x_0.y, x_0.yd}, {before.t, x_1.y, x_1.yd});
  const VectorXd u = predictValue(next.t, velocityPoint(last), velocityPoint(before));
  const VectorXd m = predictValue(next.t, {last.t, last.internal_states, last.internal_rate},
                                  {before.t, before.internal_states, before.internal_rate});
  StepTrial trial{std::move(next), {}, {}, {}};
  trial.position = x.y - y;
  trial.velocity = trial.point.velocity - u;
  trial.internal_states = trial.point.internal_states - m;
  return trial;
}

void MultistepStepper::take(MotionPoint next) {
  history_.push_front(std::move(next));
  if (static_cast<int>(history_.size()) > steps_) history_.pop_back();
  ++statistics_.steps;
}

void MultistepStepper::advance(double limit) {
  if (!tolerances_.adaptive) return take(tryStep(limit));
  if (history_.size() < 2) {
    take(tryStep(kFirstShare * limit));
    control_.propose(kFirstShare * limit);
    return;
  }
  // The formula for changed steps is stable only up to this ratio.
  limit = std::min(limit, kMaxGrowth * (history_[0].t - history_[1].t));
  take(chooseStep(system_, tolerances_, control_, history_[0], statistics_,
                  [&] { return compared(tryStep(control_.propose(limit))); }));
}

SingleStepStepper::SingleStepStepper(const DynamicSystem& system, const MotionPoint& start, int steps, double rho_inf,
                                     const Index3Solver::Settings& settings)
    : solver_(system, settings, statistics_),
      coefficients_(singleStepCoefficients(steps, rho_inf)),
      point_(start),
      auxiliary_(static_cast<std::size_t>(steps),
                 {start.velocity.cast<std::complex<double>>(), start.acceleration.cast<std::complex<double>>(),
                  start.internal_rate.cast<std::complex<double>>()}) {}

void SingleStepStepper::advance(double h) {
  const SingleStepCoefficients& k = coefficients_;
  const MotionPoint before = point_;
  // The auxiliary rates belong to shifted times, and the shift depends on the step.
  if (step_ > 0 && std::abs(h / step_ - 1) > kSameStep)
    for (std::size_t j = 1; j < auxiliary_.size(); ++j) {
      auxiliary_[j].position = before.velocity + (auxiliary_[j].position - before.velocity) * (h / step_);
      auxiliary_[j].velocity = before.acceleration + (auxiliary_[j].velocity - before.acceleration) * (h / step_);
      auxiliary_[j].internal_states =
          before.internal_rate + (auxiliary_[j].internal_states - before.internal_rate) * (h / step_);
    }
  step_ = h;

  FirstOrderRelation relation{before.t + h, k.c_0 * h, k.c_1 * h * before.velocity,
                              before.velocity + k.c_1 * h * before.acceleration,
                              before.internal_states + k.c_1 * h * before.internal_rate};
  for (std::size_t j = 1; j < auxiliary_.size(); ++j) {
    relation.y_c += h * (k.e[j] * auxiliary_[j].position).real();
    relation.u_c += h * (k.e[j] * auxiliary_[j].velocity).real();
    relation.m_c += h * (k.e[j] * auxiliary_[j].internal_states).real();
  }
  point_ = solver_.solve(before, relation, before.acceleration, before.lambda);

  // The chain of auxiliary rates, beginning with the rate itself.
  Auxiliary lower_old{before.velocity, before.acceleration, before.internal_rate};
  Auxiliary lower_new{point_.velocity, point_.acceleration, point_.internal_rate};
  for (std::size_t j = 1; j < auxiliary_.size(); ++j) {
    const auto next = [&](const Eigen::VectorXcd& low_old, const Eigen::VectorXcd& low_new,
                          const Eigen::VectorXcd& own) -> Eigen::VectorXcd {
      return k.p[j] * low_old + k.q[j] * low_new - k.s[j] * own;
    };
    const Auxiliary updated{next(lower_old.position, lower_new.position, auxiliary_[j].position),
                            next(lower_old.velocity, lower_new.velocity, auxiliary_[j].velocity),
                            next(lower_old.internal_states, lower_new.internal_states, auxiliary_[j].internal_states)};
    lower_old = auxiliary_[j];
    lower_new = auxiliary_[j] = updated;
  }
  ++statistics_.steps;
}

EsdirkStepper::EsdirkStepper(const DynamicSystem& system, const MotionPoint& start, Esdirk method,
                             const Index3Solver::Settings& settings, const Tolerances& tolerances)
    : system_(system),
      solver_(system, settings, statistics_),
      method_(std::move(method)),
      point_(start),
      tolerances_(tolerances),
      control_(tolerances, method_.order - 1) {}

VectorXd EsdirkStepper::predict(double t, int stage, const std::vector<MotionPoint>& stages) const {
  const std::size_t n = stages.size();
  if (n < 2) return stages.back().acceleration;
  const bool last = stage == method_.stages() - 1;
  if (last && method_.order >= 4)
    return predictFourthOrder(t, velocityPoint(stages[n - 1]), velocityPoint(stages[n - 2]),
                              velocityPoint(stages[n - 3]));
  return predictSecondOrder(t, velocityPoint(stages[n - 1]), velocityPoint(stages[n - 2]));
}

StepTrial EsdirkStepper::tryStep(double h) {
  const Chart chart(system_, point_);
  std::vector<MotionPoint> stages = {point_};
  std::vector<ChartPoint> coordinates = {chart.coordinatesOf(point_)};
  for (int i = 1; i < method_.stages(); ++i) {
    const std::vector<double>& a = method_.a[static_cast<std::size_t>(i)];
    FirstOrderRelation relation{point_.t + method_.c[static_cast<std::size_t>(i)] * h, method_.gamma * h,
                                VectorXd::Zero(system_.size()), point_.velocity, point_.internal_states};
    for (std::size_t j = 0; j < stages.size(); ++j) {
      relation.y_c += h * a[j] * coordinates[j].yd;
      relation.u_c += h * a[j] * stages[j].acceleration;
      relation.m_c += h * a[j] * stages[j].internal_rate;
    }
    stages.push_back(solver_.solve(point_, relation, predict(relation.t, i, stages), stages.back().lambda));
    coordinates.push_back(chart.coordinatesOf(stages.back()));
  }
  StepTrial trial{stages.back(), {}, {}, {}};
  if (method_.embedded.empty()) return trial;
  trial.position = trial.velocity = VectorXd::Zero(system_.size());
  trial.internal_states = VectorXd::Zero(system_.internalStateCount());
  for (std::size_t j = 0; j < stages.size(); ++j) {
    const double weight = h * (method_.a.back()[j] - method_.embedded[j]);
    trial.position += weight * coordinates[j].yd;
    trial.velocity += weight * stages[j].acceleration;
    trial.internal_states += weight * stages[j].internal_rate;
  }
  return trial;
}

void EsdirkStepper::advance(double limit) {
  point_ =
      chooseStep(system_, tolerances_, control_, point_, statistics_, [&] { return tryStep(control_.propose(limit)); });
  ++statistics_.steps;
}

}  // namespace tactus::rt::offline
