#include "rt/offline/multistep/predictor.h"

#include <algorithm>
#include <cmath>

namespace tactus::rt::offline {

namespace {

constexpr double kMaxWeight = 50;

bool usable(std::initializer_list<double> weights) {
  return std::all_of(weights.begin(), weights.end(), [](double w) { return std::abs(w) <= kMaxWeight; });
}

}  // namespace

VectorXd predictValue(double t, const RatePoint& last, const RatePoint& before) {
  const double h = last.t - before.t, a = (t - last.t) / h;
  const VectorXd A = before.value - last.value + h * last.rate, B = h * (before.rate - last.rate);
  return last.value + a * h * last.rate + a * a * (3 * A + B) + a * a * a * (2 * A + B);
}

VectorXd predictSecondOrder(double t, const RatePoint& last, const RatePoint& before) {
  const double h = t - last.t, a = h / (last.t - before.t);
  const double m = -6 * a * a * (1 + a), n_0 = (1 + a) * (1 + 3 * a), n_1 = a * (2 + 3 * a);
  if (!usable({m, n_0, n_1})) return last.rate;
  return m / h * (last.value - before.value) + n_0 * last.rate + n_1 * before.rate;
}

VectorXd predictFourthOrder(double t, const RatePoint& last, const RatePoint& before, const RatePoint& first) {
  const double h = t - last.t, a = h / (last.t - before.t), b = h / (before.t - first.t);
  const double a2 = a * a, a3 = a2 * a, b2 = b * b, b3 = b2 * b, sum = a + b;
  const double m_0 = -2 * a2 * (1 + a) / (sum * sum * sum) *
                     (5 * a3 * b2 + 8 * a3 * b + 10 * a2 * b3 + 3 * a3 + 25 * a2 * b2 + 13 * a2 * b + 20 * a * b3 +
                      20 * a * b2 + 10 * b3);
  const double m_1 =
      2 * (1 + a) / a *
      (5 * a3 * b2 + 8 * a3 * b + 3 * a3 - 5 * a2 * b3 + a2 * b2 + 4 * a2 * b - 7 * a * b3 - a * b2 - 2 * b3);
  const double n_0 =
      (1 + a) / (sum * sum) *
      (5 * a3 * b2 + 8 * a3 * b + 3 * a3 + 11 * a2 * b2 + 10 * a2 * b + a2 + 7 * a * b2 + 2 * a * b + b2);
  const double n_1 =
      (5 * a3 * b2 + 8 * a3 * b + 3 * a3 + 12 * a2 * b2 + 12 * a2 * b + 2 * a2 + 9 * a * b2 + 4 * a * b + 2 * b2) / a;
  const double n_2 = b3 * (1 + a) / (a * sum * sum) * (2 * a + 2 * b + 7 * a * b + 5 * a2 * b + 4 * a2);
  if (!usable({m_0, m_1, n_0, n_1, n_2})) return predictSecondOrder(t, last, before);
  return (m_0 * last.value + m_1 * before.value - (m_0 + m_1) * first.value) / h + n_0 * last.rate + n_1 * before.rate +
         n_2 * first.rate;
}

}  // namespace tactus::rt::offline
