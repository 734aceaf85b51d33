// The constraints around one configuration, taken apart: which motions they leave free, and how to answer the others.
#pragma once

#include "rt/offline/core/dynamic_system.h"

#include <Eigen/QR>

#include <vector>

namespace tactus::rt::offline {

/// What a run has learnt of its rows at points on the constraints. Off the constraints a redundant row looks
/// independent, by as much as they are broken, and next to a singular pose an independent one looks redundant.
struct RankRule {
  int rank = 0;             ///< the largest that was met; 0: nothing is known yet
  std::vector<int> rows;    ///< independent ones, as many, where they were seen last; empty: all are looked at
  double threshold = 1e-9;  ///< pivots below this share of the largest belong to redundant rows, or to a singular pose
};

/// Tells the independent rows of H from the redundant ones, by a QR factorisation of H^T with column pivoting. Where
/// the rank falls at a singular pose, one more motion is free there.
class TangentSpace {
 public:
  /// @param[in] rule  of the points before; only its rows are looked at
  explicit TangentSpace(const MatrixXd& H, const RankRule& rule = {});

  int rank() const { return rank_; }
  int freedoms() const { return static_cast<int>(N_.cols()); }

  /// Orthonormal basis of the motions with H x = 0, size x freedoms.
  const MatrixXd& freeMotions() const { return N_; }

  /// Orthonormal basis of the rest, size x rank.
  const MatrixXd& constrainedMotions() const { return Q_; }

  /// The smallest x with H x = b; one column a column of b. Redundant rows are taken to agree with the others.
  MatrixXd smallestSolution(const MatrixXd& b) const;

  /// The smallest lambda with H^T lambda = f, as well as it can be met; zero on rows that were not looked at.
  VectorXd smallestMultipliers(const VectorXd& f) const;

  /// What the next points are to know. This space must be of all rows, at a point on the constraints; in a singular
  /// pose what was known before stays.
  RankRule ruleAfter(const RankRule& before) const;

 private:
  Eigen::ColPivHouseholderQR<MatrixXd> qr_;
  std::vector<int> rows_;  ///< looked at; empty: all
  Eigen::Index all_rows_ = 0;
  int rank_ = 0;
  MatrixXd Q_, N_;
};

}  // namespace tactus::rt::offline
