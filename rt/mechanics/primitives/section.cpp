#include "rt/mechanics/primitives/section.h"

#include "rt/math/dual.h"
#include "rt/math/section_pair.h"

namespace tactus::rt {

namespace {

template <class T>
using VectorOf = Eigen::Matrix<T, 3, 1>;
template <class T>
using RotationOf = Eigen::Matrix<T, 3, 3>;
template <class T>
using JacobianOf = Eigen::Matrix<T, 6, 12>;
using Velocities = Eigen::Matrix<double, 12, 1>;

template <class T>
struct Place {
  VectorOf<T> r;
  RotationOf<T> R;
};

Matrix3d frameOf(const Vector3d& a, const Vector3d& b) noexcept {
  Matrix3d frame;
  frame << a, b, a.cross(b);
  return frame;
}

/// Two bodies and what the rows of a primitive between them are there, for any scalar.
template <class T>
struct SectionRows {
  VectorOf<T> s_1, s_2;
  SectionPair<T> pair;

  SectionRows(const Primitive& p, const Place<T>& b_1, const Place<T>& b_2) noexcept
      : s_1(b_1.R * p.s_1.cast<T>()),
        s_2(b_2.R * p.s_2.cast<T>()),
        pair({b_1.r + s_1, b_1.R * frameOf(p.a_1, p.b_1).cast<T>()},
             {b_2.r + s_2, b_2.R * frameOf(p.a_2, p.b_2).cast<T>()}) {}

  /// (2); the columns of ground are zero.
  JacobianOf<T> jacobian(const Primitive& p) const noexcept {
    JacobianOf<T> H = pair.jacobian();
    moveToCenter(s_1, 0, H);
    moveToCenter(s_2, 6, H);
    if (p.body_1 == kGround) H.template leftCols<6>().setZero();
    if (p.body_2 == kGround) H.template rightCols<6>().setZero();
    return H;
  }

