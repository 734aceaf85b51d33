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
  using T = typename P::Scalar;
  const T e0 = p[0], e1 = p[1], e2 = p[2], e3 = p[3];
  const T twice_e1 = e1 + e1, twice_e2 = e2 + e2, twice_e3 = e3 + e3;
  const T turn_x = twice_e1 * e0, turn_y = twice_e2 * e0, turn_z = twice_e3 * e0;
  const T z_square = e3 * e3, y_square = e2 * e2;
  const T sum_z = e0 * e0 + z_square, difference_z = e0 * e0 - z_square;
  const T sum_xy = e1 * e1 + y_square, difference_xy = e1 * e1 - y_square;
  Matrix3Of<P> R;
  R << difference_z + difference_xy, twice_e1 * e2 - turn_z, twice_e1 * e3 + turn_y, twice_e1 * e2 + turn_z,
      difference_z - difference_xy, twice_e2 * e3 - turn_x, twice_e1 * e3 - turn_y, twice_e2 * e3 + turn_x,
      sum_z - sum_xy;
  return R;
}

/// G(p) x for a 4-vector x: half the body angular velocity if x is the rate of p.
template <class P, class X>
Vector3Of<P> multiplyG(const Vector<P>& p, const Vector<X>& x) noexcept {
  // Written out, here and below: each number a sum of products, with nothing to negate.
  const Vector4Of<P> e = p;
  const Vector4Of<X> y = x;
  return {e[0] * y[1] - e[1] * y[0] - e[2] * y[3] + e[3] * y[2], e[0] * y[2] - e[2] * y[0] - e[3] * y[1] + e[1] * y[3],
          e[0] * y[3] - e[3] * y[0] - e[1] * y[2] + e[2] * y[1]};
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

/// p, of length one, turned by a small rotation vector given in world axes (rad); of length one again.
template <class P, class W>
Vector4Of<P> turnedBy(const Vector<P>& p, const Vector<W>& dphi_w) noexcept {
  const Vector4Of<P> e = p;
  const Vector3Of<P> u = 0.5 * dphi_w;
  // The small part first, so that each number is rounded only once at the size of p.
  const Vector4Of<P> change{-e[1] * u[0] - e[2] * u[1] - e[3] * u[2], e[0] * u[0] - e[2] * u[2] + e[3] * u[1],
                            e[0] * u[1] - e[3] * u[0] + e[1] * u[2], e[0] * u[2] - e[1] * u[1] + e[2] * u[0]};
  // The change is at right angles to p.
  using std::sqrt;
  const typename P::Scalar inverse = 1 / sqrt(1 + u.squaredNorm());
  return inverse * (e + change);
}

/// Quaternion product: the rotation b followed by a.
template <class A, class B>
Vector4Of<A> product(const Vector<A>& a, const Vector<B>& b) noexcept {
  const Vector4Of<A> x = a, y = b;
  return {x[0] * y[0] - x[1] * y[1] - x[2] * y[2] - x[3] * y[3], x[0] * y[1] + x[1] * y[0] + x[2] * y[3] - x[3] * y[2],
          x[0] * y[2] + x[2] * y[0] + x[3] * y[1] - x[1] * y[3], x[0] * y[3] + x[3] * y[0] + x[1] * y[2] - x[2] * y[1]};
}

}  // namespace tactus::rt
