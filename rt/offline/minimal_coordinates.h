// Minimal coordinates around one configuration: the constrained equations of motion as ordinary differential equations.
//
// With y the coordinates of a chart and [N Q] an orthonormal basis at the reference, of which N spans the free motions,
//
//   y = N s + Q p(t, s),   Phi(t, y) = 0,   H y' = nu(t),   H y'' = gamma
//
// the free coordinates s, as many as freedoms, decide all of the motion: s'' = N^T y''. Each step of a method has its
// own s, which begins at 0. Source: [MCS] Eqs. (4)-(19).
#pragma once

#include "rt/offline/chart.h"
#include "rt/offline/stepper.h"
#include "rt/offline/tangent_space.h"

namespace tactus::rt::offline {

/// Orthonormal bases of the free motions (H x = 0) and of their complement.
struct MotionBasis {
  MatrixXd free, constrained;
};

class MinimalCoordinates {
 public:
  /// The system must outlive this.
  MinimalCoordinates(const DynamicSystem& system, const MotionPoint& reference, MotionBasis basis);

  const MatrixXd& free() const { return basis_.free; }

  /// Free coordinates' rates at the reference.
  VectorXd startRate() const;
  VectorXd startSecondRate() const;

  struct Evaluation {
    MotionPoint point;     ///< satisfies the constraints at all levels; its multipliers are not set
    VectorXd second_rate;  ///< s''
  };
  /// The motion at time t with free coordinates s and rates sd: closes the constraints and solves for the
  /// accelerations.
  /// @param[in,out] statistics  counts what was done
  /// @throws StepFailure if the constraints cannot be closed
  Evaluation evaluate(double t, const VectorXd& s, const VectorXd& sd, Statistics& statistics) const;

 private:
  /// y with the constraints closed to round-off: Newton's method on p with the factors of the reference, and with new
  /// ones where those are too far off.
  VectorXd closed(double t, const VectorXd& s, Statistics& statistics) const;

  const DynamicSystem& system_;
  MotionPoint reference_;
  Chart chart_;
  MotionBasis basis_;
  Eigen::ColPivHouseholderQR<MatrixXd> start_;  ///< of H Q at the reference
};

/// Sets the smallest multipliers that go with the accelerations of a point.
void setMultipliers(const DynamicSystem& system, MotionPoint& point);

/// Accelerations and multipliers of a point whose positions and velocities satisfy the constraints; index 1.
/// @param[in] space  of the constraints at the point
void solveAccelerations(const DynamicSystem& system, const TangentSpace& space, MotionPoint& point);

}  // namespace tactus::rt::offline
