// Twist: half the difference of two dot-1 products. One row, rad near zero: the twist of two bodies whose axes nearly
// coincide.
//
//   phi   = (a_1 . a_2 - b_1 . b_2) / 2                               (1)
//   H     = [0, n], [0, -n],  n = (a_1 x a_2 - b_1 x b_2) / 2         (2)
//   gamma = half the difference of (3) of dot_1.h                     (3)
//   K_i   = half the difference of (4) of dot_1.h                     (4)
//
// The terms are templates on the scalar: double here, four lanes in row_lanes.cpp.
#pragma once

#include "rt/mechanics/primitives/dot_1.h"

namespace tactus::rt {

/// The vectors of a twist row, and the terms that follow from them.
template <class T>
struct TwistTerms {
  using Vector = Eigen::Matrix<T, 3, 1>;
  using Matrix = Eigen::Matrix<T, 3, 3>;

  Vector a_1, a_2, b_1, b_2;

  TACTUS_INLINE T phi() const noexcept { return 0.5 * (a_1.dot(a_2) - b_1.dot(b_2)); }              // (1)
  TACTUS_INLINE Vector normal() const noexcept { return 0.5 * (a_1.cross(a_2) - b_1.cross(b_2)); }  // n of (2)
  /// (3), with the rotation rates of the bodies.
  TACTUS_INLINE T gamma(const Vector& omega_1, const Vector& omega_2) const noexcept {
    return -0.5 * (dotRate2<T>(omega_1, omega_2, a_1, a_2) - dotRate2<T>(omega_1, omega_2, b_1, b_2));
  }
  TACTUS_INLINE Matrix stiffness1(const T& lambda) const noexcept { return difference(a_1, a_2, b_1, b_2, lambda); }
  TACTUS_INLINE Matrix stiffness2(const T& lambda) const noexcept { return difference(a_2, a_1, b_2, b_1, lambda); }

 private:
  TACTUS_INLINE static Matrix difference(const Vector& a, const Vector& other_a, const Vector& b, const Vector& other_b,
                                         const T& lambda) noexcept {
    const T half = 0.5 * lambda;
    return rotationalStiffness<T>(a, other_a * half) - rotationalStiffness<T>(b, other_b * half);  // (4)
  }
};

struct TwistPrimitive : PrimitiveRows {
  static constexpr PrimitiveKind kKind = PrimitiveKind::kTwist;
  static constexpr bool kInLanes = true;

  static void rows(const Primitive& p, const BodyMotion* motions, double* phi, RowJacobian* jacobian) noexcept;
  static void gamma(const Primitive& p, const BodyMotion* motions, double* gamma) noexcept;
  static void addStiffness(const Primitive& p, const BodyMotion* motions, const double* lambda,
                           Matrix3d* stiffness) noexcept;
  static RowDerivatives derivatives(const Primitive& p, const BodyMotion* motions) noexcept;
  static Matrix12d reactionDerivative(const Primitive& p, const BodyMotion* motions, const double* lambda) noexcept;
};

}  // namespace tactus::rt
