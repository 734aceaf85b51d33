#include "rt/mechanics/row_derivatives.h"

#include "rt/math/skew.h"

namespace tactus::rt {

namespace {

using Matrix3x12 = Eigen::Matrix<double, 3, 12>;
using Row12 = Eigen::Matrix<double, 1, 12>;

/// A vector in world axes that two bodies carry along, with its rates and their derivatives. The derivatives of the
/// rate by velocity and of the second rate by acceleration equal that of the vector by position.
struct CarriedVector {
  Vector3d value = Vector3d::Zero(), rate = Vector3d::Zero(), second_rate = Vector3d::Zero();
  Matrix3x12 by_position = Matrix3x12::Zero();
  Matrix3x12 rate_by_position = Matrix3x12::Zero();
  Matrix3x12 second_rate_by_position = Matrix3x12::Zero();
  Matrix3x12 second_rate_by_velocity = Matrix3x12::Zero();
  Vector3d arm[2] = {Vector3d::Zero(), Vector3d::Zero()};  ///< its parts fixed in each body, with sign
};

/// Adds `sign` times an arm fixed in a body, with the body's centre of mass if it is a point.
void carry(const BodyMotion& b, int side, bool ground, const Vector3d& arm_b, bool point, double sign,
           CarriedVector& x) noexcept {
  const Vector3d s = sign * (b.R * arm_b);
  const Vector3d turned = b.omega_w.cross(s);
  x.value += s;
  x.rate += turned;
  x.second_rate += b.alpha_w.cross(s) + b.omega_w.cross(turned);
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
  x.second_rate_by_velocity.middleCols<3>(rotation) -= skew(turned) + W * S;
}

/// A primitive as `scale` times the product of two carried vectors, or, for a point row, as `scale` times the first.
struct RowFactors {
  CarriedVector x, y;
  double scale = 1;
};

RowFactors factorsOf(const Primitive& p, const BodyMotion* motions) noexcept {
  const BodyMotion& b1 = motionOf(motions, p.body_1);
  const BodyMotion& b2 = motionOf(motions, p.body_2);
  const bool ground_1 = p.body_1 == kGround, ground_2 = p.body_2 == kGround;
  const auto pointDistance = [&](CarriedVector& d) noexcept {
    carry(b2, 1, ground_2, p.s_2, true, 1.0, d);
    carry(b1, 0, ground_1, p.s_1, true, -1.0, d);
  };
  RowFactors f;
  switch (p.kind) {
    case PrimitiveKind::kPoint:
      pointDistance(f.x);
      f.scale = -1;
      break;
    case PrimitiveKind::kDistance:
      pointDistance(f.x);
      f.y = f.x;
      f.scale = 0.5 / p.length;
      break;
    case PrimitiveKind::kDot1:
      carry(b1, 0, ground_1, p.a_1, false, 1.0, f.x);
      carry(b2, 1, ground_2, p.a_2, false, 1.0, f.y);
      break;
    case PrimitiveKind::kDot2:
      carry(b1, 0, ground_1, p.a_1, false, 1.0, f.x);
      pointDistance(f.y);
      break;
    case PrimitiveKind::kLength:
    case PrimitiveKind::kAngle:
    case PrimitiveKind::kTwist: break;  // rows of force elements and drives: offline::integrate() refuses them
  }
  return f;
}

/// Adds the derivative of X^T F, the loads that a force F along a carried vector puts on the bodies.
void addLoadDerivative(const CarriedVector& x, const Vector3d& force, const Matrix3x12& force_by_position,
                       Matrix12d& sum) noexcept {
  sum += x.by_position.transpose() * force_by_position;
  for (int side = 0; side < 2; ++side) sum.block<3, 3>(6 * side + 3, 6 * side + 3) += skew(force) * skew(x.arm[side]);
}

}  // namespace

RowDerivatives differentiateRows(const Primitive& p, const BodyMotion* motions) noexcept {
  const auto [x, y, scale] = factorsOf(p, motions);
  RowDerivatives d;
  if (p.kind == PrimitiveKind::kPoint) {
    d.rate_by_position = scale * x.rate_by_position;
    d.second_rate_by_position = scale * x.second_rate_by_position;
    d.second_rate_by_velocity = scale * x.second_rate_by_velocity;
    return d;
  }
  // The product rule on x'.y + x.y' and on x''.y + 2 x'.y' + x.y''.
  const auto times = [](const Vector3d& v, const Matrix3x12& m) noexcept -> Row12 { return v.transpose() * m; };
  d.rate_by_position.row(0) = scale * (times(y.value, x.rate_by_position) + times(x.rate, y.by_position) +
                                       times(x.value, y.rate_by_position) + times(y.rate, x.by_position));
  d.second_rate_by_position.row(0) =
      scale * (times(y.value, x.second_rate_by_position) + times(x.second_rate, y.by_position) +
               times(x.value, y.second_rate_by_position) + times(y.second_rate, x.by_position) +
               2 * (times(y.rate, x.rate_by_position) + times(x.rate, y.rate_by_position)));
  d.second_rate_by_velocity.row(0) =
      scale * (times(y.value, x.second_rate_by_velocity) + times(x.value, y.second_rate_by_velocity) +
               2 * (times(y.rate, x.by_position) + times(x.rate, y.by_position)));
  return d;
}

Matrix12d differentiateReaction(const Primitive& p, const BodyMotion* motions, const double* lambda) noexcept {
  const auto [x, y, scale] = factorsOf(p, motions);
  Matrix12d sum = Matrix12d::Zero();
  if (p.kind == PrimitiveKind::kPoint) {
    addLoadDerivative(x, scale * Vector3d(lambda[0], lambda[1], lambda[2]), Matrix3x12::Zero(), sum);
    return sum;
  }
  const double tension = scale * lambda[0];
  addLoadDerivative(x, tension * y.value, tension * y.by_position, sum);
  addLoadDerivative(y, tension * x.value, tension * x.by_position, sum);
  return sum;
}

}  // namespace tactus::rt
