// Gear: two wheels with parallel axes mesh; rho_1 and rho_2 are the pitch radii, with the sense of turning. One
// row, m of rolled arc.
//
//   phi   = rho_1 angle(d, b_1 about a_1) + rho_2 angle(d, b_2 about a_1)                         (1)
//   H     = [w, rho_1 a_1 + s_1 x w], [-w, rho_2 a_1 - s_2 x w],
//           w = (rho_1 + rho_2) f,  f = a_1 x d / (d . d): the line of centers turns at f . d'    (2)
//   gamma = (rho_1 + rho_2) l - rho_2 a_1' . omega_2 - rho_1 a_1' . omega_1,
//           l = (a_1' . d x d' + a_1 . d x (c_2 - c_1)) / d^2 - 2 (a_1 . d x d') (d . d') / d^4   (3)
//   K_i   as for a length: the arm turns, and with it the line of centers                         (4)
#pragma once

#include "rt/mechanics/primitives/primitive.h"

namespace tactus::rt {

struct GearPrimitive : PrimitiveRows {
  static constexpr PrimitiveKind kKind = PrimitiveKind::kGear;
  static constexpr int kAngles = 2;
  static constexpr bool kStartsTurns = true;

  static void rows(const Primitive& p, const BodyMotion* motions, double* phi, RowJacobian* jacobian) noexcept;
  static void gamma(const Primitive& p, const BodyMotion* motions, double* gamma) noexcept;
  static void addStiffness(const Primitive& p, const BodyMotion* motions, const double* lambda,
                           Matrix3d* stiffness) noexcept;
  static RowDerivatives derivatives(const Primitive& p, const BodyMotion* motions) noexcept;
  static Matrix12d reactionDerivative(const Primitive& p, const BodyMotion* motions, const double* lambda) noexcept;

  static void angles(const Primitive& p, const BodyMotion* motions, double* angles) noexcept;
  static double continueRow(const Primitive& p, const BodyMotion* motions, const double* previous, double phi) noexcept;
  static void startAngles(const Primitive& p, const BodyMotion* motions, double* counted) noexcept;
};

}  // namespace tactus::rt
