// The pieces of which a reference line of OpenDRIVE is made, in the plane.
#pragma once

#include <array>
#include <cstddef>
#include <variant>
#include <vector>

namespace tactus::server {

/// A point of a curve and its direction.
struct CurvePoint {
  double x = 0, y = 0, heading = 0;  ///< m; rad
};

/// Curvature that is linear in the way: a straight line, an arc or a clothoid.
struct Clothoid {
  double curvature_start = 0, curvature_end = 0;  ///< 1/m, above zero to the left
};

/// u and v of a parameter p from 0 to `end`, in the frame of the start of the piece.
struct ParametricCubic {
  std::array<double, 4> u{}, v{};  ///< from the constant on
  double end = 1;
};

/// A piece of a reference line. The way along it is its true length, whatever its parameter is.
class PlanCurve {
 public:
  PlanCurve(const CurvePoint& start, double length, Clothoid shape);
  PlanCurve(const CurvePoint& start, double length, ParametricCubic shape);

  double length() const noexcept { return length_; }
  /// Of a cubic: by its polynomials; else as given. m
  double trueLength() const noexcept { return ways_.empty() ? length_ : ways_.back(); }

  /// The point after a way from the start of the piece, 0 to length(). The way along a cubic counts in parts of its
  /// true length, so that its last point is that of its last parameter.
  ///
  /// A clothoid is the integral of (cos, sin) of a heading that is quadratic in the way, by Gauss-Legendre of 12 points
  /// on parts over which the heading turns by at most 0.5 rad: the error of each is below 1e-18 of its length, so that
  /// round-off alone is left.
  CurvePoint at(double way) const;

 private:
  double parameterAt(double way) const;
  double speedAt(double p) const;
  double lengthOver(double from, double to) const;

  CurvePoint start_;
  double length_;
  std::variant<Clothoid, ParametricCubic> shape_;
  std::vector<double> ways_;  ///< of a cubic: true length up to each of equal steps of the parameter, m
};

}  // namespace tactus::server
