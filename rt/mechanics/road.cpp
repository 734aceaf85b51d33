#include "rt/mechanics/road.h"

#include <cmath>

namespace tactus::rt {

double wayFrom(const Road& road, double position, double along) noexcept {
  const double way = along - position;
  if (!road.line.closed) return way;
  const double length = road.line.length();
  return way - length * std::nearbyint(way / length);
}

RoadProfile roadUnderDisc(const Road& road, double radius, double along) noexcept {
  RoadProfile profile;
  for (const HalfCylinder& bump : road.half_cylinders) {
    const double reach = radius + bump.radius, x = wayFrom(road, bump.position, along);
    const double square = reach * reach - x * x;
    if (square <= radius * radius) continue;
    const double center = std::sqrt(square);
    if (center - radius > profile.height) profile = {center - radius, -x / center, -reach * reach / (square * center)};
  }
  return profile;
}

}  // namespace tactus::rt
