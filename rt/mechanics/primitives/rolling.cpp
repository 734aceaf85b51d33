#include "rt/mechanics/primitives/rolling.h"

#include "rt/math/angles.h"
#include "rt/mechanics/primitives/angle.h"
#include "rt/mechanics/primitives/body_fixed_vector.h"

namespace tactus::rt {

void RollingPrimitive::rows(const Primitive& p, const BodyMotion* motions, double* phi,
                            RowJacobian* jacobian) noexcept {
  const PointEnds e(p, motions);
  const Vector3d a_1 = rotate(e.b1.R, p.a_1), t = e.b1.R * p.t_1;
  phi[0] = t.dot(e.d) - p.length - p.rho_1 * angleAbout(a_1, e.b1.R * p.b_1, e.b2.R * p.b_2);  // (1)
  setRow(jacobian[0], 0, p.body_1 == kGround, -t, t.cross(e.d + e.s_1) + p.rho_1 * a_1);       // (2)
  setRow(jacobian[0], 1, p.body_2 == kGround, t, e.s_2.cross(t) - p.rho_1 * a_1);
}

void RollingPrimitive::gamma(const Primitive& p, const BodyMotion* motions, double* gamma) noexcept {
  const PointEnds e(p, motions);
  const Vector3d t = e.b1.R * p.t_1;
  gamma[0] = -(centripetal<double>(e.b1.omega_w, t).dot(e.d) + t.dot(e.centripetalDifference()) +
               2 * e.b1.omega_w.cross(t).dot(e.rate())) +
             p.rho_1 * e.axisRate(rotate(e.b1.R, p.a_1));  // (3)
}

void RollingPrimitive::addStiffness(const Primitive& p, const BodyMotion* motions, const double* lambda,
                                    Matrix3d* stiffness) noexcept {
  const PointEnds e(p, motions);
  const Vector3d t = e.b1.R * p.t_1;
  addToBody(p.body_1, rotationalStiffness<double>(t, (e.d + e.s_1) * lambda[0]), stiffness);  // (4)
  addToBody(p.body_2, rotationalStiffness<double>(e.s_2, t * lambda[0]), stiffness);
}

RowDerivatives RollingPrimitive::derivatives(const Primitive& p, const BodyMotion* motions) noexcept {
  RowDerivatives out;
  addProduct(directionOf(p, motions, 0, p.t_1), distanceOf(p, motions), 1, out);
  addWeighted(AnglePrimitive::derivatives(p, motions), -p.rho_1, out);
  return out;
}

Matrix12d RollingPrimitive::reactionDerivative(const Primitive& p, const BodyMotion* motions,
                                               const double* lambda) noexcept {
  const double torque = -p.rho_1 * lambda[0];
  Matrix12d sum = AnglePrimitive::reactionDerivative(p, motions, &torque);
  addProductReaction(directionOf(p, motions, 0, p.t_1), distanceOf(p, motions), lambda[0], sum);
  return sum;
}

void RollingPrimitive::angles(const Primitive& p, const BodyMotion* motions, double* angles) noexcept {
  const EndBodies e(p, motions);
  angles[0] = angleAbout(rotate(e.b1.R, p.a_1), e.b1.R * p.b_1, e.b2.R * p.b_2);
}

double RollingPrimitive::continueRow(const Primitive& p, const BodyMotion* motions, const double* previous,
                                     double phi) noexcept {
  double wrapped[1];
  angles(p, motions, wrapped);
  return phi + -p.rho_1 * (unwrapAngle(wrapped[0], previous[0]) - wrapped[0]);
}

void RollingPrimitive::startAngles(const Primitive& p, const BodyMotion* motions, double* counted) noexcept {
  double phi;
  RowJacobian ignored;
  rows(p, motions, &phi, &ignored);
  angles(p, motions, counted);
  counted[0] = counted[0] + phi / p.rho_1;
}

}  // namespace tactus::rt
