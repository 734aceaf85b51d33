// Vectors fixed in a rotating body, for any scalar: double, or Lanes. World axes throughout.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace tactus::rt {

/// Acceleration of a body-fixed arm that its rotation rate alone causes: omega x (omega x arm).
template <class T>
Eigen::Matrix<T, 3, 1> centripetal(const Eigen::Matrix<T, 3, 1>& omega, const Eigen::Matrix<T, 3, 1>& arm) noexcept {
  const Eigen::Matrix<T, 3, 1> rate = omega.cross(arm);
  return omega.cross(rate);
}

/// Rotational geometric stiffness K(a, l) = (a l^T + l a^T) / 2 - (a . l) I: the derivative of a x l by the rotation of
/// a, symmetrized.
template <class T>
Eigen::Matrix<T, 3, 3> rotationalStiffness(const Eigen::Matrix<T, 3, 1>& a, const Eigen::Matrix<T, 3, 1>& l) noexcept {
  Eigen::Matrix<T, 3, 3> k = 0.5 * (a * l.transpose() + l * a.transpose());
  const T along = a.dot(l);
  for (int i = 0; i < 3; ++i) k(i, i) -= along;
  return k;
}

}  // namespace tactus::rt
