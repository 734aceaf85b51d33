#include "rt/offline/core/motion_basis.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/SVD>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tactus::rt::offline {

namespace {

/// Splits an orthonormal matrix whose first `rank` columns span the constrained motions.
MotionBasis split(const MatrixXd& all, Eigen::Index rank) {
  return {all.rightCols(all.cols() - rank), all.leftCols(rank)};
}

/// The motions nearest to N with H x = 0, orthonormal: next to a singular pose the small singular values have vectors
/// that are far less exact than round-off.
MotionBasis polished(const MatrixXd& H, MotionBasis basis, double threshold) {
  const TangentSpace space(H, {0, {}, threshold});
  if (basis.free.cols() == 0 || space.freedoms() != basis.free.cols()) return basis;
  const MatrixXd& F = space.freeMotions();
  const Eigen::JacobiSVD<MatrixXd> svd(F.transpose() * basis.free, Eigen::ComputeFullU | Eigen::ComputeFullV);
  return {F * (svd.matrixU() * svd.matrixV().transpose()), space.constrainedMotions()};
}

/// Eigenvalues of H^T H are squares; round-off hides what is below this share of the largest.
constexpr double kLeastEigenvalue = 1e-13;

}  // namespace

MotionBasis factoredBasis(const MatrixXd& H, Factorization factorization, double threshold) {
  if (H.rows() == 0 || factorization == Factorization::kQr) {
    const TangentSpace space(H, {0, {}, threshold});
    return {space.freeMotions(), space.constrainedMotions()};
  }
  if (factorization == Factorization::kSvd) {
    const Eigen::BDCSVD<MatrixXd> svd(H.transpose(), Eigen::ComputeFullU);
    const VectorXd& sigma = svd.singularValues();
    return polished(H, split(svd.matrixU(), (sigma.array() > threshold * sigma[0]).count()), threshold);
  }
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(H.transpose() * H);
  const VectorXd values = eigen.eigenvalues().reverse();
  const MatrixXd vectors = eigen.eigenvectors().rowwise().reverse();
  const double least = std::max(kLeastEigenvalue, threshold * threshold) * values[0];
  return polished(H, split(vectors, (values.array() > least).count()), threshold);
}

MotionBasis continuedBasis(const MatrixXd& H, const MatrixXd& last, const RankRule& rule) {
  const TangentSpace space(H, {0, {}, rule.threshold});
  const MatrixXd& N = space.freeMotions();
  if (last.cols() == 0 || N.cols() < last.cols() || (N.cols() > last.cols() && space.rank() >= rule.rank))
    return {N, space.constrainedMotions()};
  const Eigen::JacobiSVD<MatrixXd> svd(N.transpose() * last, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const MatrixXd& U = svd.matrixU();
  const auto kept = last.cols(), held = N.cols() - kept;
  MatrixXd Q(H.cols(), space.rank() + held);
  Q << space.constrainedMotions(), N * U.rightCols(held);
  return {N * (U.leftCols(kept) * svd.matrixV().transpose()), Q};
}

MotionBasis weighedBasis(const MotionBasis& basis, const VectorXd& weights) {
  const auto n = basis.free.rows(), freedoms = basis.free.cols();
  const Eigen::HouseholderQR<MatrixXd> qr(weights.asDiagonal() * basis.free);
  const MatrixXd all = qr.householderQ() * MatrixXd::Identity(n, n);
  const MatrixXd N = all.leftCols(freedoms);
  const Eigen::JacobiSVD<MatrixXd> svd(N.transpose() * basis.free, Eigen::ComputeFullU | Eigen::ComputeFullV);
  return {N * (svd.matrixU() * svd.matrixV().transpose()), all.rightCols(n - freedoms)};
}

MotionBasis partitionedBasis(const MatrixXd& H, int rank, const VectorXd& weights) {
  const auto n = H.cols();
  const MatrixXd unit = MatrixXd::Identity(n, n);
  if (rank == 0) return {unit, MatrixXd(n, 0)};
  const Eigen::FullPivLU<MatrixXd> lu(H * weights.cwiseInverse().asDiagonal());
  return split(unit * lu.permutationQ(), rank);
}

BasisAnswer::BasisAnswer(const MatrixXd& H, const MotionBasis& basis, double threshold)
    : basis_(&basis), size_(H.rows() > 0 ? H.colwise().norm().maxCoeff() : 0) {
  qr_.setThreshold(threshold);
  if (basis.constrained.cols() > 0) qr_.compute(H * basis.constrained);
}

MatrixXd BasisAnswer::answer(const MatrixXd& b) const {
  const MatrixXd& Q = basis_->constrained;
  if (Q.cols() == 0) return MatrixXd::Zero(Q.rows(), b.cols());
  const auto rank = qr_.rank();
  if (rank == Q.cols()) return Q * qr_.solve(b);
  // The smallest of all answers: the motion that nothing decides goes on as it did.
  const MatrixXd R = qr_.matrixR().topRows(rank).triangularView<Eigen::Upper>();
  const MatrixXd right = (qr_.householderQ().transpose() * b).topRows(rank);
  return Q * (qr_.colsPermutation() * R.completeOrthogonalDecomposition().solve(right));
}

double BasisAnswer::condition() const {
  const auto n = basis_->constrained.cols();
  if (n == 0) return 1;
  if (qr_.rank() < n) return std::numeric_limits<double>::infinity();
  return size_ / std::abs(qr_.matrixR()(n - 1, n - 1));
}

}  // namespace tactus::rt::offline
