#include "rt/mechanics/tyre.h"

#include <algorithm>

namespace tactus::rt {

TyreContact evaluateTyre(const Model& model, const Tyre& tyre, const BodyMotion& body, double height,
                         double height_rate) noexcept {
  const Road& road = model.roads[static_cast<std::size_t>(tyre.road)];
  const Vector3d arm = body.R * tyre.centre;
  const RoadProfile profile = roadUnderDisc(road, tyre.radius, road.along.dot(body.r + arm - road.origin));
  TyreContact contact;
  contact.road_height = profile.height;
  contact.road_rate = profile.slope * road.along.dot(body.v + body.omega_w.cross(arm));
  contact.deflection = tyre.radius + profile.height - height;
  contact.deflection_rate = contact.road_rate - height_rate;
  if (contact.deflection > 0)
    contact.load = std::max(0.0, tyre.stiffness * contact.deflection + tyre.damping * contact.deflection_rate);
  return contact;
}

}  // namespace tactus::rt
