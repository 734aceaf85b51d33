#include "rt/mechanics/primitives/gear.h"

#include "rt/math/angles.h"
#include "rt/math/skew.h"
#include "rt/mechanics/primitives/body_fixed_vector.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace tactus::rt {

namespace {

struct GearEnds : PointEnds {
  Vector3d a_1;

  GearEnds(const Primitive& p, const BodyMotion* motions) noexcept : PointEnds(p, motions), a_1(rotate(b1.R, p.a_1)) {}

  /// f = a_1 x d / (d . d)
  Vector3d lineTurning() const noexcept { return a_1.cross(d) / d.squaredNorm(); }
};

/// Adds the derivatives of a . w and a . w' + a' . w, with the axis a of body 1 and the rate w of one body, `weight`
/// times.
void addTurning(const Primitive& p, const BodyMotion* motions, int side, double weight, RowDerivatives& d) noexcept {
  const BodyFixedVector a = directionOf(p, motions, 0, p.a_1);
  const int body = side == 0 ? p.body_1 : p.body_2;
  const BodyMotion& b = motionOf(motions, body);
  d.rate_by_position.row(0) += weight * times(b.omega_w, a.by_position);
  d.second_rate_by_position.row(0) += weight * (times(b.alpha_w, a.by_position) + times(b.omega_w, a.rate_by_position));
  d.second_rate_by_velocity.row(0) += weight * times(b.omega_w, a.by_position);
  if (body != kGround) d.second_rate_by_velocity.block<1, 3>(0, 6 * side + 3) += weight * a.rate.transpose();
}

/// Of the turning of the line of centers about the axis, n / q with n = a . d x d' and q = d . d, and of its rate
/// n' / q - 2 n s / q^2 with s = d . d'.
RowDerivatives differentiateLine(const Primitive& p, const BodyMotion* motions) noexcept {
  const BodyFixedVector a = directionOf(p, motions, 0, p.a_1), d = distanceOf(p, motions);
  const Vector3d across = d.value.cross(d.rate);
  const double q = d.value.squaredNorm(), s = d.value.dot(d.rate), n = a.value.dot(across);
  const double n_rate = a.rate.dot(across) + a.value.dot(d.value.cross(d.second_rate));
  const auto timesCross = [](const Vector3d& x, const Vector3d& y, const Matrix3x12& m) noexcept {
    return times(x.cross(y), m);
  };
  const Row12d dq = 2 * times(d.value, d.by_position);
  const Row12d ds = times(d.rate, d.by_position) + times(d.value, d.rate_by_position);
  const Row12d dn = times(across, a.by_position) + timesCross(d.rate, a.value, d.by_position) +
                    timesCross(a.value, d.value, d.rate_by_position);
  const Row12d dn_rate =
      times(across, a.rate_by_position) + timesCross(d.rate, a.rate, d.by_position) +
      timesCross(a.rate, d.value, d.rate_by_position) + timesCross(d.value, d.second_rate, a.by_position) +
      timesCross(d.second_rate, a.value, d.by_position) + timesCross(a.value, d.value, d.second_rate_by_position);
  RowDerivatives out;
  out.rate_by_position.row(0) = dn / q - n / (q * q) * dq;
  out.second_rate_by_position.row(0) =
      dn_rate / q - n_rate / (q * q) * dq - 2 / (q * q) * (s * dn + n * ds) + 4 * n * s / (q * q * q) * dq;
  // By velocity: a' and d' change as a and d do by position.
  const Row12d vn = timesCross(a.value, d.value, d.by_position), vs = times(d.value, d.by_position);
  const Row12d vn_rate = times(across, a.by_position) + timesCross(a.rate, d.value, d.by_position) +
                         timesCross(a.value, d.value, d.second_rate_by_velocity);
  out.second_rate_by_velocity.row(0) = vn_rate / q - 2 / (q * q) * (s * vn + n * vs);
  return out;
}

}  // namespace

void GearPrimitive::rows(const Primitive& p, const BodyMotion* motions, double* phi, RowJacobian* jacobian) noexcept {
  const GearEnds e(p, motions);
  const Vector3d w = (p.rho_1 + p.rho_2) * e.lineTurning();
  phi[0] = p.rho_1 * angleAbout(e.a_1, e.d, e.b1.R * p.b_1) + p.rho_2 * angleAbout(e.a_1, e.d, e.b2.R * p.b_2);  // (1)
  setRow(jacobian[0], 0, p.body_1 == kGround, w, p.rho_1 * e.a_1 + e.s_1.cross(w));                              // (2)
  setRow(jacobian[0], 1, p.body_2 == kGround, -w, p.rho_2 * e.a_1 - e.s_2.cross(w));
}

