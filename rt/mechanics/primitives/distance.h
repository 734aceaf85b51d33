// Distance: two points keep a distance L > 0. One row, m; lambda is the tension that pulls the points
// together.
//
//   phi   = (d . d - L^2) / (2 L)                                     (1)
//   H     = -u^T [I, -skew(s_1)], u^T [I, -skew(s_2)], u = d / L      (2)
//   gamma = -(d' . d' + d . (c_2 - c_1)) / L                          (3)
//   K_i   = K(s_i, -+lambda u) + (lambda / L) (|s_i|^2 I - s_i s_i^T) (4)
//
// The terms are templates on the scalar: double here, four lanes in row_lanes.cpp.
#pragma once

#include "rt/mechanics/primitives/primitive.h"

namespace tactus::rt {

/// The vectors of a distance, and the terms that follow from them.
template <class T>
struct DistanceTerms {
  using Vector = Eigen::Matrix<T, 3, 1>;
  using Matrix = Eigen::Matrix<T, 3, 3>;

  Vector s_1, s_2, d, u;
  T length;

  TACTUS_INLINE DistanceTerms(const Vector& arm_1, const Vector& arm_2, const Vector& distance, const T& L) noexcept
      : s_1(arm_1), s_2(arm_2), d(distance), u(distance * (1.0 / L)), length(L) {}

  TACTUS_INLINE T phi() const noexcept { return 0.5 * (d.squaredNorm() - length * length) / length; }  // (1)
  TACTUS_INLINE SideOfRow<T> side1() const noexcept { return {-u, u.cross(s_1)}; }                     // (2)
  TACTUS_INLINE SideOfRow<T> side2() const noexcept { return {u, s_2.cross(u)}; }
  /// (3), with the velocities and rotation rates of the bodies.
  TACTUS_INLINE T gamma(const Vector& v_1, const Vector& omega_1, const Vector& v_2,
                        const Vector& omega_2) const noexcept {
    return -(rateOfPoints<T>(v_1, omega_1, s_1, v_2, omega_2, s_2).squaredNorm() +
             d.dot(centripetalDifference<T>(omega_1, s_1, omega_2, s_2))) /
           length;
  }
  TACTUS_INLINE Matrix stiffness1(const T& lambda) const noexcept { return stiffness(s_1, -lambda, lambda); }  // (4)
  TACTUS_INLINE Matrix stiffness2(const T& lambda) const noexcept { return stiffness(s_2, lambda, lambda); }

 private:
  TACTUS_INLINE Matrix stiffness(const Vector& s, const T& pull, const T& lambda) const noexcept {
    const T tension = lambda / length;
    const Vector scaled = s * tension;
    Matrix sum = rotationalStiffness<T>(s, u * pull) - scaled * s.transpose();
    const T square = scaled.dot(s);
    for (int k = 0; k < 3; ++k) sum(k, k) += square;
    return sum;
  }
};

struct DistancePrimitive : PrimitiveRows {
  static constexpr PrimitiveKind kKind = PrimitiveKind::kDistance;
  static constexpr bool kInLanes = true;

  static void rows(const Primitive& p, const BodyMotion* motions, double* phi, RowJacobian* jacobian) noexcept;
  static void gamma(const Primitive& p, const BodyMotion* motions, double* gamma) noexcept;
  static void addStiffness(const Primitive& p, const BodyMotion* motions, const double* lambda,
                           Matrix3d* stiffness) noexcept;
  static RowDerivatives derivatives(const Primitive& p, const BodyMotion* motions) noexcept;
  static Matrix12d reactionDerivative(const Primitive& p, const BodyMotion* motions, const double* lambda) noexcept;
};

}  // namespace tactus::rt
