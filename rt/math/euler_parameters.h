// Euler parameters p = (e0, e1, e2, e3), scalar first; R(p) turns body components into world components.
//
// With G(p) = [-e, e0 I - skew(e)] and E(p) = [-e, e0 I + skew(e)] (3 x 4):
//   G p = E p = 0,   G G^T = E E^T = |p|^2 I,   R = E G^T,   omega_b = 2 G pd,   omega_w = 2 E pd.
//
// All of it for any scalar: double, or Lanes.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace tactus::rt {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::Vector4d;

template <class X>
using Vector3Of = Eigen::Matrix<typename X::Scalar, 3, 1>;
template <class X>
using Vector4Of = Eigen::Matrix<typename X::Scalar, 4, 1>;
template <class X>
using Matrix3Of = Eigen::Matrix<typename X::Scalar, 3, 3>;
template <class X>
using Vector = Eigen::MatrixBase<X>;  ///< of 3 or 4 components, as the name of the argument says

/// Rotation matrix of a unit quaternion, body to world.
template <class P>
Matrix3Of<P> rotationMatrix(const Vector<P>& p) noexcept {
  const typename P::Scalar e0 = p[0], e1 = p[1], e2 = p[2], e3 = p[3];
  Matrix3Of<P> R;
  R << e0 * e0 + e1 * e1 - e2 * e2 - e3 * e3, 2 * (e1 * e2 - e0 * e3), 2 * (e1 * e3 + e0 * e2), 2 * (e1 * e2 + e0 * e3),
      e0 * e0 - e1 * e1 + e2 * e2 - e3 * e3, 2 * (e2 * e3 - e0 * e1), 2 * (e1 * e3 - e0 * e2), 2 * (e2 * e3 + e0 * e1),
      e0 * e0 - e1 * e1 - e2 * e2 + e3 * e3;
  return R;
}

/// G(p) x for a 4-vector x: half the body angular velocity if x is the rate of p.
template <class P, class X>
Vector3Of<P> multiplyG(const Vector<P>& p, const Vector<X>& x) noexcept {
  const Vector4Of<X> y = x;
  const Vector3Of<P> e = p.template tail<3>(), u = y.template tail<3>();
  return -e * y[0] + p[0] * u - e.cross(u);
}

/// G(p)^T w for a 3-vector w in body axes.
template <class P, class W>
Vector4Of<P> multiplyGTransposed(const Vector<P>& p, const Vector<W>& w) noexcept {
  const Vector3Of<P> e = p.template tail<3>(), u = w;
  Vector4Of<P> x;
  x[0] = -e.dot(u);
  x.template tail<3>() = p[0] * u + e.cross(u);
  return x;
}

/// E(p)^T w for a 3-vector w in world axes.
template <class P, class W>
Vector4Of<P> multiplyETransposed(const Vector<P>& p, const Vector<W>& w) noexcept {
  const Vector3Of<P> e = p.template tail<3>(), u = w;
  Vector4Of<P> x;
  x[0] = -e.dot(u);
  x.template tail<3>() = p[0] * u - e.cross(u);
  return x;
}

/// Rate of p from the body angular velocity (rad/s).
template <class P, class W>
Vector4Of<P> rateOf(const Vector<P>& p, const Vector<W>& omega_b) noexcept {
  return 0.5 * multiplyGTransposed(p, omega_b);
}

/// Second rate of p from the body angular velocity (rad/s) and its rate (rad/s^2).
template <class P, class W, class A>
Vector4Of<P> secondRateOf(const Vector<P>& p, const Vector<W>& omega_b, const Vector<A>& alpha_b) noexcept {
  const typename P::Scalar quarter = 0.25 * omega_b.squaredNorm();
  return 0.5 * multiplyGTransposed(p, alpha_b) - quarter * p;
}

/// A quaternion of length one.
template <class P>
Vector4Of<P> normalized(const Vector<P>& p) noexcept {
  using std::sqrt;
  const Vector4Of<P> q = p;
  const typename P::Scalar inverse = 1 / sqrt(q.squaredNorm());
  return inverse * q;
}

/// p turned by a small rotation vector given in world axes (rad), and normalised.
template <class P, class W>
Vector4Of<P> turnedBy(const Vector<P>& p, const Vector<W>& dphi_w) noexcept {
  return normalized(p + 0.5 * multiplyETransposed(p, dphi_w));
}

/// Quaternion product: the rotation b followed by a.
inline Vector4d product(const Vector4d& a, const Vector4d& b) noexcept {
  Vector4d c;
  c[0] = a[0] * b[0] - a.tail<3>().dot(b.tail<3>());
  c.tail<3>() = a[0] * b.tail<3>() + b[0] * a.tail<3>() + a.tail<3>().cross(b.tail<3>());
  return c;
}

}  // namespace tactus::rt
