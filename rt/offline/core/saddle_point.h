// The linear system of a constrained Newton step:
//
//   [ A   H^T ] [ x   ]   [ f ]
//   [ P   -E  ] [ dmu ] = [ g ]
//
// A is near a mass matrix, P near H, E a small diagonal compliance that keeps redundant and singular rows solvable.
#pragma once

#include "rt/offline/core/dynamic_system.h"
#include "rt/offline/core/option.h"

#include <Eigen/LU>
#include <Eigen/SparseLU>

namespace tactus::rt::offline {

/// Diagonal of E: a share of the compliance H M^-1 H^T of each row, estimated from the diagonal of the mass.
VectorXd rowCompliances(const Sparse& H, const Sparse& mass, double relative);

/// The option that sets that share.
Option relativeCompliance();

/// Factors a system once and solves it for several right sides: dense where it is small, sparse where it is large.
class SaddlePoint {
 public:
  /// @throws StepFailure if the matrix is singular
  void factor(const Sparse& A, const Sparse& H, const Sparse& P, const VectorXd& compliant_laws);

  /// Right side (f; g), solution (x; dmu).
  VectorXd solve(const VectorXd& right) const;

 private:
  Eigen::PartialPivLU<MatrixXd> dense_;
  Eigen::SparseLU<Sparse> sparse_;
  bool is_dense_ = true;
};

}  // namespace tactus::rt::offline
