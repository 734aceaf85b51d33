// The constraints around one configuration: which motions they leave free, and the motions that correct a violation.
#pragma once

#include "rt/offline/core/dense_solvers.h"
#include "rt/offline/core/dynamic_system.h"

#include <vector>

namespace tactus::rt::offline {

/// What a run knows about its rows from points on the constraints. Off the constraints a redundant row looks
/// independent to the extent of their violation. Next to a singular pose an independent row looks redundant.
struct RankRule {
  int rank = 0;             ///< maximum rank so far; 0: unknown
  std::vector<int> rows;    ///< independent rows at the last regular point, `rank` of them; empty: use all rows
  double threshold = 1e-9;  ///< pivots below this share of the largest mark redundant rows or a singular pose
};

/// Separates independent from redundant rows of H by a QR factorization of H^T with column pivoting. If the rank falls
/// at a singular pose, one more motion is free there.
class TangentSpace {
 public:
  /// @param[in] rule  from the points before; only its rows of H are used
  explicit TangentSpace(const MatrixXd& H, const RankRule& rule = {});

  int rank() const { return rank_; }
  int freedoms() const { return static_cast<int>(N_.cols()); }

  /// Orthonormal basis of the motions with H x = 0, size x freedoms.
  const MatrixXd& freeMotions() const { return N_; }

  /// Orthonormal basis of the other motions, size x rank.
  const MatrixXd& constrainedMotions() const { return Q_; }

  /// The smallest x with H x = b, one column for each column of b. Redundant rows are assumed to be consistent.
  MatrixXd smallestSolution(const MatrixXd& b) const;

  /// The smallest least-squares solution of H^T lambda = f; zero on rows that are not used.
  VectorXd smallestMultipliers(const VectorXd& f) const;

  /// The rule for the next points. This space must use all rows, at a point on the constraints. At a singular pose the
  /// rule before stays.
  RankRule ruleAfter(const RankRule& before) const;

 private:
  PivotedQr qr_;
  std::vector<int> rows_;  ///< rows in use; empty: all
  Eigen::Index all_rows_ = 0;
  int rank_ = 0;
  MatrixXd Q_, N_;
};

}  // namespace tactus::rt::offline
