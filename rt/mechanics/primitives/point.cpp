#include "rt/mechanics/primitives/point.h"

#include "rt/mechanics/primitives/body_fixed_vector.h"

namespace tactus::rt {

namespace {

void setRows(RowJacobian* rows, int side, double sign, const Vector3d& s) noexcept {
  for (int k = 0; k < 3; ++k) {
    const SideOfRow<double> of_row = pointSide<double>(k, sign, s);
    Six::of(of_row.translation, of_row.rotation).store(rows[k].h[side]);
  }
}

}  // namespace

void PointPrimitive::rows(const Primitive& p, const BodyMotion* motions, double* phi, RowJacobian* jacobian) noexcept {
  const PointEnds e(p, motions);
  for (int k = 0; k < 3; ++k) phi[k] = -e.d[k];                  // (1)
  setRows(jacobian, 0, p.body_1 == kGround ? 0.0 : 1.0, e.s_1);  // (2)
  setRows(jacobian, 1, p.body_2 == kGround ? 0.0 : -1.0, e.s_2);
}

void PointPrimitive::gamma(const Primitive& p, const BodyMotion* motions, double* gamma) noexcept {
  const PointEnds e(p, motions);
  const Vector3d c = e.centripetalDifference();  // (3)
  for (int k = 0; k < 3; ++k) gamma[k] = c[k];
}

void PointPrimitive::addStiffness(const Primitive& p, const BodyMotion* motions, const double* lambda,
                                  Matrix3d* stiffness) noexcept {
  const PointEnds e(p, motions);
  const Vector3d l(lambda[0], lambda[1], lambda[2]);
  addToBody(p.body_1, rotationalStiffness<double>(e.s_1, l), stiffness);  // (4)
  addToBody(p.body_2, rotationalStiffness<double>(e.s_2, -l), stiffness);
}

RowDerivatives PointPrimitive::derivatives(const Primitive& p, const BodyMotion* motions) noexcept {
  const BodyFixedVector d = distanceOf(p, motions);
  RowDerivatives rows;
  rows.rate_by_position.topRows<3>() = -d.rate_by_position;
  rows.second_rate_by_position.topRows<3>() = -d.second_rate_by_position;
  rows.second_rate_by_velocity.topRows<3>() = -d.second_rate_by_velocity;
  return rows;
}

Matrix12d PointPrimitive::reactionDerivative(const Primitive& p, const BodyMotion* motions,
                                             const double* lambda) noexcept {
  Matrix12d sum = Matrix12d::Zero();
  addLoadDerivative(distanceOf(p, motions), -Vector3d(lambda[0], lambda[1], lambda[2]), Matrix3x12::Zero(), sum);
  return sum;
}

}  // namespace tactus::rt
