// Bases of the motions around a configuration: [N Q] orthonormal, s = N^T y the free coordinates, Q^T y the others,
// which the constraints decide.
#pragma once

#include "rt/offline/core/tangent_space.h"

namespace tactus::rt::offline {

struct MotionBasis {
  MatrixXd free, constrained;  ///< N, size x freedoms; Q, size x rank
};

enum class Factorization { kQr, kSvd, kEigen };

/// N spans the motions with H x = 0, as the factorisation gives them.
/// @param[in] threshold  singular values below this share of the largest belong to redundant rows
MotionBasis factoredBasis(const MatrixXd& H, Factorization factorization, double threshold);

/// The basis nearest to the last one, N projected onto the motions with H x = 0 and made orthonormal by the polar
/// factor. In a singular pose, where more of them are free, those that were free before stay so: a branch is not left
/// there. As factorised if there was no last one, or fewer are free than before.
/// @source [MCS] sections 2.3-2.5
MotionBasis continuedBasis(const MatrixXd& H, const MatrixXd& last, const RankRule& rule);

/// N spans what the motions of a basis become when each coordinate is weighed, as near to that basis as can be: where
/// translations weigh little, the free coordinates are angles wherever angles can be.
/// @param[in] basis  whose N has H x = 0
/// @param[in] weights  above 0, one for each coordinate
MotionBasis weighedBasis(const MotionBasis& basis, const VectorXd& weights);

/// N and Q of unit vectors: the coordinates themselves, parted by Gauss-Jordan elimination with full pivoting, in which
/// each coordinate is measured in units of one over its weight: of two that may be free the heavier one is.
/// @param[in] rank  of H
/// @source [RN] Eqs. (4)-(6)
MotionBasis partitionedBasis(const MatrixXd& H, int rank, const VectorXd& weights);

/// What the constraints make of a basis at one point.
class BasisAnswer {
 public:
  /// @param[in] basis  must outlive this
  /// @param[in] threshold  pivots of H Q below this share of the largest are answered by nothing
  BasisAnswer(const MatrixXd& H, const MotionBasis& basis, double threshold);

  /// x in the span of Q with H x = b, as well as it can be met; one column a column of b.
  MatrixXd answer(const MatrixXd& b) const;
  /// T with H T = 0 and N^T T = 1: what the free coordinates move. H is that of the constructor.
  MatrixXd motions(const MatrixXd& H) const { return basis_->free - answer(H * basis_->free); }
  /// Estimate of how far the answers may outgrow what asks for them: the largest column of H over the smallest pivot of
  /// H Q; infinite where that has lost rank.
  double condition() const;

 private:
  const MotionBasis* basis_;
  double size_;                              ///< of the largest column of H
  Eigen::ColPivHouseholderQR<MatrixXd> qr_;  ///< of H Q
};

}  // namespace tactus::rt::offline
