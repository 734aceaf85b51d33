#include "rt/mechanics/primitives/length.h"

#include "rt/mechanics/primitives/body_fixed_vector.h"

namespace tactus::rt {

namespace {

/// A distance |d| with the direction u of d and the derivative of u.
struct Line {
  BodyFixedVector d;
  double length;
  Vector3d u;
  Matrix3x12 u_by_position;

  Line(const Primitive& p, const BodyMotion* motions) noexcept
      : d(distanceOf(p, motions)), length(lengthOf(d.value)), u(d.value / length) {
    u_by_position = (d.by_position - u * times(u, d.by_position)) / length;
  }
};

LengthTerms<double> termsOf(const PointEnds& e) noexcept {
  return {e.s_1, e.s_2, e.d};
}

}  // namespace

void LengthPrimitive::rows(const Primitive& p, const BodyMotion* motions, double* phi, RowJacobian* jacobian) noexcept {
  const LengthTerms<double> terms = termsOf(PointEnds(p, motions));
  phi[0] = terms.phi();                                        // (1)
  setRow(jacobian[0], 0, p.body_1 == kGround, terms.side1());  // (2)
  setRow(jacobian[0], 1, p.body_2 == kGround, terms.side2());
}

void LengthPrimitive::gamma(const Primitive& p, const BodyMotion* motions, double* gamma) noexcept {
  const PointEnds e(p, motions);
  gamma[0] = termsOf(e).gamma(e.b1.v, e.b1.omega_w, e.b2.v, e.b2.omega_w);  // (3)
}

void LengthPrimitive::addStiffness(const Primitive& p, const BodyMotion* motions, const double* lambda,
                                   Matrix3d* stiffness) noexcept {
  const LengthTerms<double> terms = termsOf(PointEnds(p, motions));
  addToBody(p.body_1, terms.stiffness1(lambda[0]), stiffness);  // (4)
  addToBody(p.body_2, terms.stiffness2(lambda[0]), stiffness);
}

/// Of u . d' and of u . d'' + (d' . d' - (u . d')^2) / |d|.
RowDerivatives LengthPrimitive::derivatives(const Primitive& p, const BodyMotion* motions) noexcept {
  const Line line(p, motions);
  const BodyFixedVector& d = line.d;
  const Vector3d &u = line.u, &rate = d.rate;
  const double along = u.dot(rate), inverse = 1 / line.length;
  RowDerivatives out;
  const Row12d along_by_position = times(u, d.rate_by_position) + times(rate, line.u_by_position);
  out.rate_by_position.row(0) = along_by_position;
  out.second_rate_by_position.row(0) =
      times(u, d.second_rate_by_position) + times(d.second_rate, line.u_by_position) +
      2 * inverse * (times(rate, d.rate_by_position) - along * along_by_position) -
      inverse * inverse * (rate.squaredNorm() - along * along) * times(u, d.by_position);
  out.second_rate_by_velocity.row(0) = times(u, d.second_rate_by_velocity) +
                                       2 * inverse * (times(rate, d.by_position) - along * times(u, d.by_position));
  return out;
}

Matrix12d LengthPrimitive::reactionDerivative(const Primitive& p, const BodyMotion* motions,
                                              const double* lambda) noexcept {
  const Line line(p, motions);
  Matrix12d sum = Matrix12d::Zero();
  addLoadDerivative(line.d, lambda[0] * line.u, lambda[0] * line.u_by_position, sum);
  return sum;
}

}  // namespace tactus::rt