void GearPrimitive::gamma(const Primitive& p, const BodyMotion* motions, double* gamma) noexcept {
  const GearEnds e(p, motions);
  const Vector3d rate = e.rate(), axis_rate = e.b1.omega_w.cross(e.a_1), across = e.d.cross(rate);
  const double square = e.d.squaredNorm();
  const double line = (axis_rate.dot(across) + e.a_1.dot(e.d.cross(e.centripetalDifference()))) / square -
                      2 * e.a_1.dot(across) * e.d.dot(rate) / (square * square);
  gamma[0] = (p.rho_1 + p.rho_2) * line - p.rho_2 * axis_rate.dot(e.b2.omega_w) -
             p.rho_1 * axis_rate.dot(e.b1.omega_w);  // (3)
}

void GearPrimitive::addStiffness(const Primitive& p, const BodyMotion* motions, const double* lambda,
                                 Matrix3d* stiffness) noexcept {
  const GearEnds e(p, motions);
  const Vector3d f = e.lineTurning();
  const double load = (p.rho_1 + p.rho_2) * lambda[0], square = e.d.squaredNorm();
  const Matrix3d by_line = (skew(e.a_1) - 2 * f * e.d.transpose()) / square;
  const Matrix3d by_axis = skew(e.d) * skew(e.a_1) / square;
  const Matrix3d S_1 = skew(e.s_1), S_2 = skew(e.s_2);
  const Matrix3d k_1 = S_1 * (by_axis + by_line * S_1), k_2 = S_2 * by_line * S_2;
  addToBody(p.body_1, load * (rotationalStiffness<double>(e.s_1, f) + 0.5 * (k_1 + k_1.transpose())),
            stiffness);  // (4)
  addToBody(p.body_2, -load * (rotationalStiffness<double>(e.s_2, f) - 0.5 * (k_2 + k_2.transpose())), stiffness);
}

RowDerivatives GearPrimitive::derivatives(const Primitive& p, const BodyMotion* motions) noexcept {
  RowDerivatives d;
  addTurning(p, motions, 0, p.rho_1, d);
  addTurning(p, motions, 1, p.rho_2, d);
  addWeighted(differentiateLine(p, motions), -(p.rho_1 + p.rho_2), d);
  return d;
}

/// Of the torques lambda rho a on both wheels and of the force -lambda (rho_1 + rho_2) f along the teeth.
Matrix12d GearPrimitive::reactionDerivative(const Primitive& p, const BodyMotion* motions,
                                            const double* lambda) noexcept {
  const BodyFixedVector a = directionOf(p, motions, 0, p.a_1), d = distanceOf(p, motions);
  const double q = d.value.squaredNorm(), load = -lambda[0] * (p.rho_1 + p.rho_2);
  const Vector3d f = a.value.cross(d.value) / q;
  const Matrix3x12 f_by_position =
      (skew(a.value) * d.by_position - skew(d.value) * a.by_position - 2 * f * times(d.value, d.by_position)) / q;
  Matrix12d sum = Matrix12d::Zero();
  addLoadDerivative(d, load * f, load * f_by_position, sum);
  if (p.body_1 != kGround) sum.middleRows<3>(3) += lambda[0] * p.rho_1 * a.by_position;
  if (p.body_2 != kGround) sum.middleRows<3>(9) += lambda[0] * p.rho_2 * a.by_position;
  return sum;
}

void GearPrimitive::angles(const Primitive& p, const BodyMotion* motions, double* angles) noexcept {
  const GearEnds e(p, motions);
  angles[0] = angleAbout(e.a_1, e.d, e.b1.R * p.b_1);
  angles[1] = angleAbout(e.a_1, e.d, e.b2.R * p.b_2);
}

double GearPrimitive::continueRow(const Primitive& p, const BodyMotion* motions, const double* previous,
                                  double phi) noexcept {
  double wrapped[2];
  angles(p, motions, wrapped);
  const double weights[2] = {p.rho_1, p.rho_2};
  for (int k = 0; k < 2; ++k) phi += weights[k] * (unwrapAngle(wrapped[k], previous[k]) - wrapped[k]);
  return phi;
}

/// The turns of both wheels that close the row best; of several the fewest.
void GearPrimitive::startAngles(const Primitive& p, const BodyMotion* motions, double* counted) noexcept {
  constexpr int kMaxTurns = 100;
  double wrapped[2];
  angles(p, motions, wrapped);
  double best = std::numeric_limits<double>::infinity();
  for (int k = 0; k <= 2 * kMaxTurns; ++k) {
    const int turns = (k % 2 == 0 ? 1 : -1) * ((k + 1) / 2);
    const double first = wrapped[0] + 2 * std::numbers::pi * turns;
    const double second = unwrapAngle(wrapped[1], -p.rho_1 / p.rho_2 * first);
    const double gap = std::abs(p.rho_1 * first + p.rho_2 * second);
    if (gap >= best - 1e-9 * p.rho_1) continue;
    best = gap;
    counted[0] = first;
    counted[1] = second;
  }
}

}  // namespace tactus::rt
