#include "server/import/plan_curve.h"

#include <algorithm>
#include <cmath>

namespace tactus::server {
namespace {

/// Nodes and weights of Gauss-Legendre of 12 points on [-1, 1]; the other six are the mirror image.
constexpr std::array<double, 6> kNodes = {0.1252334085114689, 0.3678314989981802, 0.5873179542866175,
                                          0.7699026741943047, 0.9041172563704748, 0.9815606342467192};
constexpr std::array<double, 6> kWeights = {0.2491470458134027, 0.23349253653835464, 0.20316742672306565,
                                            0.1600783285433461, 0.10693932599531888, 0.04717533638651202};
constexpr double kMostTurn = 0.5;        ///< of the heading over a part, rad
constexpr std::size_t kCubicParts = 64;  ///< equal steps of the parameter
constexpr int kMostSteps = 30;           ///< of Newton's method with bisection

/// Integral over [from, to] of a function of one number.
template <typename Function>
auto integral(double from, double to, const Function& f) {
  const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
  auto sum = 0.0 * f(middle);
  for (std::size_t i = 0; i < kNodes.size(); ++i)
    sum = sum + kWeights[i] * (f(middle - half * kNodes[i]) + f(middle + half * kNodes[i]));
  return half * sum;
}

struct Pair {
  double x = 0, y = 0;
};
Pair operator+(const Pair& a, const Pair& b) {
  return {a.x + b.x, a.y + b.y};
}
Pair operator*(double s, const Pair& a) {
  return {s * a.x, s * a.y};
}

double polynomial(const std::array<double, 4>& c, double p) {
  return c[0] + p * (c[1] + p * (c[2] + p * c[3]));
}
double slope(const std::array<double, 4>& c, double p) {
  return c[1] + p * (2 * c[2] + p * 3 * c[3]);
}

}  // namespace

PlanCurve::PlanCurve(const CurvePoint& start, double length, Clothoid shape)
    : start_(start), length_(length), shape_(shape) {}

PlanCurve::PlanCurve(const CurvePoint& start, double length, ParametricCubic shape)
    : start_(start), length_(length), shape_(shape), ways_(kCubicParts + 1, 0.0) {
  const double step = shape.end / static_cast<double>(kCubicParts);
  for (std::size_t i = 0; i < kCubicParts; ++i)
    ways_[i + 1] = ways_[i] + lengthOver(static_cast<double>(i) * step, static_cast<double>(i + 1) * step);
}

double PlanCurve::speedAt(double p) const {
  const auto& cubic = std::get<ParametricCubic>(shape_);
  return std::hypot(slope(cubic.u, p), slope(cubic.v, p));
}

double PlanCurve::lengthOver(double from, double to) const {
  return integral(from, to, [this](double p) { return speedAt(p); });
}

double PlanCurve::parameterAt(double way) const {
  const double end = std::get<ParametricCubic>(shape_).end, step = end / static_cast<double>(kCubicParts);
  const double wanted = std::clamp(way / length_, 0.0, 1.0) * ways_.back();
  const auto above = std::upper_bound(ways_.begin() + 1, ways_.end() - 1, wanted);
  const auto part = static_cast<std::size_t>(above - ways_.begin() - 1);
  double low = static_cast<double>(part) * step, high = low + step, p = 0.5 * (low + high);
  const double begin = low;
  for (int k = 0; k < kMostSteps; ++k) {
    const double over = ways_[part] + lengthOver(begin, p) - wanted, speed = speedAt(p);
    (over > 0 ? high : low) = p;
    const double newton = speed > 0 ? p - over / speed : low;
    const double next = newton >= low && newton <= high ? newton : 0.5 * (low + high);
    if (std::abs(next - p) <= 1e-14 * end) return next;
    p = next;
  }
  return p;
}

CurvePoint PlanCurve::at(double way) const {
  Pair local;
  double turn = 0;
  if (const auto* clothoid = std::get_if<Clothoid>(&shape_)) {
    const double k0 = clothoid->curvature_start, rate = (clothoid->curvature_end - k0) / length_;
    const auto turnAt = [&](double s) { return s * (k0 + 0.5 * rate * s); };
    const double fastest = std::max(std::abs(k0), std::abs(k0 + rate * way));
    const double parts = std::ceil(std::max(1.0, fastest * std::abs(way) / kMostTurn));
    for (double i = 0; i < parts; ++i)
      local = local + integral(way * (i / parts), way * ((i + 1) / parts), [&](double s) {
                return Pair{std::cos(turnAt(s)), std::sin(turnAt(s))};
              });
    turn = turnAt(way);
  } else {
    const auto& cubic = std::get<ParametricCubic>(shape_);
    const double p = parameterAt(way);
    local = {polynomial(cubic.u, p), polynomial(cubic.v, p)};
    turn = std::atan2(slope(cubic.v, p), slope(cubic.u, p));
  }
  const double c = std::cos(start_.heading), s = std::sin(start_.heading);
  return {start_.x + c * local.x - s * local.y, start_.y + s * local.x + c * local.y, start_.heading + turn};
}

}  // namespace tactus::server
