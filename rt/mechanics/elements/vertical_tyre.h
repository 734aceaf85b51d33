// Tyres that carry a load normal to the road and nothing along it: a unilateral spring and damper between the wheel's
// center and the profile of the road.
#pragma once

#include "rt/mechanics/elements/compliant_row.h"
#include "rt/mechanics/road.h"

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
  double way, left;            ///< of the wheel's center from the origin of the road: along it, and to its left, m
  double height;               ///< above the plane of the road, m
  double by_along, by_across;  ///< its slopes
  double curvature;            ///< second derivative along the road, of the obstacles alone, 1/m
  Vector3d across;             ///< to the left, world
};

/// @param center  of the wheel, world, m
/// @rt no allocation, no throw, work bounded by the obstacles of the road
TyreRoad roadUnderTyre(const Model& model, const Tyre& tyre, const Vector3d& center) noexcept;

/// @param body         the wheel's, with r, R, v and omega_w
/// @param height       of the wheel's center above the plane of the road, m
/// @param height_rate  m/s
/// @rt no allocation, no throw, work bounded by the obstacles of the road
/// @source [RN] section 5, vertical tyre: load = k deflection + c d(deflection)/dt while in contact and not below zero
TyreContact evaluateTyre(const Model& model, const Tyre& tyre, const BodyMotion& body, double height,
                         double height_rate) noexcept;

struct VerticalTyreRow : CompliantRow {
  static constexpr bool kFollowsRoad = true;

  static bool owns(const CompliantLaw& law) noexcept { return law.tyre >= 0; }

  /// The row measures the height of the wheel's center: a load on the wheel is a negative multiplier. A tyre that is
  /// clear of the road keeps a millionth of its stiffness in the tangent, so that the row stays solvable.
  /// @rt no allocation, no throw, work bounded by the obstacles of the road
  static const CompliantLaw& lawAt(const RowContext& at, const double* phi, const double* rate,
                                   CompliantLaw& scratch) noexcept;

  static void dampingForce(const RowContext& at, const double* phi, const double* rate, CompliantLaw& scratch,
                           double* force) noexcept {
    linearDamping(lawAt(at, phi, rate, scratch), rate, force);
  }

  /// k deflection^2 / 2 in contact, J.
  static double storedEnergy(const RowContext& at, const double* phi) noexcept;

  /// The road brings in power as it lifts the wheel.
  static ElementPower power(const RowContext& at, const double* phi, const double* rate) noexcept;

  /// Adds what the way of the wheel along the road does to H^T lambda, by position and by velocity of both bodies of
  /// its joint: load = k z(s, w) + c (z_s s' + z_w w') + terms that do not depend on the ways s of the wheel's center
  /// along the road and w across it.
  /// @param h  the row of the joint
  static void addDerivatives(const RowContext& at, const Joint& joint, const double* phi, const double* rate,
                             const Row12d& h, Matrix12d& by_position, Matrix12d& by_velocity) noexcept;

  /// What the row reports as signals; the load is that of the multiplier.
  static constexpr ElementSignal<TyreContact> kSignals[] = {
      {"load", "N", "load on the wheel, along the normal of the road", &TyreContact::load},
      {"deflection", "m", "deflection of the tyre; negative: clear of the road", &TyreContact::deflection},
      {"road", "m", "height of the road's profile under the wheel", &TyreContact::road_height}};
};

}  // namespace tactus::rt
