// Length: the distance of two points. One row, m; a compliant or a driven one. lambda is the tension.
//
//   phi   = |d|                                                                   (1)
//   H     = -u^T [I, -skew(s_1)], u^T [I, -skew(s_2)], u = d / |d|                (2)
//   gamma = -(u . (c_2 - c_1) + (d' . d' - (u . d')^2) / |d|)                     (3)
//   K_i   = K(s_i, -+lambda u) + (lambda / |d|) (|s_i|^2 I - s_i s_i^T - n n^T),
//           n = s_i x u: a length does not grow by what lies along the line       (4)
#pragma once

#include "rt/mechanics/primitives/primitive.h"

#include <algorithm>

namespace tactus::rt {

/// Lengths below this have no direction, m.
inline constexpr double kShortestLength = 1e-9;

/// |d|, or the shortest length that has a direction.
inline double lengthOf(const Vector3d& d) noexcept {
  return std::max(d.norm(), kShortestLength);
}

struct LengthPrimitive : PrimitiveRows {
  static constexpr PrimitiveKind kKind = PrimitiveKind::kLength;

  static void rows(const Primitive& p, const BodyMotion* motions, double* phi, RowJacobian* jacobian) noexcept;
  static void gamma(const Primitive& p, const BodyMotion* motions, double* gamma) noexcept;
  static void addStiffness(const Primitive& p, const BodyMotion* motions, const double* lambda,
                           Matrix3d* stiffness) noexcept;
  static RowDerivatives derivatives(const Primitive& p, const BodyMotion* motions) noexcept;
  static Matrix12d reactionDerivative(const Primitive& p, const BodyMotion* motions, const double* lambda) noexcept;
};

}  // namespace tactus::rt
