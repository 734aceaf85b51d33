// Where a point is along the line of a road.
#pragma once

#include "rt/model/elements/road_line.h"

namespace tactus::rt {

/// The point of a line nearest to a point of the plane, and the way the line runs there.
struct LinePlace {
  double along = 0;                     ///< way along the road, m
  double across = 0;                    ///< of the point to the left of the line, m
  double forward_x = 1, forward_y = 0;  ///< unit vector along the line
  double stretch = 1;                   ///< way along the road for a way at the point, inverse: 1 - curvature across
};

/// Searches from the knot that the grid of the line names, over at most `reach` knots, and then by Newton's method.
/// Continuous, with one continuous derivative, within the radius of curvature of the line; beyond its center the
/// nearest point may jump. Beyond the ends of an open line it goes straight on.
/// @param x, y  in the plane of the road, m; must be finite
/// @pre the line is not empty
/// @rt no allocation, no throw, work bounded by `reach`
LinePlace placeOn(const RoadLine& line, double x, double y) noexcept;

/// A point of the line, m.
struct LinePoint {
  double x, y, forward_x, forward_y;  ///< m; unit vector
};
/// @param along  way along the road, m
LinePoint pointOf(const RoadLine& line, double along) noexcept;

}  // namespace tactus::rt
