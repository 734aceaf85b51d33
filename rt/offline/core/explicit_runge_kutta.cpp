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
