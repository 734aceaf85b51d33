// Tyres that carry a load normal to the road and nothing along it: a unilateral spring and damper between the wheel's
// centre and the profile of the road.
#pragma once

#include "rt/mechanics/kinematics.h"
#include "rt/mechanics/road.h"
#include "rt/model/model.h"

namespace tactus::rt {

/// How a tyre stands on its road.
struct TyreContact {
  double deflection = 0;       ///< how far the tyre is pressed in, m; below zero: clear of the road
  double deflection_rate = 0;  ///< m/s
  double road_height = 0;      ///< of the profile under the wheel, above the plane of the road, m
  double road_rate = 0;        ///< its rate as the wheel moves over it, m/s
  double load = 0;             ///< on the wheel, along the normal of the road, N; never below zero
};

/// The road under the wheel of a tyre, as a disc that rolls along it is lifted by obstacles and heights.
struct TyreRoad {
  double way, left;            ///< of the wheel's centre from the origin of the road: along it, and to its left, m
  double height;               ///< above the plane of the road, m
  double by_along, by_across;  ///< its slopes
  double bend;                 ///< second derivative along the road, of the obstacles alone, 1/m
  Vector3d across;             ///< to the left, world
};

/// @param centre  of the wheel, world, m
/// @rt no allocation, no throw, work bounded by the obstacles of the road
TyreRoad roadUnderTyre(const Model& model, const Tyre& tyre, const Vector3d& centre) noexcept;

/// @param body         the wheel's, with r, R, v and omega_w
/// @param height       of the wheel's centre above the plane of the road, m
/// @param height_rate  m/s
/// @rt no allocation, no throw, work bounded by the obstacles of the road
/// @source [RN] section 5, vertical tyre: load = k deflection + c d(deflection)/dt while in contact and not below zero
TyreContact evaluateTyre(const Model& model, const Tyre& tyre, const BodyMotion& body, double height,
                         double height_rate) noexcept;

}  // namespace tactus::rt
