#include "rt/offline/core/explicit_runge_kutta.h"

#include <algorithm>

namespace tactus::rt::offline {

namespace {

/// The sum of weights[j] k[j].
VectorXd combined(const std::vector<double>& weights, const std::vector<VectorXd>& k) {
  VectorXd sum = VectorXd::Zero(k.front().size());
  for (std::size_t j = 0; j < std::min(weights.size(), k.size()); ++j) sum += weights[j] * k[j];
  return sum;
}

}  // namespace

RungeKuttaStep rungeKuttaStep(const ExplicitRungeKutta& method, const MotionPoint& from,
                              const MinimalCoordinates& coordinates, double h, Statistics& statistics) {
  const VectorXd sd_0 = coordinates.startRate(), m_0 = from.internal_states;
  std::vector<VectorXd> rates = {sd_0}, second_rates = {coordinates.startSecondRate()};
  std::vector<VectorXd> internal_rates = {from.internal_rate};
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
    take(sd, coordinates.evaluate(from.t + method.c[i] * h, s, sd, m, statistics));
  }
  const VectorXd s = h * combined(method.b, rates), sd = sd_0 + h * combined(method.b, second_rates);
  const VectorXd m = m_0 + h * combined(method.b, internal_rates);
  const auto end = coordinates.evaluate(from.t + h, s, sd, m, statistics);
  RungeKuttaStep step{end.point, s, {}, {}, {}};
  if (method.embedded.empty()) return step;
  take(sd, end);
  step.position_error = h * combined(method.embedded, rates) - s;
  step.rate_error = sd_0 + h * combined(method.embedded, second_rates) - sd;
  step.internal_error = m_0 + h * combined(method.embedded, internal_rates) - m;
  return step;
}

}  // namespace tactus::rt::offline
