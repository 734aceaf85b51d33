#include "rt/mechanics/tyre.h"

#include "rt/mechanics/road_surface.h"

#include <algorithm>

namespace tactus::rt {

TyreRoad roadUnderTyre(const Model& model, const Tyre& tyre, const Vector3d& centre) noexcept {
  const Road& road = model.roads[static_cast<std::size_t>(tyre.road)];
  const Vector3d from = centre - road.origin;
  TyreRoad at{};
  at.across = road.up.cross(road.along);
  at.way = road.along.dot(from);
  at.left = at.across.dot(from);
  const RoadProfile profile = roadUnderDisc(road, tyre.radius, at.way);
  at.height = profile.height;
  at.by_along = profile.slope;
  at.bend = profile.curvature;
  if (tyre.envelope < 0) return at;
  const GridValue lifted = smoothOn(model.envelopes[static_cast<std::size_t>(tyre.envelope)].heights, at.way, at.left);
  at.height += lifted.value;
  at.by_along += lifted.by_along;
  at.by_across = lifted.by_across;
  return at;
}

TyreContact evaluateTyre(const Model& model, const Tyre& tyre, const BodyMotion& body, double height,
                         double height_rate) noexcept {
  const Road& road = model.roads[static_cast<std::size_t>(tyre.road)];
  const Vector3d arm = body.R * tyre.centre;
  const TyreRoad under = roadUnderTyre(model, tyre, body.r + arm);
  const Vector3d velocity = body.v + body.omega_w.cross(arm);
  TyreContact contact;
  contact.road_height = under.height;
  contact.road_rate = under.by_along * road.along.dot(velocity) + under.by_across * under.across.dot(velocity);
  contact.deflection = tyre.radius + under.height - height;
  contact.deflection_rate = contact.road_rate - height_rate;
  if (contact.deflection > 0)
    contact.load = std::max(0.0, tyre.stiffness * contact.deflection + tyre.damping * contact.deflection_rate);
  return contact;
}

}  // namespace tactus::rt
