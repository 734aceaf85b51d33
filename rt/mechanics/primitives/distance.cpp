#include "rt/mechanics/primitives/distance.h"

#include "rt/mechanics/primitives/body_fixed_vector.h"

namespace tactus::rt {

namespace {

DistanceTerms<double> termsOf(const PointEnds& e, const Primitive& p) noexcept {
  return {e.s_1, e.s_2, e.d, p.length};
}

}  // namespace

void DistancePrimitive::rows(const Primitive& p, const BodyMotion* motions, double* phi,
                             RowJacobian* jacobian) noexcept {
  const DistanceTerms<double> terms = termsOf(PointEnds(p, motions), p);
  phi[0] = terms.phi();                                        // (1)
  setRow(jacobian[0], 0, p.body_1 == kGround, terms.side1());  // (2)
  setRow(jacobian[0], 1, p.body_2 == kGround, terms.side2());
}

void DistancePrimitive::gamma(const Primitive& p, const BodyMotion* motions, double* gamma) noexcept {
  const PointEnds e(p, motions);
  gamma[0] = termsOf(e, p).gamma(e.b1.v, e.b1.omega_w, e.b2.v, e.b2.omega_w);  // (3)
}

void DistancePrimitive::addStiffness(const Primitive& p, const BodyMotion* motions, const double* lambda,
                                     Matrix3d* stiffness) noexcept {
  const DistanceTerms<double> terms = termsOf(PointEnds(p, motions), p);
  addToBody(p.body_1, terms.stiffness1(lambda[0]), stiffness);  // (4)
  addToBody(p.body_2, terms.stiffness2(lambda[0]), stiffness);
}

RowDerivatives DistancePrimitive::derivatives(const Primitive& p, const BodyMotion* motions) noexcept {
  const BodyFixedVector d = distanceOf(p, motions);
  RowDerivatives out;
  addProduct(d, d, 0.5 / p.length, out);
  return out;
}

Matrix12d DistancePrimitive::reactionDerivative(const Primitive& p, const BodyMotion* motions,
                                                const double* lambda) noexcept {
  const BodyFixedVector d = distanceOf(p, motions);
  Matrix12d sum = Matrix12d::Zero();
  addProductReaction(d, d, 0.5 / p.length * lambda[0], sum);
  return sum;
}

}  // namespace tactus::rt
