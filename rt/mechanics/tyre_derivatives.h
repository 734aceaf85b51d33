// How the load of a tyre follows the way of its wheel along the road: what an implicit method needs beside the law's
// slopes by height and by its rate.
#pragma once

#include "rt/mechanics/tyre.h"

namespace tactus::rt {

/// Derivatives of the load on the wheel, N, by (dr, dphi) and by (v, omega_w) of its body in world axes, where the
/// height of its centre and the rate of that are held. Zero where the tyre carries nothing.
struct TyreRoadDerivatives {
  Vector6d by_position = Vector6d::Zero();
  Vector6d by_velocity = Vector6d::Zero();
};

/// @param body         the wheel's, with r, R, v and omega_w
/// @param height       of the wheel's centre above the plane of the road, m
/// @param height_rate  m/s
/// @rt no allocation, no throw, work bounded by the obstacles of the road
/// @source derived: load = k z(s, w) + c (z_s s' + z_w w') and what does not depend on the ways s of the centre along
/// the road and w across it
TyreRoadDerivatives differentiateTyreRoad(const Model& model, const Tyre& tyre, const BodyMotion& body, double height,
                                          double height_rate) noexcept;

}  // namespace tactus::rt
