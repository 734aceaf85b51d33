#include "rt/offline/minimal_coordinates.h"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

namespace tactus::rt::offline {

namespace {

/// Rows are closed to this, relative to the size of the mechanism; one more pass then reaches round-off.
constexpr double kClosed = 1e-9;
constexpr int kMostPasses = 20;
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
    : system_(system), reference_(reference), chart_(system, reference), basis_(std::move(basis)) {}

VectorXd MinimalCoordinates::startRate() const {
  return basis_.free.transpose() * reference_.velocity;
}

VectorXd MinimalCoordinates::startSecondRate() const {
  return basis_.free.transpose() * reference_.acceleration;
}

MinimalCoordinates::Evaluation MinimalCoordinates::evaluate(double t, const VectorXd& s, const VectorXd& sd,
                                                            Statistics& statistics) const {
  const MatrixXd &N = basis_.free, &Q = basis_.constrained;
  VectorXd y = N * s;
  ChartPoint c;
  Evaluation out;
  // Close the constraints by Newton's method on p.
  const double limit = kClosed * std::max(1.0, system_.length());
  bool closed = system_.rows() == 0;
  Eigen::ColPivHouseholderQR<MatrixXd> qr;
  Sparse H;
  for (int pass = 0; !closed; ++pass) {
    out.point = chart_.placeAt(y);
    out.point.t = t;
    const VectorXd phi = system_.constraints(out.point);
    if (pass == kMostPasses || !phi.allFinite()) {
      std::ostringstream text;
      text << "the constraints were not closed in " << pass << " iterations; |Phi| is " << phi.norm();
      throw StepFailure(text.str());
    }
    H = system_.jacobian(out.point) * velocityByRate(system_, y);
    qr.setThreshold(kRankTolerance);
    qr.compute(H * Q);
    y -= Q * qr.solve(phi);
    ++statistics.newton_iterations;
    ++statistics.factorisations;
    closed = phi.norm() <= limit;
  }
  c.y = y;
  c.yd = N * sd;
  c.ydd = VectorXd::Zero(system_.size());
  if (system_.rows() > 0) {
    out.point = chart_.placeAt(y);
    H = system_.jacobian(out.point) * velocityByRate(system_, y);
    qr.compute(H * Q);
    c.yd -= Q * qr.solve(H * c.yd - system_.rowRates(t));
    ++statistics.factorisations;
  }
  out.point = chart_.motionOf(c);
  out.point.t = t;
  solveAccelerations(system_, TangentSpace(MatrixXd(system_.jacobian(out.point))), out.point);
  ++statistics.force_evaluations;
  ++statistics.factorisations;
  out.second_rate = N.transpose() * chart_.coordinatesOf(out.point).ydd;
  return out;
}

}  // namespace tactus::rt::offline
