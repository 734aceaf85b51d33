#include "rt/mechanics/road.h"

#include <cmath>

namespace tactus::rt {

RoadProfile roadUnderDisc(const Road& road, double radius, double along) noexcept {
  RoadProfile profile;
  for (const HalfCylinder& bump : road.half_cylinders) {
    const double reach = radius + bump.radius, x = along - bump.position;
    const double square = reach * reach - x * x;
    if (square <= radius * radius) continue;
    const double center = std::sqrt(square);
    if (center - radius > profile.height) profile = {center - radius, -x / center, -reach * reach / (square * center)};
  }
  return profile;
}

}  // namespace tactus::rt
