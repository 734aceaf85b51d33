#include "rt/mechanics/primitives/twist.h"

#include "rt/mechanics/primitives/body_fixed_vector.h"

namespace tactus::rt {

namespace {

TwistTerms<double> termsOf(const Primitive& p, const EndBodies& e) noexcept {
  return {rotate(e.b1.R, p.a_1), rotate(e.b2.R, p.a_2), rotate(e.b1.R, p.b_1), rotate(e.b2.R, p.b_2)};
}

}  // namespace

void TwistPrimitive::rows(const Primitive& p, const BodyMotion* motions, double* phi, RowJacobian* jacobian) noexcept {
  const TwistTerms<double> e = termsOf(p, EndBodies(p, motions));
  const Vector3d n = e.normal();
  phi[0] = e.phi();
  setRow(jacobian[0], 0, p.body_1 == kGround, Vector3d::Zero(), n);  // (2)
  setRow(jacobian[0], 1, p.body_2 == kGround, Vector3d::Zero(), -n);
}

void TwistPrimitive::gamma(const Primitive& p, const BodyMotion* motions, double* gamma) noexcept {
  const EndBodies e(p, motions);
  gamma[0] = termsOf(p, e).gamma(e.b1.omega_w, e.b2.omega_w);
}

void TwistPrimitive::addStiffness(const Primitive& p, const BodyMotion* motions, const double* lambda,
                                  Matrix3d* stiffness) noexcept {
  const TwistTerms<double> e = termsOf(p, EndBodies(p, motions));
  addToBody(p.body_1, e.stiffness1(lambda[0]), stiffness);
  addToBody(p.body_2, e.stiffness2(lambda[0]), stiffness);
}

RowDerivatives TwistPrimitive::derivatives(const Primitive& p, const BodyMotion* motions) noexcept {
  RowDerivatives out;
  addProduct(directionOf(p, motions, 0, p.a_1), directionOf(p, motions, 1, p.a_2), 0.5, out);
  addProduct(directionOf(p, motions, 0, p.b_1), directionOf(p, motions, 1, p.b_2), -0.5, out);
  return out;
}

Matrix12d TwistPrimitive::reactionDerivative(const Primitive& p, const BodyMotion* motions,
                                             const double* lambda) noexcept {
  Matrix12d sum = Matrix12d::Zero();
  addProductReaction(directionOf(p, motions, 0, p.a_1), directionOf(p, motions, 1, p.a_2), 0.5 * lambda[0], sum);
  addProductReaction(directionOf(p, motions, 0, p.b_1), directionOf(p, motions, 1, p.b_2), -0.5 * lambda[0], sum);
  return sum;
}

}  // namespace tactus::rt
