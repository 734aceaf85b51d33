// Point: two points coincide. Three rows; lambda is the force on body 2.
//
//   phi   = x_1 - x_2 = -d                               (1)
//   H     = [I, -skew(s_1)], -[I, -skew(s_2)]            (2)
//   gamma = c_2 - c_1                                    (3)
//   K_1   = K(s_1, lambda),  K_2 = K(s_2, -lambda)       (4)
//
// The terms are templates on the scalar: double here, four lanes in row_lanes.cpp.
#pragma once

#include "rt/mechanics/primitives/primitive.h"

namespace tactus::rt {

/// Row `k` of sign [I, -skew(s)], (2): the rate of a point at the arm s.
template <class T>
TACTUS_INLINE SideOfRow<T> pointSide(int k, const T& sign, const Eigen::Matrix<T, 3, 1>& s) noexcept {
  const T none(0.0);
  SideOfRow<T> side{{none, none, none}, {none, none, none}};
  const int next = k == 2 ? 0 : k + 1, last = k == 0 ? 2 : k - 1;
  side.translation[k] = sign;
  side.rotation[next] = sign * s[last];
  side.rotation[last] = -(sign * s[next]);
  return side;
}

struct PointPrimitive : PrimitiveRows {
  static constexpr PrimitiveKind kKind = PrimitiveKind::kPoint;
  static constexpr int kRows = 3;
  static constexpr bool kInLanes = true;

  static void rows(const Primitive& p, const BodyMotion* motions, double* phi, RowJacobian* jacobian) noexcept;
  static void gamma(const Primitive& p, const BodyMotion* motions, double* gamma) noexcept;
  static void addStiffness(const Primitive& p, const BodyMotion* motions, const double* lambda,
                           Matrix3d* stiffness) noexcept;
  static RowDerivatives derivatives(const Primitive& p, const BodyMotion* motions) noexcept;
  static Matrix12d reactionDerivative(const Primitive& p, const BodyMotion* motions, const double* lambda) noexcept;
};

}  // namespace tactus::rt
