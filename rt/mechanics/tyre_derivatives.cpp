#include "rt/mechanics/tyre_derivatives.h"

#include "rt/mechanics/road_surface.h"

namespace tactus::rt {

TyreRoadDerivatives differentiateTyreRoad(const Model& model, const Tyre& tyre, const BodyMotion& body, double height,
                                          double height_rate) noexcept {
  TyreRoadDerivatives d;
  if (evaluateTyre(model, tyre, body, height, height_rate).load <= 0) return d;
  const Road& road = model.roads[static_cast<std::size_t>(tyre.road)];
  const Vector3d arm = body.R * tyre.centre;
  const TyreRoad under = roadUnderTyre(model, tyre, body.r + arm);
  GridBends bends;
  if (tyre.envelope >= 0)
    bends = bendsOn(model.envelopes[static_cast<std::size_t>(tyre.envelope)].heights, under.way, under.left);
  bends.along += under.bend;

  // A way s = direction . (r + arm), its rate direction . (v + omega x arm), and that rate as the arm turns.
  const Vector3d velocity = body.v + body.omega_w.cross(arm);
  const auto add = [&](const Vector3d& direction, double slope, double slope_rate) noexcept {
    Vector6d way, rate_as_arm_turns = Vector6d::Zero();
    way << direction, arm.cross(direction);
    rate_as_arm_turns.tail<3>() = arm.cross(direction.cross(body.omega_w));
    d.by_position +=
        (tyre.stiffness * slope + tyre.damping * slope_rate) * way + tyre.damping * slope * rate_as_arm_turns;
    d.by_velocity += tyre.damping * slope * way;
  };
  const double speed = road.along.dot(velocity), slip = under.across.dot(velocity);
  add(road.along, under.by_along, bends.along * speed + bends.mixed * slip);
  if (tyre.envelope >= 0) add(under.across, under.by_across, bends.mixed * speed + bends.across * slip);
  return d;
}

}  // namespace tactus::rt
