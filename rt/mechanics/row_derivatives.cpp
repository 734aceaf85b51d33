#include "rt/mechanics/row_derivatives.h"

#include "rt/math/skew.h"
#include "rt/mechanics/joint_constraints.h"

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

/// A primitive as a sum of products of two carried vectors, each with its weight.
struct RowFactors {
  CarriedVector x, y;
  double scale = 1;
  CarriedVector x_2, y_2;
  double scale_2 = 0;  ///< 0: there is one product only
};

CarriedVector pointDistance(const Primitive& p, const BodyMotion* motions) noexcept {
  CarriedVector d;
  carry(motionOf(motions, p.body_2), 1, p.body_2 == kGround, p.s_2, true, 1.0, d);
  carry(motionOf(motions, p.body_1), 0, p.body_1 == kGround, p.s_1, true, -1.0, d);
  return d;
}

/// The direction `a_b` fixed in the first (side 0) or second body of a primitive.
CarriedVector direction(const Primitive& p, const BodyMotion* motions, int side, const Vector3d& a_b) noexcept {
  const int body = side == 0 ? p.body_1 : p.body_2;
  CarriedVector a;
  carry(motionOf(motions, body), side, body == kGround, a_b, false, 1.0, a);
  return a;
}

/// Of the primitives that are products; the others have functions of their own.
RowFactors factorsOf(const Primitive& p, const BodyMotion* motions) noexcept {
  RowFactors f;
  switch (p.kind) {
    case PrimitiveKind::kDistance:
      f.x = f.y = pointDistance(p, motions);
      f.scale = 0.5 / p.length;
      break;
    case PrimitiveKind::kDot2:
      f.x = direction(p, motions, 0, p.a_1);
      f.y = pointDistance(p, motions);
      break;
    case PrimitiveKind::kTwist:
      f.scale = 0.5;
      f.x_2 = direction(p, motions, 0, p.b_1);
      f.y_2 = direction(p, motions, 1, p.b_2);
      f.scale_2 = -0.5;
      [[fallthrough]];
    case PrimitiveKind::kDot1:
      f.x = direction(p, motions, 0, p.a_1);
      f.y = direction(p, motions, 1, p.a_2);
      break;
    // Its travel; the angle has a function of its own.
    case PrimitiveKind::kRolling:
      f.x = direction(p, motions, 0, p.t_1);
      f.y = pointDistance(p, motions);
      break;
    case PrimitiveKind::kPoint:
    case PrimitiveKind::kLength:
    case PrimitiveKind::kAngle:
    case PrimitiveKind::kGear: break;
  }
  return f;
}

/// Adds the derivative of X^T F, the loads that a force F along a carried vector puts on the bodies.
void addLoadDerivative(const CarriedVector& x, const Vector3d& force, const Matrix3x12& force_by_position,
                       Matrix12d& sum) noexcept {
  sum += x.by_position.transpose() * force_by_position;
  for (int side = 0; side < 2; ++side) sum.block<3, 3>(6 * side + 3, 6 * side + 3) += skew(force) * skew(x.arm[side]);
}

Row12 times(const Vector3d& v, const Matrix3x12& m) noexcept {
  return v.transpose() * m;
}

