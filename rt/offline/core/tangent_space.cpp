#include "rt/offline/core/tangent_space.h"

#include <algorithm>
#include <cmath>

namespace tactus::rt::offline {

namespace {

/// Next to a singular pose: a pivot is below this share of what it is elsewhere. Round-off in the positions, 1e-16, is
/// answered by velocities of up to 1e-16 over the square of that pivot, which are then still below 1e-7.
constexpr double kSingularShare = 1e-4;

}  // namespace

TangentSpace::TangentSpace(const MatrixXd& H, const RankRule& rule) : rows_(rule.rows), all_rows_(H.rows()) {
  const auto n = H.cols();
  if (H.rows() == 0) {
    Q_.resize(n, 0);
    N_ = MatrixXd::Identity(n, n);
    return;
  }
  qr_.setThreshold(rule.threshold);
  qr_.compute(rows_.empty() ? MatrixXd(H.transpose()) : MatrixXd(H(rows_, Eigen::all).transpose()));
  rank_ = static_cast<int>(qr_.rank());
  if (rule.rank > 0) rank_ = std::min(rank_, rule.rank);
  const MatrixXd Q = qr_.householderQ() * MatrixXd::Identity(n, n);
  Q_ = Q.leftCols(rank_);
  N_ = Q.rightCols(n - rank_);
}

MatrixXd TangentSpace::smallestSolution(const MatrixXd& b) const {
  if (rank_ == 0) return MatrixXd::Zero(N_.rows(), b.cols());
  // The independent rows are those that pivoting has put first.
  const MatrixXd looked_at = rows_.empty() ? b : MatrixXd(b(rows_, Eigen::all));
  const MatrixXd chosen = (qr_.colsPermutation().transpose() * looked_at).topRows(rank_);
  const auto R = qr_.matrixR().topLeftCorner(rank_, rank_).triangularView<Eigen::Upper>();
  return Q_ * R.transpose().solve(chosen);
}

VectorXd TangentSpace::smallestMultipliers(const VectorXd& f) const {
  VectorXd lambda = VectorXd::Zero(all_rows_);
  if (rank_ == 0) return lambda;
  const VectorXd right = Q_.transpose() * f;
  const MatrixXd R = qr_.matrixR().topRows(rank_).triangularView<Eigen::Upper>();
  VectorXd permuted;
  if (rank_ == qr_.cols())
    permuted = R.triangularView<Eigen::Upper>().solve(right);
  else
    permuted = R.completeOrthogonalDecomposition().solve(right);
  const VectorXd own = qr_.colsPermutation() * permuted;
  if (rows_.empty()) return own;
  lambda(rows_) = own;
  return lambda;
}

RankRule TangentSpace::ruleAfter(const RankRule& before) const {
  if (rank_ == 0 || rank_ < before.rank) return before;
  RankRule rule{rank_, {}, before.threshold};
  const auto& order = qr_.colsPermutation().indices();
  for (int k = 0; k < rank_; ++k) rule.rows.push_back(static_cast<int>(order[k]));
  const double smallest = std::abs(qr_.matrixR()(rank_ - 1, rank_ - 1) / qr_.matrixR()(0, 0));
  rule.threshold = std::max(rule.threshold, kSingularShare * smallest);
  return rule;
}

}  // namespace tactus::rt::offline
