#include "rt/offline/core/tangent_space.h"

#include <algorithm>
#include <cmath>

namespace tactus::rt::offline {

namespace {

/// A pivot below this share of its usual size marks a singular pose. Round-off of 1e-16 in the positions causes
/// velocities of up to 1e-16 over the square of the pivot, which stay below 1e-7.
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
  const MatrixXd Q = qr_.Q();
  Q_ = Q.leftCols(rank_);
  N_ = Q.rightCols(n - rank_);
}

MatrixXd TangentSpace::smallestSolution(const MatrixXd& b) const {
  if (rank_ == 0) return MatrixXd::Zero(N_.rows(), b.cols());
  // Pivoting puts the independent rows first.
  const MatrixXd looked_at = rows_.empty() ? b : MatrixXd(b(rows_, Eigen::all));
  const MatrixXd chosen = (qr_.P().transpose() * looked_at).topRows(rank_);
  return Q_ * qr_.solveTransposedR(chosen);
}

VectorXd TangentSpace::smallestMultipliers(const VectorXd& f) const {
  VectorXd lambda = VectorXd::Zero(all_rows_);
  if (rank_ == 0) return lambda;
  const VectorXd right = Q_.transpose() * f;
  const MatrixXd R = qr_.R().topRows(rank_).triangularView<Eigen::Upper>();
  VectorXd permuted;
  if (rank_ == qr_.cols())
    permuted = R.triangularView<Eigen::Upper>().solve(right);
  else
    permuted = leastNormSolution(R, right);
  const VectorXd own = qr_.P() * permuted;
  if (rows_.empty()) return own;
  lambda(rows_) = own;
  return lambda;
}

RankRule TangentSpace::ruleAfter(const RankRule& before) const {
  if (rank_ == 0 || rank_ < before.rank) return before;
  RankRule rule{rank_, {}, before.threshold};
  const auto& order = qr_.P().indices();
  for (int k = 0; k < rank_; ++k) rule.rows.push_back(static_cast<int>(order[k]));
  const double smallest = std::abs(qr_.R()(rank_ - 1, rank_ - 1) / qr_.R()(0, 0));
  rule.threshold = std::max(rule.threshold, kSingularShare * smallest);
  return rule;
}

}  // namespace tactus::rt::offline
