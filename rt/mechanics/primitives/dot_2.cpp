#include "rt/mechanics/primitives/dot_2.h"

#include "rt/mechanics/primitives/body_fixed_vector.h"

namespace tactus::rt {

void Dot2Primitive::rows(const Primitive& p, const BodyMotion* motions, double* phi, RowJacobian* jacobian) noexcept {
  const PointEnds e(p, motions);
  const Vector3d a_1 = rotate(e.b1.R, p.a_1);
  phi[0] = a_1.dot(e.d);                                                      // (1)
  setRow(jacobian[0], 0, p.body_1 == kGround, -a_1, a_1.cross(e.d + e.s_1));  // (2)
  setRow(jacobian[0], 1, p.body_2 == kGround, a_1, e.s_2.cross(a_1));
}

void Dot2Primitive::gamma(const Primitive& p, const BodyMotion* motions, double* gamma) noexcept {
  const PointEnds e(p, motions);
  const Vector3d a_1 = rotate(e.b1.R, p.a_1);
  gamma[0] = -(centripetal<double>(e.b1.omega_w, a_1).dot(e.d) + a_1.dot(e.centripetalDifference()) +
               2 * e.b1.omega_w.cross(a_1).dot(e.rate()));  // (3)
}

void Dot2Primitive::addStiffness(const Primitive& p, const BodyMotion* motions, const double* lambda,
                                 Matrix3d* stiffness) noexcept {
  const PointEnds e(p, motions);
  const Vector3d a_1 = rotate(e.b1.R, p.a_1);
  addToBody(p.body_1, rotationalStiffness<double>(a_1, (e.d + e.s_1) * lambda[0]), stiffness);  // (4)
  addToBody(p.body_2, rotationalStiffness<double>(e.s_2, a_1 * lambda[0]), stiffness);
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
