#include "rt/mechanics/primitives/distance.h"

#include "rt/mechanics/primitives/body_fixed_vector.h"

namespace tactus::rt {

void DistancePrimitive::rows(const Primitive& p, const BodyMotion* motions, double* phi,
                             RowJacobian* jacobian) noexcept {
  const PointEnds e(p, motions);
  const double inverse = 1.0 / p.length;
  const Vector3d u = e.d * inverse;
  phi[0] = 0.5 * (e.d.squaredNorm() - p.length * p.length) * inverse;  // (1)
  setRow(jacobian[0], 0, p.body_1 == kGround, -u, u.cross(e.s_1));     // (2)
  setRow(jacobian[0], 1, p.body_2 == kGround, u, e.s_2.cross(u));
}

void DistancePrimitive::gamma(const Primitive& p, const BodyMotion* motions, double* gamma) noexcept {
  const PointEnds e(p, motions);
  gamma[0] = -(e.rate().squaredNorm() + e.d.dot(e.centripetalDifference())) / p.length;  // (3)
}

void DistancePrimitive::addStiffness(const Primitive& p, const BodyMotion* motions, const double* lambda,
                                     Matrix3d* stiffness) noexcept {
  const PointEnds e(p, motions);
  const Vector3d l = e.d * (lambda[0] / p.length);
  const double tension = lambda[0] / p.length;
  const auto lineTurn = [tension](const Vector3d& s) noexcept -> Matrix3d {
    return tension * (s.squaredNorm() * Matrix3d::Identity() - s * s.transpose());
  };
  addToBody(p.body_1, rotationalStiffness<double>(e.s_1, -l) + lineTurn(e.s_1), stiffness);  // (4)
  addToBody(p.body_2, rotationalStiffness<double>(e.s_2, l) + lineTurn(e.s_2), stiffness);
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
