#include "rt/offline/sundials/first_order_form.h"

#include "rt/offline/core/minimal_coordinates.h"
#include "rt/offline/core/saddle_point.h"

#include <algorithm>

namespace tactus::rt::offline {

namespace {

/// Compliance of a row over that of its bodies, in the differential-algebraic form.
constexpr double kFormCompliance = 1e-10;
/// Off the constraints redundant rows have pivots of about their violation over the length of the mechanism; those
/// beyond this multiple of it are independent.
constexpr double kIndependent = 100;

}  // namespace

FirstOrderForm::FirstOrderForm(const DynamicSystem& system, const MotionPoint& start, double stabilization)
    : system_(system),
      stabilization_(stabilization),
      rule_(TangentSpace(MatrixXd(system.jacobian(start))).ruleAfter({})) {
  rule_.rows.clear();  // which ones are independent may change along the motion
  std::vector<bool> turns(static_cast<std::size_t>(system.size()), false);
  for (const int k : system.rotations()) std::fill_n(turns.begin() + k, 3, true);
  for (int i = 0; i < system.size(); ++i)
    if (!turns[static_cast<std::size_t>(i)]) translations_.push_back(i);
}

void FirstOrderForm::learnRank(const MotionPoint& accepted) {
  const double open = system_.rows() > 0 ? system_.constraints(accepted).norm() / system_.length() : 0;
  const TangentSpace space(MatrixXd(system_.jacobian(accepted)),
                           {0, {}, std::max(rule_.threshold, kIndependent * open)});
  rule_.rank = std::max(rule_.rank, space.rank());
}

void FirstOrderForm::write(const MotionPoint& point, std::span<double> y) const {
  auto at = y.begin();
  for (const int i : translations_) *at++ = point.position[i];
  for (const Vector4d& p : point.orientation) at = std::copy_n(p.data(), 4, at);
  at = std::copy_n(point.internal_states.data(), system_.internalStateCount(), at);
  std::copy_n(point.velocity.data(), system_.size(), at);
}

void FirstOrderForm::writeRate(const MotionPoint& point, std::span<double> yd) const {
  std::vector<double> y(static_cast<std::size_t>(size()));
  write(point, y);
  writeCoordinateRates(point.velocity, y, yd.data());
  const auto at = std::copy_n(point.internal_rate.data(), system_.internalStateCount(), yd.data() + coordinates());
  std::copy_n(point.acceleration.data(), system_.size(), at);
}

MotionPoint FirstOrderForm::pointOf(double t, std::span<const double> y, const MotionPoint& near) const {
  MotionPoint point = near;
  point.t = t;
  const double* at = y.data();
  for (const int i : translations_) point.position[i] = *at++;
  for (Vector4d& p : point.orientation) {
    p = Eigen::Map<const Vector4d>(at).normalized();
    at += 4;
  }
  point.internal_states = Eigen::Map<const VectorXd>(at, system_.internalStateCount());
  point.velocity = Eigen::Map<const VectorXd>(at + system_.internalStateCount(), system_.size());
  system_.continueAngles(point);
  return point;
}

void FirstOrderForm::writeCoordinateRates(const VectorXd& w, std::span<const double> y, double* rates) const {
  for (const int i : translations_) *rates++ = w[i];
  const double* parameters = y.data() + translations_.size();
  for (const int k : system_.rotations()) {
    const Eigen::Map<const Vector4d> p(parameters);
    Vector4d turn;
    turn << 0, w.segment<3>(k);
    const double excess = p.squaredNorm() - 1;
    Eigen::Map<Vector4d>{rates} = 0.5 * product(turn, Vector4d(p)) - 0.5 * stabilization_ * excess * p;
    parameters += 4;
    rates += 4;
  }
}

VectorXd FirstOrderForm::solve(MotionPoint& point, std::span<const double> y) const {
  const Sparse H = system_.jacobian(point);
  const TangentSpace space(MatrixXd(H), rule_);
  solveAccelerations(system_, space, point);
  const VectorXd back = space.smallestSolution(system_.constraints(point));
  const VectorXd slow = space.smallestSolution(H * point.velocity - system_.rowRates(point.t));
  VectorXd yd(size());
  writeCoordinateRates(point.velocity - stabilization_ * back, y, yd.data());
  point.internal_rate = system_.internalStateRates(point);
  yd.segment(coordinates(), system_.internalStateCount()) = point.internal_rate;
  yd.tail(system_.size()) = point.acceleration - stabilization_ * slow;
  return yd;
}

VectorXd FirstOrderForm::residual(const MotionPoint& point, std::span<const double> y,
                                  std::span<const double> yd) const {
  const int n = system_.size(), c = coordinates(), k = system_.internalStateCount();
  VectorXd F(size() + rows());
  writeCoordinateRates(point.velocity, y, F.data());
  F.head(c) = Eigen::Map<const VectorXd>(yd.data(), c) - F.head(c);
  F.segment(c, k) = Eigen::Map<const VectorXd>(yd.data() + c, k) - system_.internalStateRates(point);
  const Sparse H = system_.jacobian(point);
  F.segment(c + k, n) = system_.residual(point) + H.transpose() * point.lambda;
  const VectorXd rates = H * point.velocity - system_.rowRates(point.t);
  const VectorXd compliances = rowCompliances(H, system_.mass(point), kFormCompliance);
  F.tail(rows()) = H * point.acceleration - system_.gamma(point) + 2 * stabilization_ * rates +
                   stabilization_ * stabilization_ * system_.constraints(point) -
                   compliances.cwiseProduct(point.lambda);
  return F;
}

}  // namespace tactus::rt::offline
