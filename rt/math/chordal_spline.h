// A smooth curve through points in space, by the length along it.
#pragma once

#include <Eigen/Core>

#include <cstddef>
#include <utility>
#include <vector>

namespace tactus::rt {

/// The cubic spline whose parameter is the sum of the distances of the points. Tangent and curvature are continuous.
/// The first two spans are one cubic, and so are the last two (not-a-knot), so that no end is forced to be straight;
/// through three points it is a parabola, through two a line. Its distance from a smooth curve through the points falls
/// with the fourth power of theirs. Lengths are exact to round-off for smooth curves: five Gauss points on each
/// sixteenth of a span.
/// @source C. de Boor, A Practical Guide to Splines, chapter IV; M. S. Floater, Chordal cubic spline interpolation is
/// fourth-order accurate, IMA J. Numer. Anal. 26 (2006)
class ChordalSpline {
 public:
  /// @param points  m; at least two, each apart from the one before
  explicit ChordalSpline(std::vector<Eigen::Vector3d> points);

  double length() const { return lengths_.back(); }  ///< m
  /// Along the curve from its first point, m.
  double lengthTo(std::size_t point) const { return lengths_[point * kPanels]; }

  // At the length s from the first point, 0 to length().
  Eigen::Vector3d position(double s) const;  ///< m
  Eigen::Vector3d tangent(double s) const;   ///< unit vector

 private:
  static constexpr std::size_t kPanels = 16;  ///< of a span

  std::size_t spans() const { return widths_.size(); }
  Eigen::Vector3d at(std::size_t span, double u) const;
  Eigen::Vector3d rateAt(std::size_t span, double u) const;  ///< by the parameter
  double lengthBetween(std::size_t span, double from, double to) const;
  /// The span with the length s, and the parameter in it.
  std::pair<std::size_t, double> find(double s) const;

  std::vector<Eigen::Vector3d> points_, second_;  ///< second derivatives at the points, 1/m
  std::vector<double> widths_;                    ///< of spans, m
  std::vector<double> lengths_;                   ///< at the ends of panels
};

}  // namespace tactus::rt
