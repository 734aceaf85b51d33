// Curves through points: monotone cubic Hermite between them, straight beyond the ends with the slope there.
#pragma once

#include <vector>

namespace tactus::rt {

/// A curve with what its evaluation needs; `x` rises.
struct Curve {
  std::vector<double> x, y;
  std::vector<double> slope;     ///< dy/dx at the points
  std::vector<double> integral;  ///< of y from the first point to each

  bool empty() const noexcept { return x.empty(); }
};

/// A curve through at least two points. Between them it is monotone wherever the points are.
/// @source F. N. Fritsch, R. E. Carlson, Monotone piecewise cubic interpolation, 10.1137/0717021
Curve makeCurve(const std::vector<double>& x, const std::vector<double>& y);

struct CurveValue {
  double value = 0, slope = 0;
};

/// @rt no allocation, no throw, work bounded by the logarithm of the number of points
CurveValue evaluateCurve(const Curve& curve, double x) noexcept;

/// Integral of the curve from its first point to x, exact but for rounding.
/// @rt no allocation, no throw, work bounded by the logarithm of the number of points
double integrateCurve(const Curve& curve, double x) noexcept;

}  // namespace tactus::rt
