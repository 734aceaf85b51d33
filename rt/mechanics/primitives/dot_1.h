// Dot-1: a direction of body 1 is perpendicular to a direction of body 2. One row, rad near zero.
//
//   phi   = a_1 . a_2                                                 (1)
//   H     = [0, n], [0, -n],  n = a_1 x a_2                           (2)
//   gamma = -(a_1'' . a_2 + a_1 . a_2'' + 2 a_1' . a_2')              (3)
//   K_1   = K(a_1, lambda a_2),  K_2 = K(a_2, lambda a_1)             (4)
//
// The terms are templates on the scalar: double here, four lanes in row_lanes.cpp.
#pragma once

#include "rt/mechanics/primitives/primitive.h"

namespace tactus::rt {

/// Second rate of a_1 . a_2 that the rotation rates alone cause, for directions fixed in the two bodies: minus (3).
template <class T>
T dotRate2(const Eigen::Matrix<T, 3, 1>& omega_1, const Eigen::Matrix<T, 3, 1>& omega_2,
           const Eigen::Matrix<T, 3, 1>& a_1, const Eigen::Matrix<T, 3, 1>& a_2) noexcept {
  const Eigen::Matrix<T, 3, 1> rate_1 = omega_1.cross(a_1), rate_2 = omega_2.cross(a_2);
  const T both = 2 * rate_1.dot(rate_2);
  return centripetal(omega_1, a_1).dot(a_2) + a_1.dot(centripetal(omega_2, a_2)) + both;
}

struct Dot1Primitive : PrimitiveRows {
  static constexpr PrimitiveKind kKind = PrimitiveKind::kDot1;
  static constexpr bool kInLanes = true;

  static void rows(const Primitive& p, const BodyMotion* motions, double* phi, RowJacobian* jacobian) noexcept;
  static void gamma(const Primitive& p, const BodyMotion* motions, double* gamma) noexcept;
  static void addStiffness(const Primitive& p, const BodyMotion* motions, const double* lambda,
                           Matrix3d* stiffness) noexcept;
  static RowDerivatives derivatives(const Primitive& p, const BodyMotion* motions) noexcept;
  static Matrix12d reactionDerivative(const Primitive& p, const BodyMotion* motions, const double* lambda) noexcept;
};

}  // namespace tactus::rt
