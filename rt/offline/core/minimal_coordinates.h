// Minimal coordinates around one configuration: the constrained equations of motion as ordinary differential equations.
//
// With y the coordinates of a chart and [N Q] an orthonormal basis, of which N parts the free coordinates from the
// others,
//
//   y = N s + Q p(t, s),   Phi(t, y) = 0,   H y' = nu(t),   H y'' = gamma
//
// the free coordinates s, as many as freedoms, decide all of the motion: s'' = N^T y''. Each step of a method has its
// own s, which begins at 0. Source: [MCS] Eqs. (4)-(19).
#pragma once

#include "rt/offline/core/chart.h"
#include "rt/offline/core/motion_basis.h"
#include "rt/offline/core/stepper.h"

namespace tactus::rt::offline {

class MinimalCoordinates {
 public:
  /// The system must outlive this.
  /// @param[in] threshold  pivots of H Q below this share of the largest are those of a singular pose: what they would
  ///                       decide moves on as it did
  MinimalCoordinates(const DynamicSystem& system, const MotionPoint& reference, MotionBasis basis,
                     double threshold = 1e-9);
  MinimalCoordinates(const MinimalCoordinates&) = delete;  // its factors refer to its basis
  MinimalCoordinates& operator=(const MinimalCoordinates&) = delete;

  const MotionBasis& basis() const { return basis_; }
  /// The constraints' answers at the reference, and what the free coordinates move there.
  const BasisAnswer& atStart() const { return start_; }
  const MatrixXd& startMotions() const { return motions_; }

  /// Free coordinates' rates at the reference.
  VectorXd startRate() const;
  VectorXd startSecondRate() const;

  struct Evaluation {
    MotionPoint point;     ///< satisfies the constraints at all levels, with internal states rates; no multipliers
    VectorXd second_rate;  ///< s''
  };
  /// The motion at time t with free coordinates s, rates sd and internal states m: closes the constraints and solves
  /// for the accelerations.
  /// @param[in,out] statistics  counts what was done
  /// @throws NoConvergence if the constraints cannot be closed
  Evaluation evaluate(double t, const VectorXd& s, const VectorXd& sd, const VectorXd& m, Statistics& statistics) const;

 private:
  /// y with the constraints closed to round-off: Newton's method on p with the factors of the reference, and with new
  /// ones where those are too far off.
  /// @throws NoConvergence
  VectorXd closed(double t, const VectorXd& s, Statistics& statistics) const;

  const DynamicSystem& system_;
  MotionPoint reference_;
  Chart chart_;
  MotionBasis basis_;
  double threshold_;
  BasisAnswer start_;
  MatrixXd motions_;  ///< of the free coordinates at the reference
};

/// Sets the smallest multipliers that go with the accelerations of a point.
/// @returns what its rows leave free, by the threshold of the rule
TangentSpace setMultipliers(const DynamicSystem& system, const RankRule& rule, MotionPoint& point);

/// Accelerations and multipliers of a point whose positions and velocities satisfy the constraints; index 1.
/// @param[in] space  of the constraints at the point
void solveAccelerations(const DynamicSystem& system, const TangentSpace& space, MotionPoint& point);

}  // namespace tactus::rt::offline
