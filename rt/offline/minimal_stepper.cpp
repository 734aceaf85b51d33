#include "rt/offline/minimal_stepper.h"

#include <algorithm>
#include <utility>

namespace tactus::rt::offline {

const ExplicitRungeKutta& classicalRungeKutta() {
  static const ExplicitRungeKutta method{
      {{}, {0.5}, {0, 0.5}, {0, 0, 1}}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}, {0, 0.5, 0.5, 1}, {}, 4};
  return method;
}

const ExplicitRungeKutta& dormandPrince() {
  static const ExplicitRungeKutta method{
      {{},
       {1.0 / 5},
       {3.0 / 40, 9.0 / 40},
       {44.0 / 45, -56.0 / 15, 32.0 / 9},
       {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
       {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
       {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}},
      {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84, 0},
      {0, 0.2, 0.3, 0.8, 8.0 / 9, 1, 1},
      {5179.0 / 57600, 0, 7571.0 / 16695, 393.0 / 640, -92097.0 / 339200, 187.0 / 2100, 1.0 / 40},
      5};
  return method;
}

MinimalStepper::MinimalStepper(const DynamicSystem& system, const MotionPoint& start, const Settings& settings)
    : system_(system),
      settings_(settings),
      point_(start),
      rule_(TangentSpace(MatrixXd(system.jacobian(start))).ruleAfter({})),
      basis_(factorisedBasis(MatrixXd(system.jacobian(start)), settings.factorisation, rule_.threshold)),
      control_(settings.tolerances, settings.method->order - 1) {
  if (settings.tolerances.adaptive && settings.method->embedded.empty())
    throw Error("adaptive steps need rule=dormand-prince, which has an embedded solution");
  if (settings.record) travelled_ = VectorXd::Zero(basis_.free.cols());
}

std::vector<std::string> MinimalStepper::ownNames() const {
  std::vector<std::string> names;
  const auto numbered = [&](const std::string& what) {
    for (Eigen::Index k = 1; k <= travelled_.size(); ++k) names.push_back(what + std::to_string(k));
  };
  numbered("coordinate.");
  numbered("rate.");
  for (Eigen::Index k = 1; k <= travelled_.size(); ++k)
    for (int i = 1; i <= system_.size(); ++i) names.push_back("basis." + std::to_string(k) + '.' + std::to_string(i));
  return names;
}

std::vector<double> MinimalStepper::ownValues() const {
  // In a singular pose one more motion may be free; the columns are those of the start.
  const auto n = std::min(travelled_.size(), basis_.free.cols());
  std::vector<double> values(static_cast<std::size_t>(travelled_.size() * (2 + system_.size())), 0);
  const VectorXd rate = generalisedVelocity();
  for (Eigen::Index k = 0; k < n; ++k) {
    values[static_cast<std::size_t>(k)] = travelled_[k];
    values[static_cast<std::size_t>(travelled_.size() + k)] = rate[k];
    for (int i = 0; i < system_.size(); ++i)
      values[static_cast<std::size_t>((2 * travelled_.size()) + k * system_.size() + i)] = basis_.free(i, k);
  }
  return values;
}

MinimalStepper::Trial MinimalStepper::tryStep(double h, const MinimalCoordinates& coordinates) {
  const ExplicitRungeKutta& method = *settings_.method;
  const VectorXd sd_0 = coordinates.startRate(), m_0 = point_.internal_states;
  std::vector<VectorXd> rates = {sd_0}, second_rates = {coordinates.startSecondRate()};
  std::vector<VectorXd> internal_rates = {point_.internal_rate};
  const auto combined = [&](const std::vector<double>& weights, const std::vector<VectorXd>& k) {
    VectorXd sum = VectorXd::Zero(k.front().size());
    for (std::size_t j = 0; j < std::min(weights.size(), k.size()); ++j) sum += weights[j] * k[j];
    return sum;
  };
  const auto take = [&](const VectorXd& sd, const MinimalCoordinates::Evaluation& stage) {
    rates.push_back(sd);
    second_rates.push_back(stage.second_rate);
    internal_rates.push_back(stage.point.internal_rate);
  };
  // The last stage of a method that ends with the new point is that point.
  const std::size_t stages = method.b.back() == 0 ? method.b.size() - 1 : method.b.size();
  for (std::size_t i = 1; i < stages; ++i) {
    const VectorXd s = h * combined(method.a[i], rates), sd = sd_0 + h * combined(method.a[i], second_rates);
    const VectorXd m = m_0 + h * combined(method.a[i], internal_rates);
    take(sd, coordinates.evaluate(point_.t + method.c[i] * h, s, sd, m, statistics_));
  }
  const VectorXd s = h * combined(method.b, rates), sd = sd_0 + h * combined(method.b, second_rates);
  const VectorXd m = m_0 + h * combined(method.b, internal_rates);
  const auto end = coordinates.evaluate(point_.t + h, s, sd, m, statistics_);
  Trial trial{end.point, s, 0};
  if (!method.embedded.empty()) {
    take(sd, end);
    const VectorXd position = h * combined(method.embedded, rates) - s;
    const VectorXd rate = sd_0 + h * combined(method.embedded, second_rates) - sd;
    const VectorXd internal_states = m_0 + h * combined(method.embedded, internal_rates) - m;
    statistics_.error_estimate = std::max(statistics_.error_estimate, position.norm());
    trial.error = errorNorm(system_, settings_.tolerances, coordinates.basis().free, position, rate, internal_states,
                            point_, end.point);
  }
  return trial;
}

void MinimalStepper::advance(double limit) {
  const MinimalCoordinates coordinates(system_, point_, basis_, rule_.threshold);
  const auto attempt = [&](double h) -> Trial {
    try {
      return tryStep(h, coordinates);
    } catch (const NoConvergence&) {
      if (!settings_.tolerances.adaptive) throw;
      return {point_, {}, kNoConvergence};
    }
  };
  Trial trial = attempt(control_.propose(limit));
  while (!control_.accept(trial.error)) {
    ++statistics_.rejected;
    trial = attempt(control_.propose(limit));
  }
  point_ = trial.point;
  if (travelled_.size() == trial.s.size()) travelled_ += trial.s;
  const TangentSpace space = setMultipliers(system_, rule_, point_);
  const MatrixXd H(system_.jacobian(point_));
  rule_ = space.ruleAfter(rule_);
  if (settings_.continuation) {
    basis_ = continuedBasis(H, basis_.free, rule_);
  } else {
    MotionBasis anew = factorisedBasis(H, settings_.factorisation, rule_.threshold);
    // In a singular pose no factorisation knows the branch.
    const bool regular = anew.constrained.cols() >= rule_.rank;
    basis_ = regular ? std::move(anew) : continuedBasis(H, basis_.free, rule_);
  }
  ++statistics_.factorisations;
  ++statistics_.steps;
}

}  // namespace tactus::rt::offline
