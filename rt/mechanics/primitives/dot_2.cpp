#include "rt/mechanics/primitives/dot_2.h"

#include "rt/mechanics/primitives/body_fixed_vector.h"

namespace tactus::rt {

namespace {

Dot2Terms<double> termsOf(const Primitive& p, const PointEnds& e) noexcept {
  return {e.s_1, e.s_2, e.d, rotate(e.b1.R, p.a_1)};
}

}  // namespace

void Dot2Primitive::rows(const Primitive& p, const BodyMotion* motions, double* phi, RowJacobian* jacobian) noexcept {
  const Dot2Terms<double> e = termsOf(p, PointEnds(p, motions));
  phi[0] = e.phi();
  setRow(jacobian[0], 0, p.body_1 == kGround, e.side1());
  setRow(jacobian[0], 1, p.body_2 == kGround, e.side2());
}

void Dot2Primitive::gamma(const Primitive& p, const BodyMotion* motions, double* gamma) noexcept {
  const PointEnds e(p, motions);
  gamma[0] = termsOf(p, e).gamma(e.b1.v, e.b1.omega_w, e.b2.v, e.b2.omega_w);
}

void Dot2Primitive::addStiffness(const Primitive& p, const BodyMotion* motions, const double* lambda,
                                 Matrix3d* stiffness) noexcept {
  const Dot2Terms<double> e = termsOf(p, PointEnds(p, motions));
  addToBody(p.body_1, e.stiffness1(lambda[0]), stiffness);
  addToBody(p.body_2, e.stiffness2(lambda[0]), stiffness);
}

RowDerivatives Dot2Primitive::derivatives(const Primitive& p, const BodyMotion* motions) noexcept {
  RowDerivatives out;
  addProduct(directionOf(p, motions, 0, p.a_1), distanceOf(p, motions), 1, out);
  return out;
}

Matrix12d Dot2Primitive::reactionDerivative(const Primitive& p, const BodyMotion* motions,
                                            const double* lambda) noexcept {
  Matrix12d sum = Matrix12d::Zero();
  addProductReaction(directionOf(p, motions, 0, p.a_1), distanceOf(p, motions), lambda[0], sum);
  return sum;
}

}  // namespace tactus::rt
