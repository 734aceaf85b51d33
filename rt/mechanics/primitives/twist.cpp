#include "rt/mechanics/primitives/twist.h"

#include "rt/mechanics/primitives/body_fixed_vector.h"
#include "rt/mechanics/primitives/dot_1.h"

namespace tactus::rt {

namespace {

struct TwistEnds : DirectionEnds {
  Vector3d b_1, b_2;

  TwistEnds(const Primitive& p, const BodyMotion* motions) noexcept
      : DirectionEnds(p, motions), b_1(b1.R * p.b_1), b_2(b2.R * p.b_2) {}
};

}  // namespace

void TwistPrimitive::rows(const Primitive& p, const BodyMotion* motions, double* phi, RowJacobian* jacobian) noexcept {
  const TwistEnds e(p, motions);
  const Vector3d n = 0.5 * (e.a_1.cross(e.a_2) - e.b_1.cross(e.b_2));
  phi[0] = 0.5 * (e.a_1.dot(e.a_2) - e.b_1.dot(e.b_2));              // (1)
  setRow(jacobian[0], 0, p.body_1 == kGround, Vector3d::Zero(), n);  // (2)
  setRow(jacobian[0], 1, p.body_2 == kGround, Vector3d::Zero(), -n);
}

void TwistPrimitive::gamma(const Primitive& p, const BodyMotion* motions, double* gamma) noexcept {
  const TwistEnds e(p, motions);
  const Vector3d &omega_1 = e.b1.omega_w, &omega_2 = e.b2.omega_w;
  gamma[0] = -0.5 * (dotRate2<double>(omega_1, omega_2, e.a_1, e.a_2) -
                     dotRate2<double>(omega_1, omega_2, e.b_1, e.b_2));  // (3)
}

void TwistPrimitive::addStiffness(const Primitive& p, const BodyMotion* motions, const double* lambda,
                                  Matrix3d* stiffness) noexcept {
  const TwistEnds e(p, motions);
  const double half = 0.5 * lambda[0];
  addToBody(p.body_1,
            rotationalStiffness<double>(e.a_1, e.a_2 * half) - rotationalStiffness<double>(e.b_1, e.b_2 * half),
            stiffness);  // (4)
  addToBody(p.body_2,
            rotationalStiffness<double>(e.a_2, e.a_1 * half) - rotationalStiffness<double>(e.b_2, e.b_1 * half),
            stiffness);
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
