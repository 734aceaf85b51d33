#include "rt/mechanics/primitives/body_fixed_vector.h"

#include "rt/math/skew.h"

namespace tactus::rt {

namespace {

/// Adds `sign` times an arm fixed in a body, with the body's center of mass if it is a point.
void addFixed(const BodyMotion& b, int side, bool ground, const Vector3d& arm_b, bool point, double sign,
              BodyFixedVector& x) noexcept {
  const Vector3d s = sign * (b.R * arm_b);
  const Vector3d rate = b.omega_w.cross(s);
  x.value += s;
  x.rate += rate;
  x.second_rate += b.alpha_w.cross(s) + b.omega_w.cross(rate);
  if (point) {
    x.value += sign * b.r;
    x.rate += sign * b.v;
    x.second_rate += sign * b.a;
  }
  if (ground) return;

  x.arm[side] += s;
  const Matrix3d S = skew(s), W = skew(b.omega_w);
  const int translation = 6 * side, rotation = 6 * side + 3;
  if (point) x.by_position.middleCols<3>(translation).diagonal().array() += sign;
  x.by_position.middleCols<3>(rotation) -= S;
  x.rate_by_position.middleCols<3>(rotation) -= W * S;
  x.second_rate_by_position.middleCols<3>(rotation) -= (skew(b.alpha_w) + W * W) * S;
  x.second_rate_by_velocity.middleCols<3>(rotation) -= skew(rate) + W * S;
}

}  // namespace

BodyFixedVector distanceOf(const Primitive& p, const BodyMotion* motions) noexcept {
  BodyFixedVector d;
  addFixed(motionOf(motions, p.body_2), 1, p.body_2 == kGround, p.s_2, true, 1.0, d);
  addFixed(motionOf(motions, p.body_1), 0, p.body_1 == kGround, p.s_1, true, -1.0, d);
  return d;
}

BodyFixedVector directionOf(const Primitive& p, const BodyMotion* motions, int side, const Vector3d& a_b) noexcept {
  const int body = side == 0 ? p.body_1 : p.body_2;
  BodyFixedVector a;
  addFixed(motionOf(motions, body), side, body == kGround, a_b, false, 1.0, a);
  return a;
}

Row12d times(const Vector3d& v, const Matrix3x12& m) noexcept {
  return v.transpose() * m;
}

void addProduct(const BodyFixedVector& x, const BodyFixedVector& y, double scale, RowDerivatives& d) noexcept {
  d.rate_by_position.row(0) += scale * (times(y.value, x.rate_by_position) + times(x.rate, y.by_position) +
                                        times(x.value, y.rate_by_position) + times(y.rate, x.by_position));
  d.second_rate_by_position.row(0) +=
      scale * (times(y.value, x.second_rate_by_position) + times(x.second_rate, y.by_position) +
               times(x.value, y.second_rate_by_position) + times(y.second_rate, x.by_position) +
               2 * (times(y.rate, x.rate_by_position) + times(x.rate, y.rate_by_position)));
  d.second_rate_by_velocity.row(0) +=
      scale * (times(y.value, x.second_rate_by_velocity) + times(x.value, y.second_rate_by_velocity) +
               2 * (times(y.rate, x.by_position) + times(x.rate, y.by_position)));
}

void addWeighted(const RowDerivatives& row, double weight, RowDerivatives& sum) noexcept {
  sum.rate_by_position += weight * row.rate_by_position;
  sum.second_rate_by_position += weight * row.second_rate_by_position;
  sum.second_rate_by_velocity += weight * row.second_rate_by_velocity;
}

void addLoadDerivative(const BodyFixedVector& x, const Vector3d& force, const Matrix3x12& force_by_position,
                       Matrix12d& sum) noexcept {
  sum += x.by_position.transpose() * force_by_position;
  for (int side = 0; side < 2; ++side) sum.block<3, 3>(6 * side + 3, 6 * side + 3) += skew(force) * skew(x.arm[side]);
}

void addProductReaction(const BodyFixedVector& x, const BodyFixedVector& y, double tension, Matrix12d& sum) noexcept {
  addLoadDerivative(x, tension * y.value, tension * y.by_position, sum);
  addLoadDerivative(y, tension * x.value, tension * x.by_position, sum);
}

}  // namespace tactus::rt