/// The product rule on x'.y + x.y' and on x''.y + 2 x'.y' + x.y''.
void addProduct(const CarriedVector& x, const CarriedVector& y, double scale, RowDerivatives& d) noexcept {
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

/// A distance |d| with the direction u of d and what turns it.
struct Line {
  CarriedVector d;
  double length;
  Vector3d u;
  Matrix3x12 u_by_position;

  Line(const Primitive& p, const BodyMotion* motions) noexcept
      : d(pointDistance(p, motions)), length(lengthOf(d.value)), u(d.value / length) {
    u_by_position = (d.by_position - u * times(u, d.by_position)) / length;
  }
};

/// Of u.d' and of u.d'' + (d'.d' - (u.d')^2) / |d|.
RowDerivatives differentiateLength(const Primitive& p, const BodyMotion* motions) noexcept {
  const Line line(p, motions);
  const CarriedVector& d = line.d;
  const Vector3d &u = line.u, &rate = d.rate;
  const double along = u.dot(rate), inverse = 1 / line.length;
  RowDerivatives out;
  const Row12 along_by_position = times(u, d.rate_by_position) + times(rate, line.u_by_position);
  out.rate_by_position.row(0) = along_by_position;
  out.second_rate_by_position.row(0) =
      times(u, d.second_rate_by_position) + times(d.second_rate, line.u_by_position) +
      2 * inverse * (times(rate, d.rate_by_position) - along * along_by_position) -
      inverse * inverse * (rate.squaredNorm() - along * along) * times(u, d.by_position);
  out.second_rate_by_velocity.row(0) = times(u, d.second_rate_by_velocity) +
                                       2 * inverse * (times(rate, d.by_position) - along * times(u, d.by_position));
  return out;
}

/// Of a.w and of a.w' + a'.w, with the axis a of body 1 and w the turning of body 2 against body 1.
RowDerivatives differentiateAngle(const Primitive& p, const BodyMotion* motions) noexcept {
  const CarriedVector a = direction(p, motions, 0, p.a_1);
  const BodyMotion& b1 = motionOf(motions, p.body_1);
  const BodyMotion& b2 = motionOf(motions, p.body_2);
  const Vector3d w = b2.omega_w - b1.omega_w, wd = b2.alpha_w - b1.alpha_w;
  RowDerivatives d;
  d.rate_by_position.row(0) = times(w, a.by_position);
  d.second_rate_by_position.row(0) = times(wd, a.by_position) + times(w, a.rate_by_position);
  // The derivative of a' by velocity is that of a by position.
  d.second_rate_by_velocity.row(0) = times(w, a.by_position);
  if (p.body_1 != kGround) d.second_rate_by_velocity.block<1, 3>(0, 3) -= a.rate.transpose();
  if (p.body_2 != kGround) d.second_rate_by_velocity.block<1, 3>(0, 9) += a.rate.transpose();
  return d;
}

/// Of the torques -lambda a and lambda a of an angle.
Matrix12d differentiateAngleReaction(const Primitive& p, const BodyMotion* motions, double lambda) noexcept {
  const CarriedVector a = direction(p, motions, 0, p.a_1);
  Matrix12d sum = Matrix12d::Zero();
  if (p.body_1 != kGround) sum.middleRows<3>(3) = -lambda * a.by_position;
  if (p.body_2 != kGround) sum.middleRows<3>(9) = lambda * a.by_position;
  return sum;
}

/// Adds `weight` times all derivatives of one row to those of another.
void addWeighted(const RowDerivatives& row, double weight, RowDerivatives& sum) noexcept {
  sum.rate_by_position += weight * row.rate_by_position;
  sum.second_rate_by_position += weight * row.second_rate_by_position;
  sum.second_rate_by_velocity += weight * row.second_rate_by_velocity;
}

/// Adds the derivatives of a.w and a.w' + a'.w, with the axis a of body 1 and the turning w of one body, `weight`
/// times.
void addTurning(const Primitive& p, const BodyMotion* motions, int side, double weight, RowDerivatives& d) noexcept {
  const CarriedVector a = direction(p, motions, 0, p.a_1);
  const int body = side == 0 ? p.body_1 : p.body_2;
  const BodyMotion& b = motionOf(motions, body);
  d.rate_by_position.row(0) += weight * times(b.omega_w, a.by_position);
  d.second_rate_by_position.row(0) += weight * (times(b.alpha_w, a.by_position) + times(b.omega_w, a.rate_by_position));
  d.second_rate_by_velocity.row(0) += weight * times(b.omega_w, a.by_position);
  if (body != kGround) d.second_rate_by_velocity.block<1, 3>(0, 6 * side + 3) += weight * a.rate.transpose();
}

/// Of the turning of the line of centres about the axis, n / q with n = a . d x d' and q = d . d, and of its rate
/// n' / q - 2 n s / q^2 with s = d . d'.
RowDerivatives differentiateLine(const Primitive& p, const BodyMotion* motions) noexcept {
  const CarriedVector a = direction(p, motions, 0, p.a_1), d = pointDistance(p, motions);
  const Vector3d across = d.value.cross(d.rate);
  const double q = d.value.squaredNorm(), s = d.value.dot(d.rate), n = a.value.dot(across);
  const double n_rate = a.rate.dot(across) + a.value.dot(d.value.cross(d.second_rate));
  const auto timesCross = [](const Vector3d& x, const Vector3d& y, const Matrix3x12& m) noexcept {
    return times(x.cross(y), m);
  };
  const Row12 dq = 2 * times(d.value, d.by_position);
  const Row12 ds = times(d.rate, d.by_position) + times(d.value, d.rate_by_position);
  const Row12 dn = times(across, a.by_position) + timesCross(d.rate, a.value, d.by_position) +
                   timesCross(a.value, d.value, d.rate_by_position);
  const Row12 dn_rate =
      times(across, a.rate_by_position) + timesCross(d.rate, a.rate, d.by_position) +
      timesCross(a.rate, d.value, d.rate_by_position) + timesCross(d.value, d.second_rate, a.by_position) +
      timesCross(d.second_rate, a.value, d.by_position) + timesCross(a.value, d.value, d.second_rate_by_position);
  RowDerivatives out;
  out.rate_by_position.row(0) = dn / q - n / (q * q) * dq;
  out.second_rate_by_position.row(0) =
      dn_rate / q - n_rate / (q * q) * dq - 2 / (q * q) * (s * dn + n * ds) + 4 * n * s / (q * q * q) * dq;
  // By velocity: a' and d' change as a and d do by position.
  const Row12 vn = timesCross(a.value, d.value, d.by_position), vs = times(d.value, d.by_position);
  const Row12 vn_rate = times(across, a.by_position) + timesCross(a.rate, d.value, d.by_position) +
                        timesCross(a.value, d.value, d.second_rate_by_velocity);
  out.second_rate_by_velocity.row(0) = vn_rate / q - 2 / (q * q) * (s * vn + n * vs);
  return out;
}

RowDerivatives differentiateGear(const Primitive& p, const BodyMotion* motions) noexcept {
  RowDerivatives d;
  addTurning(p, motions, 0, p.rho_1, d);
  addTurning(p, motions, 1, p.rho_2, d);
  addWeighted(differentiateLine(p, motions), -(p.rho_1 + p.rho_2), d);
  return d;
}

/// Of the torques lambda rho a on both wheels and of the force -lambda (rho_1 + rho_2) a x d / d.d along the teeth.
Matrix12d differentiateGearReaction(const Primitive& p, const BodyMotion* motions, double lambda) noexcept {
  const CarriedVector a = direction(p, motions, 0, p.a_1), d = pointDistance(p, motions);
  const double q = d.value.squaredNorm(), load = -lambda * (p.rho_1 + p.rho_2);
  const Vector3d f = a.value.cross(d.value) / q;
  const Matrix3x12 f_by_position =
      (skew(a.value) * d.by_position - skew(d.value) * a.by_position - 2 * f * times(d.value, d.by_position)) / q;
  Matrix12d sum = Matrix12d::Zero();
  addLoadDerivative(d, load * f, load * f_by_position, sum);
  if (p.body_1 != kGround) sum.middleRows<3>(3) += lambda * p.rho_1 * a.by_position;
  if (p.body_2 != kGround) sum.middleRows<3>(9) += lambda * p.rho_2 * a.by_position;
  return sum;
}

}  // namespace

