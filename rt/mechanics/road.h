// Roads: a plane with obstacles across it, as a rolling disc sees them.
#pragma once

#include "rt/model/elements/road.h"

namespace tactus::rt {

/// The line that the lowest point of a disc follows where it rolls along the road without leaving it.
struct RoadProfile {
  double height = 0;     ///< above the plane of the road, m
  double slope = 0;      ///< derivative of the height by the way along the road
  double curvature = 0;  ///< of the slope, 1/m
};

/// The way from a position of the road to another, m: on a closed line the shorter way round.
/// @param position, along  ways along the road, m
/// @rt no allocation, no throw, fixed work
double wayFrom(const Road& road, double position, double along) noexcept;

/// @param radius  of the disc, m
/// @param along   way of the disc's center along the road, m
/// @rt no allocation, no throw, work bounded by the number of obstacles
/// @source over a half cylinder of radius b the center runs on a circle of radius + b
RoadProfile roadUnderDisc(const Road& road, double radius, double along) noexcept;

}  // namespace tactus::rt
