// Dot-2: the line between two points is perpendicular to a direction of body 1. One row, m.
//
//   phi   = a_1 . d                                                   (1)
//   H     = [-a_1, a_1 x (d + s_1)], [a_1, s_2 x a_1]                 (2)
//   gamma = -(a_1'' . d + a_1 . (c_2 - c_1) + 2 a_1' . d')            (3)
//   K_1   = K(a_1, lambda (d + s_1)),  K_2 = K(s_2, lambda a_1)       (4)
#pragma once

#include "rt/mechanics/primitives/primitive.h"

namespace tactus::rt {

struct Dot2Primitive : PrimitiveRows {
  static constexpr PrimitiveKind kKind = PrimitiveKind::kDot2;

  static void rows(const Primitive& p, const BodyMotion* motions, double* phi, RowJacobian* jacobian) noexcept;
  static void gamma(const Primitive& p, const BodyMotion* motions, double* gamma) noexcept;
  static void addStiffness(const Primitive& p, const BodyMotion* motions, const double* lambda,
                           Matrix3d* stiffness) noexcept;
  static RowDerivatives derivatives(const Primitive& p, const BodyMotion* motions) noexcept;
  static Matrix12d reactionDerivative(const Primitive& p, const BodyMotion* motions, const double* lambda) noexcept;
};

}  // namespace tactus::rt
