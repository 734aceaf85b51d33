// Twist: half the difference of two dot-1 products. One row, rad near zero: the twist of two bodies whose axes nearly
// coincide.
//
//   phi   = (a_1 . a_2 - b_1 . b_2) / 2                               (1)
//   H     = [0, n], [0, -n],  n = (a_1 x a_2 - b_1 x b_2) / 2         (2)
//   gamma = half the difference of (3) of dot_1.h                     (3)
//   K_i   = half the difference of (4) of dot_1.h                     (4)
#pragma once

#include "rt/mechanics/primitives/primitive.h"

namespace tactus::rt {

struct TwistPrimitive : PrimitiveRows {
  static constexpr PrimitiveKind kKind = PrimitiveKind::kTwist;

  static void rows(const Primitive& p, const BodyMotion* motions, double* phi, RowJacobian* jacobian) noexcept;
  static void gamma(const Primitive& p, const BodyMotion* motions, double* gamma) noexcept;
  static void addStiffness(const Primitive& p, const BodyMotion* motions, const double* lambda,
                           Matrix3d* stiffness) noexcept;
  static RowDerivatives derivatives(const Primitive& p, const BodyMotion* motions) noexcept;
  static Matrix12d reactionDerivative(const Primitive& p, const BodyMotion* motions, const double* lambda) noexcept;
};

}  // namespace tactus::rt
