#include "rt/offline/core/motion_basis.h"

#include "rt/math/symmetric_eigen.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tactus::rt::offline {

namespace {

/// Splits an orthonormal matrix whose first `rank` columns span the constrained motions.
MotionBasis split(const MatrixXd& all, Eigen::Index rank) {
  return {all.rightCols(all.cols() - rank), all.leftCols(rank)};
}

/// Eigenvalues of H^T H are squares; round-off hides what is below this share of the largest.
constexpr double kMinEigenvalue = 1e-13;

}  // namespace

MotionBasis factoredBasis(const MatrixXd& H, Factorization factorization, double threshold) {
  if (H.rows() == 0 || factorization == Factorization::kQr) {
    const TangentSpace space(H, {0, {}, threshold});
    return {space.freeMotions(), space.constrainedMotions()};
  }
  if (factorization == Factorization::kSvd) {
    const SingularValues svd = singularValues(H.transpose());
    return split(svd.U, (svd.sigma.array() > threshold * svd.sigma[0]).count());  // [MCS] (20)
  }
  const SymmetricEigen eigen = symmetricEigen(H.transpose() * H);
  const VectorXd values = eigen.values.reverse();
  const MatrixXd vectors = eigen.vectors.rowwise().reverse();
  const double minimum = std::max(kMinEigenvalue, threshold * threshold) * values[0];
  return split(vectors, (values.array() > minimum).count());  // [MCS] (21)
}

MotionBasis continuedBasis(const MatrixXd& H, const MatrixXd& last, const RankRule& rule, Factorization factorization) {
  MotionBasis now = factoredBasis(H, factorization, rule.threshold);
  const MatrixXd& N = now.free;
  const auto rank = now.constrained.cols();
  if (last.cols() == 0 || N.cols() < last.cols() || (N.cols() > last.cols() && rank >= rule.rank)) return now;
  const SingularValues svd = singularValues(N.transpose() * last);
  const MatrixXd& U = svd.U;
  const auto kept = last.cols(), held = N.cols() - kept;
  MatrixXd Q(H.cols(), rank + held);
  Q << now.constrained, N * U.rightCols(held);
  return {N * (U.leftCols(kept) * svd.V.transpose()), Q};
}

MotionBasis weighedBasis(const MotionBasis& basis, const VectorXd& weights) {
  const auto n = basis.free.rows(), freedoms = basis.free.cols();
  if (freedoms == 0) return basis;
  const MatrixXd all = orthogonalFactor(weights.asDiagonal() * basis.free);
  const MatrixXd N = all.leftCols(freedoms);
  const SingularValues svd = singularValues(N.transpose() * basis.free);
  return {N * (svd.U * svd.V.transpose()), all.rightCols(n - freedoms)};
}

MotionBasis partitionedBasis(const MatrixXd& H, int rank, const VectorXd& weights) {
  const auto n = H.cols();
  const MatrixXd unit = MatrixXd::Identity(n, n);
  if (rank == 0) return {unit, MatrixXd(n, 0)};
  return split(unit * fullPivots(H * weights.cwiseInverse().asDiagonal()), rank);
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
  // The smallest solution: a motion that no row determines goes on unchanged.
  const MatrixXd R = qr_.R().topRows(rank).triangularView<Eigen::Upper>();
  const MatrixXd right = qr_.transposedQTimes(b).topRows(rank);
  return Q * (qr_.P() * leastNormSolution(R, right));
}

double BasisAnswer::condition() const {
  const auto n = basis_->constrained.cols();
  if (n == 0) return 1;
  if (qr_.rank() < n) return std::numeric_limits<double>::infinity();
  return size_ / std::abs(qr_.R()(n - 1, n - 1));
}

}  // namespace tactus::rt::offline
