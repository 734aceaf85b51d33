// Minimal coordinates around one configuration: the constrained equations of motion as ordinary differential equations.
//
// With y the coordinates of a chart and [N Q] an orthonormal basis, N for the free coordinates and Q for the others,
//
//   y = N s + Q p(t, s),   Phi(t, y) = 0,   H y' = nu(t),   H y'' = gamma
//
// the free coordinates s, one for each degree of freedom, determine the motion: s'' = N^T y''. Each step of a method
// has its own s, which begins at 0. Source: [MCS] Eqs. (4)-(19).
#pragma once

#include "rt/offline/core/chart.h"
#include "rt/offline/core/motion_basis.h"
#include "rt/offline/core/stepper.h"

namespace tactus::rt::offline {

class MinimalCoordinates {
 public:
  /// The system must outlive this.
  /// @param[in] threshold  pivots of H Q below this share of the largest mark a singular pose; the motion that they
  /// would
  ///                       determine goes on unchanged
  MinimalCoordinates(const DynamicSystem& system, const MotionPoint& reference, MotionBasis basis,
                     double threshold = 1e-9);
  MinimalCoordinates(const MinimalCoordinates&) = delete;  // its factors refer to its basis
  MinimalCoordinates& operator=(const MinimalCoordinates&) = delete;

  const MotionBasis& basis() const { return basis_; }
  /// The solver of the constraints at the reference, and the motions of the free coordinates there.
  const BasisAnswer& atStart() const { return start_; }
  const MatrixXd& startMotions() const { return motions_; }

  /// First and second rates of the free coordinates at the reference.
  VectorXd startRate() const;
  VectorXd startSecondRate() const;

  struct Evaluation {
    MotionPoint point;     ///< satisfies the constraints at all levels, with internal states rates; no multipliers
    VectorXd second_rate;  ///< s''
  };
  /// The motion at time t with free coordinates s, rates sd and internal states m: closes the constraints and solves
  /// for the accelerations.
  /// @param[in,out] statistics  counts the work
  /// @throws NoConvergence if the constraints cannot be closed
  Evaluation evaluate(double t, const VectorXd& s, const VectorXd& sd, const VectorXd& m, Statistics& statistics) const;

 private:
  /// y with the constraints closed to round-off: Newton's method on p with the factors of the reference, or with new
  /// factors if the old ones are too inaccurate.
  /// @throws NoConvergence
  VectorXd closed(double t, const VectorXd& s, Statistics& statistics) const;

  const DynamicSystem& system_;
  MotionPoint reference_;
  Chart chart_;
  MotionBasis basis_;
  double threshold_;
  BasisAnswer start_;
  MatrixXd motions_;  ///< motions of the free coordinates at the reference
};

/// Sets the smallest multipliers that belong to the accelerations of a point.
/// @returns the tangent space of all rows at the point, with the threshold of the rule
TangentSpace setMultipliers(const DynamicSystem& system, const RankRule& rule, MotionPoint& point);

/// Accelerations and multipliers of a point whose positions and velocities satisfy the constraints; index 1.
/// @param[in] space  tangent space of the constraints at the point
void solveAccelerations(const DynamicSystem& system, const TangentSpace& space, MotionPoint& point);

}  // namespace tactus::rt::offline
