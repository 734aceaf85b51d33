#include "rt/mechanics/primitives/angle.h"

#include "rt/math/angles.h"
#include "rt/mechanics/primitives/body_fixed_vector.h"

namespace tactus::rt {

void AnglePrimitive::rows(const Primitive& p, const BodyMotion* motions, double* phi, RowJacobian* jacobian) noexcept {
  const Vector3d a_1 = rotate(motionOf(motions, p.body_1).R, p.a_1);
  angles(p, motions, phi);                                              // (1)
  setRow(jacobian[0], 0, p.body_1 == kGround, Vector3d::Zero(), -a_1);  // (2)
  setRow(jacobian[0], 1, p.body_2 == kGround, Vector3d::Zero(), a_1);
}

void AnglePrimitive::gamma(const Primitive& p, const BodyMotion* motions, double* gamma) noexcept {
  const EndBodies e(p, motions);
  gamma[0] = -e.axisRate(rotate(e.b1.R, p.a_1));  // (3)
}

void AnglePrimitive::addStiffness(const Primitive&, const BodyMotion*, const double*, Matrix3d*) noexcept {}  // (4)

/// Of a . w and of a . w' + a' . w, with the axis a of body 1 and w the rate of body 2 against body 1.
RowDerivatives AnglePrimitive::derivatives(const Primitive& p, const BodyMotion* motions) noexcept {
  const BodyFixedVector a = directionOf(p, motions, 0, p.a_1);
  const EndBodies e(p, motions);
  const Vector3d w = e.b2.omega_w - e.b1.omega_w, wd = e.b2.alpha_w - e.b1.alpha_w;
  RowDerivatives d;
  d.rate_by_position.row(0) = times(w, a.by_position);
  d.second_rate_by_position.row(0) = times(wd, a.by_position) + times(w, a.rate_by_position);
  // The derivative of a' by velocity equals the derivative of a by position.
  d.second_rate_by_velocity.row(0) = times(w, a.by_position);
  if (p.body_1 != kGround) d.second_rate_by_velocity.block<1, 3>(0, 3) -= a.rate.transpose();
  if (p.body_2 != kGround) d.second_rate_by_velocity.block<1, 3>(0, 9) += a.rate.transpose();
  return d;
}

/// Of the torques -lambda a and lambda a.
Matrix12d AnglePrimitive::reactionDerivative(const Primitive& p, const BodyMotion* motions,
                                             const double* lambda) noexcept {
  const BodyFixedVector a = directionOf(p, motions, 0, p.a_1);
  Matrix12d sum = Matrix12d::Zero();
  if (p.body_1 != kGround) sum.middleRows<3>(3) = -lambda[0] * a.by_position;
  if (p.body_2 != kGround) sum.middleRows<3>(9) = lambda[0] * a.by_position;
  return sum;
}

void AnglePrimitive::angles(const Primitive& p, const BodyMotion* motions, double* angles) noexcept {
  const EndBodies e(p, motions);
  angles[0] = angleAbout(rotate(e.b1.R, p.a_1), e.b1.R * p.b_1, e.b2.R * p.b_2) + p.length;
}

double AnglePrimitive::continueRow(const Primitive&, const BodyMotion*, const double* previous, double phi) noexcept {
  return unwrapAngle(phi, previous[0]);
}

}  // namespace tactus::rt
