#include "rt/offline/tangent_space.h"

#include <algorithm>

namespace tactus::rt::offline {

namespace {

constexpr double kRankTolerance = 1e-9;

}  // namespace

TangentSpace::TangentSpace(const MatrixXd& H, int most_rank) {
  const auto n = H.cols();
  if (H.rows() == 0) {
    Q_.resize(n, 0);
    N_ = MatrixXd::Identity(n, n);
    return;
  }
  qr_.setThreshold(kRankTolerance);
  qr_.compute(H.transpose());
  rank_ = std::min(static_cast<int>(qr_.rank()), most_rank);
  const MatrixXd Q = qr_.householderQ() * MatrixXd::Identity(n, n);
  Q_ = Q.leftCols(rank_);
  N_ = Q.rightCols(n - rank_);
}

MatrixXd TangentSpace::smallestSolution(const MatrixXd& b) const {
  if (rank_ == 0) return MatrixXd::Zero(N_.rows(), b.cols());
  // The independent rows are those that pivoting has put first.
  const MatrixXd chosen = (qr_.colsPermutation().transpose() * b).topRows(rank_);
  const auto R = qr_.matrixR().topLeftCorner(rank_, rank_).triangularView<Eigen::Upper>();
  return Q_ * R.transpose().solve(chosen);
}

VectorXd TangentSpace::smallestMultipliers(const VectorXd& f) const {
  const auto m = qr_.cols();
  if (rank_ == 0) return VectorXd::Zero(m);
  const VectorXd right = Q_.transpose() * f;
  const MatrixXd R = qr_.matrixR().topRows(rank_).triangularView<Eigen::Upper>();
  VectorXd permuted;
  if (rank_ == m)
    permuted = R.triangularView<Eigen::Upper>().solve(right);
  else
    permuted = R.completeOrthogonalDecomposition().solve(right);
  return qr_.colsPermutation() * permuted;
}

}  // namespace tactus::rt::offline
