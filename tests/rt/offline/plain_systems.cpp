#include "tests/rt/offline/plain_systems.h"

#include <algorithm>
#include <cmath>

namespace tactus::tests {

using rt::offline::ResidualDerivatives;
using rt::offline::RowRateDerivatives;

namespace {

Sparse sparse(const MatrixXd& m) {
  return m.sparseView();
}

VectorXd vector(std::initializer_list<double> values) {
  VectorXd v(static_cast<Eigen::Index>(values.size()));
  std::copy(values.begin(), values.end(), v.data());
  return v;
}

MotionPoint pointOf(const VectorXd& x, const VectorXd& v, const VectorXd& a, const VectorXd& lambda) {
  return {0, x, {}, v, a, lambda};
}

RowRateDerivatives noRows(int size) {
  return {Sparse(0, size), Sparse(0, size), Sparse(0, size)};
}

}  // namespace

Sparse PlainSystem::mass(const MotionPoint&) const {
  return sparse(MatrixXd::Identity(size(), size()));
}

VectorXd Oscillator::residual(const MotionPoint& at) const {
  return at.acceleration + 2 * damping_ * omega_ * at.velocity + omega_ * omega_ * at.position;
}

ResidualDerivatives Oscillator::residualDerivatives(const MotionPoint& at) const {
  return {mass(at), sparse(vector({2 * damping_ * omega_})), sparse(vector({omega_ * omega_}))};
}

RowRateDerivatives Oscillator::rowRateDerivatives(const MotionPoint&) const {
  return noRows(1);
}

MotionPoint Oscillator::pointAt(double x, double v) const {
  return pointOf(vector({x}), vector({v}), vector({-2 * damping_ * omega_ * v - omega_ * omega_ * x}), VectorXd(0));
}

VectorXd NonlinearOscillator::residual(const MotionPoint& at) const {
  const double x = at.position[0];
  return at.acceleration + vector({x + x * x * x + 0.2 * at.velocity[0]});
}

ResidualDerivatives NonlinearOscillator::residualDerivatives(const MotionPoint& at) const {
  const double x = at.position[0];
  return {mass(at), sparse(vector({0.2})), sparse(vector({1 + 3 * x * x}))};
}

RowRateDerivatives NonlinearOscillator::rowRateDerivatives(const MotionPoint&) const {
  return noRows(1);
}

MotionPoint NonlinearOscillator::pointAt(double x, double v) const {
  return pointOf(vector({x}), vector({v}), vector({-x - x * x * x - 0.2 * v}), VectorXd(0));
}

VectorXd PointPendulum::constraints(const MotionPoint& at) const {
  return VectorXd::Constant(copies_, 0.5 * (at.position.squaredNorm() - 1));
}

Sparse PointPendulum::jacobian(const MotionPoint& at) const {
  return sparse(at.position.transpose().replicate(copies_, 1));
}

VectorXd PointPendulum::gamma(const MotionPoint& at) const {
  return VectorXd::Constant(copies_, -at.velocity.squaredNorm());
}

VectorXd PointPendulum::residual(const MotionPoint& at) const {
  // The torque as a force across the bar: T (-y, x) / (x^2 + y^2).
  const double x = at.position[0], y = at.position[1];
  const double T = torque_ * std::sin(0.1 * at.t) / (x * x + y * y);
  return at.acceleration - vector({-T * y, T * x - gravity_});
}

ResidualDerivatives PointPendulum::residualDerivatives(const MotionPoint& at) const {
  const double x = at.position[0], y = at.position[1], r = x * x + y * y;
  const double T = torque_ * std::sin(0.1 * at.t);
  MatrixXd K(2, 2);
  K << -2 * T * x * y / (r * r), T / r - 2 * T * y * y / (r * r), -T / r + 2 * T * x * x / (r * r),
      2 * T * x * y / (r * r);
  K.diagonal().array() += at.lambda.sum();
  return {mass(at), Sparse(2, 2), sparse(K)};
}

RowRateDerivatives PointPendulum::rowRateDerivatives(const MotionPoint& at) const {
  const Sparse rate = sparse(at.velocity.transpose().replicate(copies_, 1));
  return {rate, sparse(at.acceleration.transpose().replicate(copies_, 1)), 2 * rate};
}

MotionPoint PointPendulum::pointAt(double angle, double rate) const {
  const double c = std::cos(angle), s = std::sin(angle), second = accelerationAt(0, angle);
  const VectorXd x = vector({s, -c}), across = vector({c, s});
  MotionPoint point = pointOf(x, rate * across, second * across - rate * rate * x, VectorXd(copies_));
  point.lambda.setConstant(-x.dot(residual(point)) / copies_);
  return point;
}

double PointPendulum::angleOf(const MotionPoint& at) const {
  return std::atan2(at.position[0], -at.position[1]);
}

double PointPendulum::accelerationAt(double t, double angle) const {
  return torque_ * std::sin(0.1 * t) - gravity_ * std::sin(angle);
}

Sparse BarPendulum::mass(const MotionPoint&) const {
  return sparse(vector({1, 1, 0}).asDiagonal());
}

VectorXd BarPendulum::constraints(const MotionPoint& at) const {
  const VectorXd& q = at.position;
  return vector({q[0] - std::sin(q[2]), q[1] + std::cos(q[2])});
}

Sparse BarPendulum::jacobian(const MotionPoint& at) const {
  const double angle = at.position[2];
  MatrixXd H(2, 3);
  H << 1, 0, -std::cos(angle), 0, 1, -std::sin(angle);
  return sparse(H);
}

VectorXd BarPendulum::gamma(const MotionPoint& at) const {
  const double angle = at.position[2], rate = at.velocity[2];
  return rate * rate * vector({-std::sin(angle), std::cos(angle)});
}

VectorXd BarPendulum::residual(const MotionPoint& at) const {
  return vector({at.acceleration[0], at.acceleration[1] + gravity_, -torque_ * std::sin(0.1 * at.t)});
}

ResidualDerivatives BarPendulum::residualDerivatives(const MotionPoint& at) const {
  // Of H^T lambda: only the third row of H^T depends on theta.
  MatrixXd K = MatrixXd::Zero(3, 3);
  K(2, 2) = std::sin(at.position[2]) * at.lambda[0] - std::cos(at.position[2]) * at.lambda[1];
  return {mass(at), Sparse(3, 3), sparse(K)};
}

RowRateDerivatives BarPendulum::rowRateDerivatives(const MotionPoint& at) const {
  const double s = std::sin(at.position[2]), c = std::cos(at.position[2]);
  const double rate = at.velocity[2], second = at.acceleration[2];
  MatrixXd A = MatrixXd::Zero(2, 3), B = A;
  A.col(2) << s * rate, -c * rate;
  B.col(2) << s * second + c * rate * rate, -c * second + s * rate * rate;
  return {sparse(A), sparse(B), sparse(2 * A)};
}

MotionPoint BarPendulum::rest() const {
  return pointOf(vector({0, -1, 0}), VectorXd::Zero(3), VectorXd::Zero(3), vector({0, -gravity_}));
}

}  // namespace tactus::tests
