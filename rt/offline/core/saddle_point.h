// The linear system of a constrained Newton step:
//
//   [ A   H^T ] [ x   ]   [ f ]
//   [ P   -E  ] [ dmu ] = [ g ]
//
// A is close to a mass matrix and P to H. E is a small diagonal compliance that keeps redundant and singular rows
// solvable.
#pragma once

#include "rt/offline/core/dense_solvers.h"
#include "rt/offline/core/dynamic_system.h"
#include "rt/offline/core/option.h"

#include <Eigen/SparseLU>

#include <vector>

namespace tactus::rt::offline {

/// Diagonal of E: `relative` times the compliance H M^-1 H^T of each row, estimated from the diagonal of the mass.
VectorXd rowCompliances(const Sparse& H, const Sparse& mass, double relative);

/// The option that sets `relative`.
Option relativeCompliance();

/// Factors a system once and solves it for several right sides. Small systems are dense, large ones sparse.
class SaddlePoint {
 public:
  SaddlePoint();
  ~SaddlePoint();

  /// @throws StepFailure if the matrix is singular
  void factor(const Sparse& A, const Sparse& H, const Sparse& P, const VectorXd& compliances);

  /// Right side (f; g), solution (x; dmu).
  VectorXd solve(const VectorXd& right) const;

 private:
  LuFactors dense_;
  Eigen::SparseLU<Sparse> sparse_;
  bool is_dense_ = true;
  std::vector<int> pattern_;  ///< of the last sparse matrix, whose order of elimination is kept
};

/// Sets the accelerations and multipliers of a point from its positions, velocities, internal states and the input at
/// its time, and its rates of internal states. Sparse: the time of a chain rises with its length.
///
/// M a + H^T lambda = Q, H a = gamma; a second pass removes what the compliance of the rows leaves.
void settleAccelerations(const DynamicSystem& system, MotionPoint& point, SaddlePoint& solver);
void settleAccelerations(const DynamicSystem& system, MotionPoint& point);

}  // namespace tactus::rt::offline
