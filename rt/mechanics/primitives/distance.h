// Distance: two points keep a distance L > 0. One row, m; lambda is the tension that pulls the points
// together.
//
//   phi   = (d . d - L^2) / (2 L)                                     (1)
//   H     = -u^T [I, -skew(s_1)], u^T [I, -skew(s_2)], u = d / L      (2)
//   gamma = -(d' . d' + d . (c_2 - c_1)) / L                          (3)
//   K_i   = K(s_i, -+lambda u) + (lambda / L) (|s_i|^2 I - s_i s_i^T) (4)
#pragma once

#include "rt/mechanics/primitives/primitive.h"

namespace tactus::rt {

struct DistancePrimitive : PrimitiveRows {
  static constexpr PrimitiveKind kKind = PrimitiveKind::kDistance;

  static void rows(const Primitive& p, const BodyMotion* motions, double* phi, RowJacobian* jacobian) noexcept;
  static void gamma(const Primitive& p, const BodyMotion* motions, double* gamma) noexcept;
  static void addStiffness(const Primitive& p, const BodyMotion* motions, const double* lambda,
                           Matrix3d* stiffness) noexcept;
  static RowDerivatives derivatives(const Primitive& p, const BodyMotion* motions) noexcept;
  static Matrix12d reactionDerivative(const Primitive& p, const BodyMotion* motions, const double* lambda) noexcept;
};

}  // namespace tactus::rt
