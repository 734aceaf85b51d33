#include "rt/mechanics/primitives/section.h"

#include "rt/model/compliant_law.h"

namespace tactus::rt {

namespace {

using Velocities = Eigen::Matrix<double, 12, 1>;

FixedSections<double> fixedIn(const Primitive& p) noexcept {
  return {p.s_1, p.s_2, sectionFrame<double>(p.a_1, p.b_1), sectionFrame<double>(p.a_2, p.b_2)};
}

SectionBody<double> bodyAt(const BodyMotion& m) noexcept {
  return {m.r, m.R};
}

/// The columns of ground are zero.
template <class Jacobian>
Jacobian withoutGround(const Primitive& p, Jacobian H) noexcept {
  if (p.body_1 == kGround) H.template leftCols<6>().setZero();
  if (p.body_2 == kGround) H.template rightCols<6>().setZero();
  return H;
}

using Rate = Dual<double, 1>;
/// The order of derivatives: first an increment of the pose, then time. A rate is that of the moved body.
using Varied = Dual<Rate, 12>;

/// A body that may be moved: derivatives by the increments of its side.
SectionBody<Varied> variedBody(const SectionBody<Rate>& at, int side) noexcept {
  SectionBody<Varied> place{at.r.cast<Varied>(), at.R.cast<Varied>()};
  const auto first = static_cast<std::size_t>(6 * side);
  for (std::size_t k = 0; k < 3; ++k) {
    const auto axis = static_cast<Eigen::Index>(k);
    place.r[axis].d[first + k] = Rate(1);
    // e_k x R
    for (int col = 0; col < 3; ++col) {
      place.R((axis + 2) % 3, col).d[first + 3 + k] = at.R((axis + 1) % 3, col);
      place.R((axis + 1) % 3, col).d[first + 3 + k] = -at.R((axis + 2) % 3, col);
    }
  }
  return place;
}

SectionBody<Varied> variedMovingBody(const BodyMotion& m, int side) noexcept {
  SectionBody<Varied> place = variedBody({m.r.cast<Rate>(), m.R.cast<Rate>()}, side);
  for (int row = 0; row < 3; ++row) place.r[row].value.d[0] = m.v[row];
  const Eigen::Matrix<Varied, 3, 3> R = place.R;
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

/// The Jacobian with its derivatives. One scalar for all uses: each more takes seconds to compile.
auto jacobianOfVariedBodies(const Primitive& p, const EndBodies& e) noexcept {
  return withoutGround(
      p, SectionRows<Varied>(fixedIn(p), variedMovingBody(e.b1, 0), variedMovingBody(e.b2, 1)).jacobian());
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
  const SectionRows<double> rows(fixedIn(p), bodyAt(e.b1), bodyAt(e.b2));
  Eigen::Map<Vector6d>(phi, 6) = rows.pair.value();  // (1)
  const auto H = withoutGround(p, rows.jacobian());  // (2)
  for (int row = 0; row < 6; ++row)
    for (int k = 0; k < 12; ++k) jacobian[row].h[k / 6][k % 6] = H(row, k);
}

void SectionPrimitive::gamma(const Primitive& p, const BodyMotion* motions, double* gamma) noexcept {
  const EndBodies e(p, motions);
  Eigen::Map<Vector6d>(gamma, 6) =
      sectionGamma<double>(fixedIn(p), bodyAt(e.b1), bodyAt(e.b2), e.b1.v, e.b1.omega_w, e.b2.v, e.b2.omega_w);  // (3)
}

RowDerivatives SectionPrimitive::derivatives(const Primitive& p, const BodyMotion* motions) noexcept {
  const EndBodies e(p, motions);
  const auto H = jacobianOfVariedBodies(p, e);
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
        const Rate& varied = H(row, c).d[k];
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
  const auto H = jacobianOfVariedBodies(p, e);
  Matrix12d sum = Matrix12d::Zero();
  for (int row = 0; row < 12; ++row)
    for (std::size_t k = 0; k < 12; ++k) {
      if ((k < 6 ? p.body_1 : p.body_2) == kGround) continue;
      for (int c = 0; c < 6; ++c) sum(row, static_cast<Eigen::Index>(k)) += H(c, row).d[k].value * lambda[c];
    }
  return sum;
}

}  // namespace tactus::rt
