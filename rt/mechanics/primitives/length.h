// Length: the distance of two points. One row, m; a compliant or a driven one. lambda is the tension.
//
//   phi   = |d|                                                                   (1)
//   H     = -u^T [I, -skew(s_1)], u^T [I, -skew(s_2)], u = d / |d|                (2)
//   gamma = -(u . (c_2 - c_1) + (d' . d' - (u . d')^2) / |d|)                     (3)
//   K_i   = K(s_i, -+lambda u) + (lambda / |d|) (|s_i|^2 I - s_i s_i^T - n n^T),
//           n = s_i x u: a length does not grow by what lies along the line       (4)
//
// The terms are templates on the scalar: double here, four lanes in row_lanes.cpp.
#pragma once

#include "rt/mechanics/primitives/primitive.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace tactus::rt {

/// Lengths below this have no direction, m.
inline constexpr double kShortestLength = 1e-9;

/// |d|, or the shortest length that has a direction.
template <class T>
TACTUS_INLINE T lengthOf(const Eigen::Matrix<T, 3, 1>& d) noexcept {
  using std::sqrt;
  const T length = sqrt(d.squaredNorm());
  if constexpr (std::is_same_v<T, double>)
    return std::max(length, kShortestLength);
  else
    return worst(T(kShortestLength), length);
}

/// The vectors of a length, and the terms that follow from them.
template <class T>
struct LengthTerms {
  using Vector = Eigen::Matrix<T, 3, 1>;
  using Matrix = Eigen::Matrix<T, 3, 3>;

  Vector s_1, s_2;
  T length;
  Vector u;

  TACTUS_INLINE LengthTerms(const Vector& arm_1, const Vector& arm_2, const Vector& d) noexcept
      : s_1(arm_1), s_2(arm_2), length(lengthOf<T>(d)), u(d * (1.0 / length)) {}

  TACTUS_INLINE T phi() const noexcept { return length; }                           // (1)
  TACTUS_INLINE SideOfRow<T> side1() const noexcept { return {-u, u.cross(s_1)}; }  // (2)
  TACTUS_INLINE SideOfRow<T> side2() const noexcept { return {u, s_2.cross(u)}; }
  /// (3), with the velocities and rotation rates of the bodies.
  TACTUS_INLINE T gamma(const Vector& v_1, const Vector& omega_1, const Vector& v_2,
                        const Vector& omega_2) const noexcept {
    const Vector rate = rateOfPoints<T>(v_1, omega_1, s_1, v_2, omega_2, s_2);
    const T along = u.dot(rate);
    return -(u.dot(centripetalDifference<T>(omega_1, s_1, omega_2, s_2)) +
             (rate.squaredNorm() - along * along) / length);
  }
  TACTUS_INLINE Matrix stiffness1(const T& lambda) const noexcept { return stiffness(s_1, -lambda, lambda); }  // (4)
  TACTUS_INLINE Matrix stiffness2(const T& lambda) const noexcept { return stiffness(s_2, lambda, lambda); }

 private:
  TACTUS_INLINE Matrix stiffness(const Vector& s, const T& pull, const T& lambda) const noexcept {
    const T tension = lambda / length;
    const Vector n = s.cross(u), scaled = s * tension, turned = n * tension;
    Matrix sum = rotationalStiffness<T>(s, u * pull) - scaled * s.transpose() - turned * n.transpose();
    const T square = scaled.dot(s);
    for (int k = 0; k < 3; ++k) sum(k, k) += square;
    return sum;
  }
};

struct LengthPrimitive : PrimitiveRows {
  static constexpr PrimitiveKind kKind = PrimitiveKind::kLength;
  static constexpr bool kInLanes = true;

  static void rows(const Primitive& p, const BodyMotion* motions, double* phi, RowJacobian* jacobian) noexcept;
  static void gamma(const Primitive& p, const BodyMotion* motions, double* gamma) noexcept;
  static void addStiffness(const Primitive& p, const BodyMotion* motions, const double* lambda,
                           Matrix3d* stiffness) noexcept;
  static RowDerivatives derivatives(const Primitive& p, const BodyMotion* motions) noexcept;
  static Matrix12d reactionDerivative(const Primitive& p, const BodyMotion* motions, const double* lambda) noexcept;
};

}  // namespace tactus::rt
