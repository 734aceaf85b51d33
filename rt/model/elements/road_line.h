// A line in the plane of a road along which the road runs.
#pragma once

#include "rt/model/elements/element.h"

#include <cstddef>
#include <vector>

namespace tactus::rt {

/// Points of the line at equal steps of the way along it.
struct RoadLineSpec {
  double start = 0;            ///< way along the road at the first point, m
  double spacing = 0;          ///< way from point to point, m
  std::vector<double> points;  ///< along and left of the origin of the road, point by point, m
  bool closed = false;         ///< the last point is one spacing before the first

  static Fields fields();
};

/// The line as a cubic spline over the way, with continuous curvature, and where to begin the search for a point of it.
struct RoadLine {
  /// A point and the second derivatives of the spline there.
  struct Knot {
    double x, y;                ///< m
    double xx = 0.0, yy = 0.0;  ///< 1/m

    template <typename Visit>
    void constants(Visit& visit) const {
      visit.numbers(x, y);
    }
  };

  double start = 0, spacing = 1;
  bool closed = false;
  std::vector<Knot> knots;  ///< empty: the road is straight

  // For each square of a grid over the line and around it the knot nearest to its middle.
  double low_x = 0, low_y = 0, side = 1;  ///< corner of the grid and side of a square, m
  int rows = 0, columns = 0;              ///< along y; along x
  std::vector<int> nearest;
  int reach = 0;  ///< knots between that and the nearest one to any point of the square, at most

  // On a large road the squares would be too large to tell branches of the line apart: near the line they are split.
  int split = 1;                ///< pieces of a square along each side
  std::vector<int> first_fine;  ///< of each square: its first piece, or -1 far from the line; empty: none is split
  std::vector<int> fine;        ///< of each piece, row by row of its square: the knot as above, or -1 far from the line

  bool empty() const noexcept { return knots.empty(); }
  double length() const noexcept { return spacing * static_cast<double>(closed ? knots.size() : knots.size() - 1); }

  template <typename Visit>
  void constants(Visit& visit) const {
    if (empty()) return;
    visit.numbers(start, spacing);
    visit.structure(closed, knots);
  }
};

void check(const RoadLineSpec& line, const FindingPlace& at);
/// @source natural parameter, second derivatives from the continuity of the first ones; an open line keeps the
///         curvature of its second point up to the first, so that no end is forced to be straight
RoadLine makeRoadLine(const RoadLineSpec& spec);

}  // namespace tactus::rt