 private:
  /// Adds dx = dphi x s of one section to its columns of dphi.
  static void moveToCenter(const VectorOf<T>& s, int first, JacobianOf<T>& H) noexcept {
    for (int row = 0; row < 3; ++row) {
      const VectorOf<T> h = H.template block<1, 3>(row, first).transpose();
      H.template block<1, 3>(row, first + 3) += s.cross(h).transpose();
    }
  }
};

Place<double> placeOf(const BodyMotion& m) noexcept {
  return {m.r, m.R};
}

/// A body on its way: derivative 0 is by time.
Place<Dual<double, 1>> movingPlaceOf(const BodyMotion& m) noexcept {
  Place<Dual<double, 1>> place{m.r.cast<Dual<double, 1>>(), m.R.cast<Dual<double, 1>>()};
  for (int row = 0; row < 3; ++row) {
    place.r[row].d[0] = m.v[row];
    for (int col = 0; col < 3; ++col) place.R(row, col).d[0] = m.omega_w.cross(m.R.col(col))[row];
  }
  return place;
}

/// A body that may be moved: derivatives by the increments of its side. T holds what else may change.
template <class T>
Place<Dual<T, 12>> variedPlaceOf(const Place<T>& at, int side) noexcept {
  using D = Dual<T, 12>;
  Place<D> place{at.r.template cast<D>(), at.R.template cast<D>()};
  const auto first = static_cast<std::size_t>(6 * side);
  for (std::size_t k = 0; k < 3; ++k) {
    const auto axis = static_cast<Eigen::Index>(k);
    place.r[axis].d[first + k] = T(1);
    // e_k x R
    for (int col = 0; col < 3; ++col) {
      place.R((axis + 2) % 3, col).d[first + 3 + k] = at.R((axis + 1) % 3, col);
      place.R((axis + 1) % 3, col).d[first + 3 + k] = -at.R((axis + 2) % 3, col);
    }
  }
  return place;
}

/// The order of derivatives: first an increment of the pose, then time. A rate is that of the moved body.
Place<Dual<Dual<double, 1>, 12>> variedMovingPlaceOf(const BodyMotion& m, int side) noexcept {
  using Inner = Dual<double, 1>;
  Place<Dual<Inner, 12>> place = variedPlaceOf(Place<Inner>{m.r.cast<Inner>(), m.R.cast<Inner>()}, side);
  for (int row = 0; row < 3; ++row) place.r[row].value.d[0] = m.v[row];
  const RotationOf<Dual<Inner, 12>> R = place.R;
  for (int col = 0; col < 3; ++col)
    for (int row = 0; row < 3; ++row) {
      const int next = (row + 1) % 3, last = (row + 2) % 3;
      // omega x R of the value, and of each derivative.
      place.R(row, col).value.d[0] =
          m.omega_w[next] * R(last, col).value.value - m.omega_w[last] * R(next, col).value.value;
      for (std::size_t k = 0; k < 12; ++k)
        place.R(row, col).d[k].d[0] =
            m.omega_w[next] * R(last, col).d[k].value - m.omega_w[last] * R(next, col).d[k].value;
    }
  return place;
}

SectionRows<Dual<double, 1>> movingRows(const Primitive& p, const EndBodies& e) noexcept {
  return {p, movingPlaceOf(e.b1), movingPlaceOf(e.b2)};
}

Velocities velocitiesOf(const EndBodies& e) noexcept {
  Velocities u;
  u << e.b1.v, e.b1.omega_w, e.b2.v, e.b2.omega_w;
  return u;
}

}  // namespace

void SectionPrimitive::rows(const Primitive& p, const BodyMotion* motions, double* phi,
                            RowJacobian* jacobian) noexcept {
  const EndBodies e(p, motions);
  const SectionRows<double> rows(p, placeOf(e.b1), placeOf(e.b2));
  Eigen::Map<Vector6d>(phi, 6) = rows.pair.value();  // (1)
  const JacobianOf<double> H = rows.jacobian(p);     // (2)
  for (int row = 0; row < 6; ++row)
    for (int k = 0; k < 12; ++k) jacobian[row].h[k / 6][k % 6] = H(row, k);
}

void SectionPrimitive::gamma(const Primitive& p, const BodyMotion* motions, double* gamma) noexcept {
  const EndBodies e(p, motions);
  const JacobianOf<Dual<double, 1>> H = movingRows(p, e).jacobian(p);
  const Velocities u = velocitiesOf(e);
  for (int row = 0; row < 6; ++row) {
    gamma[row] = 0;
    for (int k = 0; k < 12; ++k) gamma[row] -= H(row, k).d[0] * u[k];  // (3)
  }
}

RowDerivatives SectionPrimitive::derivatives(const Primitive& p, const BodyMotion* motions) noexcept {
  const EndBodies e(p, motions);
  using Scalar = Dual<Dual<double, 1>, 12>;
  const JacobianOf<Scalar> H =
      SectionRows<Scalar>(p, variedMovingPlaceOf(e.b1, 0), variedMovingPlaceOf(e.b2, 1)).jacobian(p);
  const Velocities u = velocitiesOf(e);
  Velocities a;
  a << e.b1.a, e.b1.alpha_w, e.b2.a, e.b2.alpha_w;
  RowDerivatives d;
  for (int row = 0; row < 6; ++row)
    for (std::size_t k = 0; k < 12; ++k) {
      const auto by = static_cast<Eigen::Index>(k);
      // The columns of ground are no increments of the primitive.
      if ((k < 6 ? p.body_1 : p.body_2) == kGround) continue;
      for (int c = 0; c < 12; ++c) {
        const Dual<double, 1>& varied = H(row, c).d[k];
        d.rate_by_position(row, by) += varied.value * u[c];
        d.second_rate_by_position(row, by) += varied.value * a[c] + varied.d[0] * u[c];
      }
      d.second_rate_by_velocity(row, by) = d.rate_by_position(row, by) + H(row, by).value.d[0];
    }
  return d;
}

Matrix12d SectionPrimitive::reactionDerivative(const Primitive& p, const BodyMotion* motions,
                                               const double* lambda) noexcept {
  const EndBodies e(p, motions);
  using Scalar = Dual<double, 12>;
  const JacobianOf<Scalar> H =
      SectionRows<Scalar>(p, variedPlaceOf(placeOf(e.b1), 0), variedPlaceOf(placeOf(e.b2), 1)).jacobian(p);
  Matrix12d sum = Matrix12d::Zero();
  for (int row = 0; row < 12; ++row)
    for (std::size_t k = 0; k < 12; ++k) {
      if ((k < 6 ? p.body_1 : p.body_2) == kGround) continue;
      for (int c = 0; c < 6; ++c) sum(row, static_cast<Eigen::Index>(k)) += H(c, row).d[k] * lambda[c];
    }
  return sum;
}

}  // namespace tactus::rt