RowDerivatives differentiateRows(const Primitive& p, const BodyMotion* motions) noexcept {
  if (p.kind == PrimitiveKind::kLength) return differentiateLength(p, motions);
  if (p.kind == PrimitiveKind::kAngle) return differentiateAngle(p, motions);
  if (p.kind == PrimitiveKind::kGear) return differentiateGear(p, motions);
  RowDerivatives d;
  if (p.kind == PrimitiveKind::kPoint) {
    const CarriedVector x = pointDistance(p, motions);
    d.rate_by_position = -x.rate_by_position;
    d.second_rate_by_position = -x.second_rate_by_position;
    d.second_rate_by_velocity = -x.second_rate_by_velocity;
    return d;
  }
  const RowFactors f = factorsOf(p, motions);
  addProduct(f.x, f.y, f.scale, d);
  if (f.scale_2 != 0) addProduct(f.x_2, f.y_2, f.scale_2, d);
  if (p.kind == PrimitiveKind::kRolling) addWeighted(differentiateAngle(p, motions), -p.rho_1, d);
  return d;
}

Matrix12d differentiateReaction(const Primitive& p, const BodyMotion* motions, const double* lambda) noexcept {
  Matrix12d sum = Matrix12d::Zero();
  switch (p.kind) {
    case PrimitiveKind::kPoint:
      addLoadDerivative(pointDistance(p, motions), -Vector3d(lambda[0], lambda[1], lambda[2]), Matrix3x12::Zero(), sum);
      return sum;
    case PrimitiveKind::kLength: {
      const Line line(p, motions);
      addLoadDerivative(line.d, lambda[0] * line.u, lambda[0] * line.u_by_position, sum);
      return sum;
    }
    case PrimitiveKind::kAngle: return differentiateAngleReaction(p, motions, lambda[0]);
    case PrimitiveKind::kGear: return differentiateGearReaction(p, motions, lambda[0]);
    case PrimitiveKind::kRolling: sum = differentiateAngleReaction(p, motions, -p.rho_1 * lambda[0]); break;
    case PrimitiveKind::kDistance:
    case PrimitiveKind::kDot1:
    case PrimitiveKind::kDot2:
    case PrimitiveKind::kTwist: break;
  }
  const RowFactors f = factorsOf(p, motions);
  const auto add = [&](const CarriedVector& x, const CarriedVector& y, double tension) noexcept {
    addLoadDerivative(x, tension * y.value, tension * y.by_position, sum);
    addLoadDerivative(y, tension * x.value, tension * x.by_position, sum);
  };
  add(f.x, f.y, f.scale * lambda[0]);
  if (f.scale_2 != 0) add(f.x_2, f.y_2, f.scale_2 * lambda[0]);
  return sum;
}

}  // namespace tactus::rt
