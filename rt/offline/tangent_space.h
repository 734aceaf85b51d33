// The constraints around one configuration, taken apart: which motions they leave free, and how to answer the others.
#pragma once

#include "rt/offline/dynamic_system.h"

#include <Eigen/QR>

#include <limits>

namespace tactus::rt::offline {

/// Tells the independent rows of H from the redundant ones, by a QR factorisation of H^T with column pivoting: a row is
/// redundant where its pivot is below 1e-9 of the largest. Where the rank falls at a singular pose, one more motion is
/// free there. Off the constraints a redundant row looks independent, by as much as they are broken: who iterates says
/// how many rows there are at most.
class TangentSpace {
 public:
  explicit TangentSpace(const MatrixXd& H, int most_rank = std::numeric_limits<int>::max());

  int rank() const { return rank_; }
  int freedoms() const { return static_cast<int>(N_.cols()); }

  /// Orthonormal basis of the motions with H x = 0, size x freedoms.
  const MatrixXd& freeMotions() const { return N_; }

  /// Orthonormal basis of the rest, size x rank.
  const MatrixXd& constrainedMotions() const { return Q_; }

  /// The smallest x with H x = b; one column a column of b. Redundant rows are taken to agree with the others.
  MatrixXd smallestSolution(const MatrixXd& b) const;

  /// The smallest lambda with H^T lambda = f, as well as it can be met.
  VectorXd smallestMultipliers(const VectorXd& f) const;

 private:
  Eigen::ColPivHouseholderQR<MatrixXd> qr_;
  int rank_ = 0;
  MatrixXd Q_, N_;
};

}  // namespace tactus::rt::offline
