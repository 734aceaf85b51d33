#include "rt/offline/minimal_coordinates.h"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <utility>

namespace tactus::rt::offline {

namespace {

/// Rows must close to this, relative to the size of the mechanism; they are closed further, to round-off.
constexpr double kClosed = 1e-9;
constexpr int kMostPasses = 40;
/// Share of kClosed below which no pass can gain.
constexpr double kRoundOff = 1e-8;
/// A pass that leaves more than this share of the violation needs new factors; below kClosed, it has reached round-off.
constexpr double kSlow = 0.2, kStalled = 0.5;
/// Pivots below this share of the largest belong to redundant rows.
constexpr double kRankTolerance = 1e-9;

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

void setMultipliers(const DynamicSystem& system, MotionPoint& point) {
  point.lambda = TangentSpace(MatrixXd(system.jacobian(point))).smallestMultipliers(-system.residual(point));
}

void solveAccelerations(const DynamicSystem& system, const TangentSpace& space, MotionPoint& point) {
  // ud = ud_p + N x with N^T (M ud - Q) = 0.
  const MatrixXd& N = space.freeMotions();
  point.acceleration = space.smallestSolution(system.gamma(point));
  const VectorXd unbalanced = N.transpose() * system.residual(point);
  const MatrixXd M = N.transpose() * (system.mass(point) * N);
  point.acceleration -= N * M.llt().solve(unbalanced);
  point.lambda = space.smallestMultipliers(-system.residual(point));
}

MinimalCoordinates::MinimalCoordinates(const DynamicSystem& system, const MotionPoint& reference, MotionBasis basis)
    : system_(system), reference_(reference), chart_(system, reference), basis_(std::move(basis)) {
  start_.setThreshold(kRankTolerance);
  if (system.rows() > 0) start_.compute(system.jacobian(reference) * basis_.constrained);
}

VectorXd MinimalCoordinates::startRate() const {
  return basis_.free.transpose() * reference_.velocity;
}

VectorXd MinimalCoordinates::startSecondRate() const {
  return basis_.free.transpose() * reference_.acceleration;
}

VectorXd MinimalCoordinates::closed(double t, const VectorXd& s, Statistics& statistics) const {
  const MatrixXd& Q = basis_.constrained;
  VectorXd y = basis_.free * s;
  if (system_.rows() == 0) return y;
  const double limit = kClosed * std::max(1.0, system_.length());
  Eigen::ColPivHouseholderQR<MatrixXd> here;
  here.setThreshold(kRankTolerance);
  const auto* factors = &start_;
  double before = std::numeric_limits<double>::infinity();
  for (int pass = 0;; ++pass) {
    MotionPoint point = chart_.placeAt(y);
    point.t = t;
    const VectorXd phi = system_.constraints(point);
    const double violation = phi.norm();
    // Below the limit passes go on for as long as they still gain.
    if (violation <= limit && (violation >= kStalled * before || violation <= kRoundOff * limit)) return y;
    if (pass == kMostPasses || !std::isfinite(violation)) {
      std::ostringstream text;
      text << "the constraints were not closed in " << pass << " iterations; |Phi| is " << violation;
      throw StepFailure(text.str());
    }
    if (violation > limit && violation > kSlow * before) {
      here.compute(system_.jacobian(point) * velocityByRate(system_, y) * Q);
      factors = &here;
      ++statistics.factorisations;
    }
    y -= Q * factors->solve(phi);
    before = violation;
    ++statistics.newton_iterations;
  }
}

MinimalCoordinates::Evaluation MinimalCoordinates::evaluate(double t, const VectorXd& s, const VectorXd& sd,
                                                            Statistics& statistics) const {
  const MatrixXd &N = basis_.free, &Q = basis_.constrained;
  ChartPoint c{closed(t, s, statistics), N * sd, VectorXd::Zero(system_.size())};
  const Sparse G = velocityByRate(system_, c.y);
  MatrixXd T = G * N;
  Evaluation out;
  if (system_.rows() == 0) {
    out.point = chart_.motionOf(c);
    out.point.t = t;
    out.point.acceleration.setZero();
  } else {
    // One factorisation serves the rates, the free motions T and the smallest change that meets the second rates.
    const Sparse H = system_.jacobian(chart_.placeAt(c.y));
    Eigen::ColPivHouseholderQR<MatrixXd> qr;
    qr.setThreshold(kRankTolerance);
    qr.compute(H * G * Q);
    ++statistics.factorisations;
    c.yd -= Q * qr.solve(H * (G * c.yd) - system_.rowRates(t));
    T -= G * (Q * qr.solve(H * T));
    out.point = chart_.motionOf(c);
    out.point.t = t;
    out.point.acceleration = G * (Q * qr.solve(system_.gamma(out.point)));
  }
  // T^T (M ud - Q) = 0 for ud = ud_p + T x.
  const VectorXd unbalanced = T.transpose() * system_.residual(out.point);
  const MatrixXd M = T.transpose() * (system_.mass(out.point) * T);
  out.point.acceleration -= T * M.llt().solve(unbalanced);
  ++statistics.force_evaluations;
  out.second_rate = N.transpose() * chart_.coordinatesOf(out.point).ydd;
  return out;
}

}  // namespace tactus::rt::offline
