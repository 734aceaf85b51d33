// Euler parameters p = (e0, e1, e2, e3), scalar first; R(p) turns body components into world components.
//
// With G(p) = [-e, e0 I - skew(e)] and E(p) = [-e, e0 I + skew(e)] (3 x 4):
//   G p = E p = 0,   G G^T = E E^T = |p|^2 I,   R = E G^T,   omega_b = 2 G pd,   omega_w = 2 E pd.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace tactus::rt {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::Vector4d;

/// Rotation matrix of a unit quaternion, body to world.
inline Matrix3d rotationMatrix(const Vector4d& p) noexcept {
  const double e0 = p[0], e1 = p[1], e2 = p[2], e3 = p[3];
  Matrix3d R;
  R << e0 * e0 + e1 * e1 - e2 * e2 - e3 * e3, 2 * (e1 * e2 - e0 * e3), 2 * (e1 * e3 + e0 * e2), 2 * (e1 * e2 + e0 * e3),
      e0 * e0 - e1 * e1 + e2 * e2 - e3 * e3, 2 * (e2 * e3 - e0 * e1), 2 * (e1 * e3 - e0 * e2), 2 * (e2 * e3 + e0 * e1),
      e0 * e0 - e1 * e1 - e2 * e2 + e3 * e3;
  return R;
}

/// G(p) x for a 4-vector x: half the body angular velocity if x is the rate of p.
inline Vector3d multiplyG(const Vector4d& p, const Vector4d& x) noexcept {
  const Vector3d e = p.tail<3>(), u = x.tail<3>();
  return -e * x[0] + p[0] * u - e.cross(u);
}

/// G(p)^T w for a 3-vector w in body axes.
inline Vector4d multiplyGTransposed(const Vector4d& p, const Vector3d& w) noexcept {
  const Vector3d e = p.tail<3>();
  Vector4d x;
  x[0] = -e.dot(w);
  x.tail<3>() = p[0] * w + e.cross(w);
  return x;
}

/// E(p)^T w for a 3-vector w in world axes.
inline Vector4d multiplyETransposed(const Vector4d& p, const Vector3d& w) noexcept {
  const Vector3d e = p.tail<3>();
  Vector4d x;
  x[0] = -e.dot(w);
  x.tail<3>() = p[0] * w - e.cross(w);
  return x;
}

/// Rate of p from the body angular velocity (rad/s).
inline Vector4d rateOf(const Vector4d& p, const Vector3d& omega_b) noexcept {
  return 0.5 * multiplyGTransposed(p, omega_b);
}

/// Second rate of p from the body angular velocity (rad/s) and its rate (rad/s^2).
inline Vector4d secondRateOf(const Vector4d& p, const Vector3d& omega_b, const Vector3d& alpha_b) noexcept {
  return 0.5 * multiplyGTransposed(p, alpha_b) - 0.25 * omega_b.squaredNorm() * p;
}

/// p turned by a small rotation vector given in world axes (rad), and normalised.
inline Vector4d turnedBy(const Vector4d& p, const Vector3d& dphi_w) noexcept {
  const Vector4d q = p + 0.5 * multiplyETransposed(p, dphi_w);
  return q / q.norm();
}

/// Quaternion product: the rotation b followed by a.
inline Vector4d product(const Vector4d& a, const Vector4d& b) noexcept {
  Vector4d c;
  c[0] = a[0] * b[0] - a.tail<3>().dot(b.tail<3>());
  c.tail<3>() = a[0] * b.tail<3>() + b[0] * a.tail<3>() + a.tail<3>().cross(b.tail<3>());
  return c;
}

}  // namespace tactus::rt
