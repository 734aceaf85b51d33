#include "rt/math/curve.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace tactus::rt {

namespace {

/// The piece of a curve that holds x: between its points i and i + 1.
struct Piece {
  double h, y_0, y_1, m_0, m_1;

  Piece(const Curve& c, std::size_t i) noexcept
      : h(c.x[i + 1] - c.x[i]), y_0(c.y[i]), y_1(c.y[i + 1]), m_0(h * c.slope[i]), m_1(h * c.slope[i + 1]) {}

  double value(double t) const noexcept {
    const double s = 1 - t;
    return s * s * ((1 + 2 * t) * y_0 + t * m_0) + t * t * ((3 - 2 * t) * y_1 - s * m_1);
  }
  double slope(double t) const noexcept {
    return (6 * t * (1 - t) * (y_1 - y_0) + (1 - t) * (1 - 3 * t) * m_0 + t * (3 * t - 2) * m_1) / h;
  }
  /// From t = 0.
  double integral(double t) const noexcept {
    const double t2 = t * t, t3 = t2 * t, t4 = t3 * t;
    return h * ((t - t3 + t4 / 2) * y_0 + (t3 - t4 / 2) * y_1 + (t2 / 2 - 2 * t3 / 3 + t4 / 4) * m_0 +
                (t4 / 4 - t3 / 3) * m_1);
  }
};

std::size_t pieceAt(const Curve& c, double x) noexcept {
  const auto above = std::upper_bound(c.x.begin(), c.x.end(), x);
  const auto i = static_cast<std::size_t>(std::max<std::ptrdiff_t>(above - c.x.begin() - 1, 0));
  return std::min(i, c.x.size() - 2);
}

}  // namespace

Curve makeCurve(const std::vector<double>& x, const std::vector<double>& y) {
  const std::size_t n = x.size();
  Curve c{x, y, std::vector<double>(n), std::vector<double>(n)};
  std::vector<double> secant(n - 1);
  for (std::size_t i = 0; i + 1 < n; ++i) secant[i] = (y[i + 1] - y[i]) / (x[i + 1] - x[i]);

  // Means of the neighbors; level where the points turn.
  c.slope.front() = secant.front();
  c.slope.back() = secant.back();
  for (std::size_t i = 1; i + 1 < n; ++i)
    c.slope[i] = secant[i - 1] * secant[i] > 0 ? 0.5 * (secant[i - 1] + secant[i]) : 0.0;

  // Slopes that would overshoot are brought back to the circle of radius 3.
  for (std::size_t i = 0; i + 1 < n; ++i) {
    if (secant[i] == 0) {
      c.slope[i] = c.slope[i + 1] = 0;
      continue;
    }
    const double size = std::hypot(c.slope[i] / secant[i], c.slope[i + 1] / secant[i]);
    if (size <= 3) continue;
    c.slope[i] *= 3 / size;
    c.slope[i + 1] *= 3 / size;
  }
  for (std::size_t i = 0; i + 1 < n; ++i) c.integral[i + 1] = c.integral[i] + Piece(c, i).integral(1);
  return c;
}

CurveValue evaluateCurve(const Curve& c, double x) noexcept {
  if (x <= c.x.front()) return {c.y.front() + c.slope.front() * (x - c.x.front()), c.slope.front()};
  if (x >= c.x.back()) return {c.y.back() + c.slope.back() * (x - c.x.back()), c.slope.back()};
  const std::size_t i = pieceAt(c, x);
  const Piece piece(c, i);
  const double t = (x - c.x[i]) / piece.h;
  return {piece.value(t), piece.slope(t)};
}

double integrateCurve(const Curve& c, double x) noexcept {
  const bool before = x <= c.x.front();
  if (before || x >= c.x.back()) {
    const std::size_t end = before ? 0 : c.x.size() - 1;
    const double beyond = x - c.x[end];
    return c.integral[end] + beyond * (c.y[end] + 0.5 * c.slope[end] * beyond);
  }
  const std::size_t i = pieceAt(c, x);
  const Piece piece(c, i);
  return c.integral[i] + piece.integral((x - c.x[i]) / piece.h);
}

}  // namespace tactus::rt
