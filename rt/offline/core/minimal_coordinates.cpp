#include "rt/offline/core/minimal_coordinates.h"

#include "rt/offline/core/dense_solvers.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <sstream>
#include <utility>

namespace tactus::rt::offline {

namespace {

/// Maximum violation of the rows, relative to the size of the mechanism. Passes go on to round-off if they can.
constexpr double kClosed = 1e-9;
constexpr int kMaxClosingPasses = 40;
/// Relative violations: below kRoundOff no pass can improve, below kClosedWell new factors cost more than they gain.
constexpr double kRoundOff = 1e-17, kClosedWell = 1e-13;
/// A pass that leaves more than kSlow of the violation needs new factors. With new factors, a pass that leaves more
/// than kStalled has reached round-off.
constexpr double kSlow = 0.2, kStalled = 0.8;

/// How velocities follow the rates of the chart's coordinates: G on rotations.
Sparse velocityByRate(const DynamicSystem& system, const VectorXd& y) {
  Sparse G(system.size(), system.size());
  G.setIdentity();
  std::vector<Eigen::Triplet<double>> entries;
  for (const int k : system.rotations()) {
    const Matrix3d block = rateMatrix(y.segment<3>(k)) - Matrix3d::Identity();
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) entries.emplace_back(k + r, k + c, block(r, c));
  }
  Sparse turning(system.size(), system.size());
  turning.setFromTriplets(entries.begin(), entries.end());
  return G + turning;
}

}  // namespace

TangentSpace setMultipliers(const DynamicSystem& system, const RankRule& rule, MotionPoint& point) {
  TangentSpace space(MatrixXd(system.jacobian(point)), {0, {}, rule.threshold});
  point.lambda = space.smallestMultipliers(-system.residual(point));
  return space;
}

void solveAccelerations(const DynamicSystem& system, const TangentSpace& space, MotionPoint& point) {
  // ud = ud_p + N x with N^T (M ud - Q) = 0.
  const MatrixXd& N = space.freeMotions();
  point.acceleration = space.smallestSolution(system.gamma(point));
  const VectorXd unbalanced = N.transpose() * system.residual(point);
  const MatrixXd M = N.transpose() * (system.mass(point) * N);
  point.acceleration -= N * choleskySolve(M, unbalanced);
  point.lambda = space.smallestMultipliers(-system.residual(point));
}

MinimalCoordinates::MinimalCoordinates(const DynamicSystem& system, const MotionPoint& reference, MotionBasis basis,
                                       double threshold)
    : system_(system),
      reference_(reference),
      chart_(system, reference),
      basis_(std::move(basis)),
      threshold_(threshold),
      start_(MatrixXd(system.jacobian(reference)), basis_, threshold),
      motions_(start_.motions(MatrixXd(system.jacobian(reference)))) {}

VectorXd MinimalCoordinates::startRate() const {
  return basis_.free.transpose() * reference_.velocity;
}

VectorXd MinimalCoordinates::startSecondRate() const {
  return basis_.free.transpose() * reference_.acceleration;
}

VectorXd MinimalCoordinates::closed(double t, const VectorXd& s, Statistics& statistics) const {
  // Along the tangent, so that Newton's method finds the branch that the motion is on.
  VectorXd y = motions_ * s;
  if (system_.rows() == 0) return y;
  const double length = std::max(1.0, system_.length());
  std::optional<BasisAnswer> here;
  double before = std::numeric_limits<double>::infinity();
  for (int pass = 0;; ++pass) {
    MotionPoint point = chart_.placeAt(y);
    point.t = t;
    const VectorXd phi = system_.constraints(point);
    const double violation = phi.norm();
    // Below the limit, passes go on while they improve.
    const bool fresh = here.has_value() || violation <= kClosedWell * length;
    if (violation <= kRoundOff * length) return y;
    if (violation <= kClosed * length && fresh && violation >= kStalled * before) return y;
    if (pass == kMaxClosingPasses || !std::isfinite(violation)) {
      if (violation <= kClosed * length) return y;
      std::ostringstream text;
      text << "the constraints were not closed in " << pass << " iterations; |Phi| is " << violation;
      throw NoConvergence(text.str());
    }
    if (violation > kClosedWell * length && violation > kSlow * before) {
      here.emplace(system_.jacobian(point) * velocityByRate(system_, y), basis_, threshold_);
      ++statistics.factorizations;
    }
    y -= (here ? *here : start_).answer(phi);
    before = violation;
    ++statistics.newton_iterations;
  }
}

MinimalCoordinates::Evaluation MinimalCoordinates::evaluate(double t, const VectorXd& s, const VectorXd& sd,
                                                            const VectorXd& m, Statistics& statistics) const {
  const MatrixXd& N = basis_.free;
  ChartPoint c{closed(t, s, statistics), N * sd, VectorXd::Zero(system_.size())};
  const Sparse G = velocityByRate(system_, c.y);
  MatrixXd T = G * N;
  Evaluation out;
  if (system_.rows() == 0) {
    out.point = chart_.motionOf(c);
    out.point.acceleration.setZero();
  } else {
    // One factorization serves the rates, the free motions T and a correction of the second rates.
    const MatrixXd HG = system_.jacobian(chart_.placeAt(c.y)) * G;
    const BasisAnswer constraints(HG, basis_, threshold_);
    ++statistics.factorizations;
    statistics.condition = std::max(statistics.condition, constraints.condition());
    c.yd -= constraints.answer(HG * c.yd - system_.rowRates(t));
    T = G * constraints.motions(HG);
    out.point = chart_.motionOf(c);
    out.point.t = t;
    out.point.acceleration = G * constraints.answer(system_.gamma(out.point));
  }
  out.point.t = t;
  out.point.internal_states = m;
  out.point.internal_rate = system_.internalStateRates(out.point);
  // T^T (M ud - Q) = 0 for ud = ud_p + T x.
  const VectorXd unbalanced = T.transpose() * system_.residual(out.point);
  const MatrixXd M = T.transpose() * (system_.mass(out.point) * T);
  out.point.acceleration -= T * choleskySolve(M, unbalanced);
  ++statistics.force_evaluations;
  out.second_rate = N.transpose() * chart_.coordinatesOf(out.point).ydd;
  return out;
}

}  // namespace tactus::rt::offline
