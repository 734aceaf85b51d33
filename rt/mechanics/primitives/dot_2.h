// Dot-2: the line between two points is perpendicular to a direction of body 1. One row, m.
//
//   phi   = a_1 . d                                                   (1)
//   H     = [-a_1, a_1 x (d + s_1)], [a_1, s_2 x a_1]                 (2)
//   gamma = -(a_1'' . d + a_1 . (c_2 - c_1) + 2 a_1' . d')            (3)
//   K_1   = K(a_1, lambda (d + s_1)),  K_2 = K(s_2, lambda a_1)       (4)
//
// The terms are templates on the scalar: double here, four lanes in row_lanes.cpp.
#pragma once

#include "rt/mechanics/primitives/primitive.h"

namespace tactus::rt {

/// The vectors of a dot-2 row, and the terms that follow from them.
template <class T>
struct Dot2Terms {
  using Vector = Eigen::Matrix<T, 3, 1>;
  using Matrix = Eigen::Matrix<T, 3, 3>;

  Vector s_1, s_2, d, a_1;

  TACTUS_INLINE T phi() const noexcept { return a_1.dot(d); }                               // (1)
  TACTUS_INLINE SideOfRow<T> side1() const noexcept { return {-a_1, a_1.cross(d + s_1)}; }  // (2)
  TACTUS_INLINE SideOfRow<T> side2() const noexcept { return {a_1, s_2.cross(a_1)}; }
  /// (3), with the velocities and rotation rates of the bodies.
  TACTUS_INLINE T gamma(const Vector& v_1, const Vector& omega_1, const Vector& v_2,
                        const Vector& omega_2) const noexcept {
    const Vector rate = rateOfPoints<T>(v_1, omega_1, s_1, v_2, omega_2, s_2);
    const Vector turning = omega_1.cross(a_1);
    return -(centripetal<T>(omega_1, a_1).dot(d) + a_1.dot(centripetalDifference<T>(omega_1, s_1, omega_2, s_2)) +
             2 * turning.dot(rate));
  }
  TACTUS_INLINE Matrix stiffness1(const T& lambda) const noexcept {  // (4)
    return rotationalStiffness<T>(a_1, (d + s_1) * lambda);
  }
  TACTUS_INLINE Matrix stiffness2(const T& lambda) const noexcept { return rotationalStiffness<T>(s_2, a_1 * lambda); }
};

struct Dot2Primitive : PrimitiveRows {
  static constexpr PrimitiveKind kKind = PrimitiveKind::kDot2;
  static constexpr bool kInLanes = true;

  static void rows(const Primitive& p, const BodyMotion* motions, double* phi, RowJacobian* jacobian) noexcept;
  static void gamma(const Primitive& p, const BodyMotion* motions, double* gamma) noexcept;
  static void addStiffness(const Primitive& p, const BodyMotion* motions, const double* lambda,
                           Matrix3d* stiffness) noexcept;
  static RowDerivatives derivatives(const Primitive& p, const BodyMotion* motions) noexcept;
  static Matrix12d reactionDerivative(const Primitive& p, const BodyMotion* motions, const double* lambda) noexcept;
};

}  // namespace tactus::rt
