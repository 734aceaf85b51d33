// Terms of the primitives that go side by side, for any scalar: double, or Lanes. World axes.
#pragma once

#include "rt/math/lanes.h"
#include "rt/mechanics/body_fixed.h"

namespace tactus::rt {

/// The Jacobian of one row for one body.
template <class T>
struct SideOfRow {
  Eigen::Matrix<T, 3, 1> translation, rotation;
};

/// Row `k` of sign [I, -skew(s)]: the rate of a point at the arm s.
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

/// Second rate of a_1 . a_2 that the rotation rates alone cause, for directions fixed in the two bodies.
template <class T>
T dotRate2(const Eigen::Matrix<T, 3, 1>& omega_1, const Eigen::Matrix<T, 3, 1>& omega_2,
           const Eigen::Matrix<T, 3, 1>& a_1, const Eigen::Matrix<T, 3, 1>& a_2) noexcept {
  const Eigen::Matrix<T, 3, 1> rate_1 = omega_1.cross(a_1), rate_2 = omega_2.cross(a_2);
  const T both = 2 * rate_1.dot(rate_2);
  return centripetal(omega_1, a_1).dot(a_2) + a_1.dot(centripetal(omega_2, a_2)) + both;
}

}  // namespace tactus::rt
