// Rolling: a travel along a direction of body 1 in proportion to an angle about an axis: racks, screws, and terms of
// couplers. One row, m.
//
//   phi   = t_1 . d - length - rho_1 angle(b_1, b_2 about a_1)                                    (1)
//   H     = [-t_1, t_1 x (d + s_1) + rho_1 a_1], [t_1, s_2 x t_1 - rho_1 a_1]                     (2)
//   gamma = -(t_1'' . d + t_1 . (c_2 - c_1) + 2 t_1' . d') + rho_1 a_1' . (omega_2 - omega_1)     (3)
//   K_1   = K(t_1, lambda (d + s_1)),  K_2 = K(s_2, lambda t_1)                                   (4)
#pragma once

#include "rt/mechanics/primitives/primitive.h"

namespace tactus::rt {

struct RollingPrimitive : PrimitiveRows {
  static constexpr PrimitiveKind kKind = PrimitiveKind::kRolling;
  static constexpr int kAngles = 1;
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
