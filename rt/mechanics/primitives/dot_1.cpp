#include "rt/mechanics/primitives/dot_1.h"

#include "rt/mechanics/primitives/body_fixed_vector.h"

namespace tactus::rt {

void Dot1Primitive::rows(const Primitive& p, const BodyMotion* motions, double* phi, RowJacobian* jacobian) noexcept {
  const DirectionEnds e(p, motions);
  const Vector3d n = e.a_1.cross(e.a_2);
  phi[0] = e.a_1.dot(e.a_2);                                         // (1)
  setRow(jacobian[0], 0, p.body_1 == kGround, Vector3d::Zero(), n);  // (2)
  setRow(jacobian[0], 1, p.body_2 == kGround, Vector3d::Zero(), -n);
}

void Dot1Primitive::gamma(const Primitive& p, const BodyMotion* motions, double* gamma) noexcept {
  const DirectionEnds e(p, motions);
  gamma[0] = -dotRate2<double>(e.b1.omega_w, e.b2.omega_w, e.a_1, e.a_2);  // (3)
}

void Dot1Primitive::addStiffness(const Primitive& p, const BodyMotion* motions, const double* lambda,
                                 Matrix3d* stiffness) noexcept {
  const DirectionEnds e(p, motions);
  addToBody(p.body_1, rotationalStiffness<double>(e.a_1, e.a_2 * lambda[0]), stiffness);  // (4)
  addToBody(p.body_2, rotationalStiffness<double>(e.a_2, e.a_1 * lambda[0]), stiffness);
}

RowDerivatives Dot1Primitive::derivatives(const Primitive& p, const BodyMotion* motions) noexcept {
  RowDerivatives out;
  addProduct(directionOf(p, motions, 0, p.a_1), directionOf(p, motions, 1, p.a_2), 1, out);
  return out;
}

Matrix12d Dot1Primitive::reactionDerivative(const Primitive& p, const BodyMotion* motions,
                                            const double* lambda) noexcept {
  Matrix12d sum = Matrix12d::Zero();
  addProductReaction(directionOf(p, motions, 0, p.a_1), directionOf(p, motions, 1, p.a_2), lambda[0], sum);
  return sum;
}

}  // namespace tactus::rt
