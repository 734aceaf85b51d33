// Bases of the motions around a configuration: [N Q] is orthonormal, s = N^T y are the free coordinates, and the
// constraints determine the others, Q^T y.
#pragma once

#include "rt/offline/core/dense_solvers.h"
#include "rt/offline/core/tangent_space.h"

namespace tactus::rt::offline {

struct MotionBasis {
  MatrixXd free, constrained;  ///< N, size x freedoms; Q, size x rank
};

enum class Factorization { kQr, kSvd, kEigen };

/// A basis N of the motions with H x = 0 and one Q of the others, both from a factorization of H. Next to a singular
/// pose the vectors of small singular values are less exact than those of QR, and eigenvectors of H^T H less exact
/// still.
/// @param[in] threshold  singular values below this share of the largest belong to redundant rows
/// @source [MCS] Eqs. (8), (20), (21)
MotionBasis factoredBasis(const MatrixXd& H, Factorization factorization, double threshold);

/// The basis nearest to the last one: the last N projected onto the motions with H x = 0 and made orthonormal by its
/// polar factor. At a singular pose, where more motions are free, the motions that were free before stay free, so that
/// the motion stays on its branch. Without a last basis, or if fewer motions are free than before, the basis comes from
/// a factorization.
/// @param[in] factorization  finds the motions that are free now
/// @source [MCS] sections 2.3-2.5
MotionBasis continuedBasis(const MatrixXd& H, const MatrixXd& last, const RankRule& rule,
                           Factorization factorization = Factorization::kQr);

/// The free motions of a basis with each coordinate multiplied by a weight, as near to that basis as possible. With a
/// small weight on translations, the free coordinates are angles wherever that is possible.
/// @param[in] basis  a basis with H N = 0
/// @param[in] weights  one for each coordinate, above 0
MotionBasis weighedBasis(const MotionBasis& basis, const VectorXd& weights);

/// N and Q of unit vectors: Gauss-Jordan elimination with full pivoting selects the free coordinates. Each coordinate
/// is scaled by its weight, so that the heavier of two candidates becomes free.
/// @param[in] rank  rank of H
/// @source [RN] Eqs. (4)-(6)
MotionBasis partitionedBasis(const MatrixXd& H, int rank, const VectorXd& weights);

/// Solves the constraints at one point for the coordinates that a basis does not leave free.
class BasisAnswer {
 public:
  /// @param[in] basis  must outlive this
  /// @param[in] threshold  pivots of H Q below this share of the largest count as zero
  BasisAnswer(const MatrixXd& H, const MotionBasis& basis, double threshold);

  /// x in the span of Q with H x = b, or its least-squares solution; one column for each column of b.
  MatrixXd answer(const MatrixXd& b) const;
  /// T with H T = 0 and N^T T = 1: the motions of the free coordinates. H must be the one of the constructor.
  MatrixXd motions(const MatrixXd& H) const { return basis_->free - answer(H * basis_->free); }
  /// Estimate of the amplification by answer(): the largest column of H over the smallest pivot of H Q; infinite if H Q
  /// lost rank.
  double condition() const;

 private:
  const MotionBasis* basis_;
  double size_;   ///< norm of the largest column of H
  PivotedQr qr_;  ///< factors of H Q
};

}  // namespace tactus::rt::offline
