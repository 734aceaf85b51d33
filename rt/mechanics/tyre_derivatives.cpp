#include "rt/mechanics/tyre_derivatives.h"

namespace tactus::rt {

TyreRoadDerivatives differentiateTyreRoad(const Model& model, const Tyre& tyre, const BodyMotion& body, double height,
                                          double height_rate) noexcept {
  TyreRoadDerivatives d;
  if (evaluateTyre(model, tyre, body, height, height_rate).load <= 0) return d;
  const Road& road = model.roads[static_cast<std::size_t>(tyre.road)];
  const Vector3d arm = body.R * tyre.centre;
  const RoadProfile profile = roadUnderDisc(road, tyre.radius, road.along.dot(body.r + arm - road.origin));
  const double speed = road.along.dot(body.v + body.omega_w.cross(arm));

  // The way s = along . (r + arm), its rate along . (v + omega x arm), and that rate as the arm turns.
  Vector6d way, rate_as_arm_turns = Vector6d::Zero();
  way << road.along, arm.cross(road.along);
  rate_as_arm_turns.tail<3>() = arm.cross(road.along.cross(body.omega_w));
  d.by_position = (tyre.stiffness * profile.slope + tyre.damping * profile.curvature * speed) * way +
                  tyre.damping * profile.slope * rate_as_arm_turns;
  d.by_velocity = tyre.damping * profile.slope * way;
  return d;
}

}  // namespace tactus::rt
