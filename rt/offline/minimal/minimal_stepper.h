// Minimal coordinates from a factorization of the constraint Jacobian, integrated by explicit Runge-Kutta methods.
//
// The basis of the free motions is unique up to a rotation within itself. A factorization at each step chooses an
// arbitrary rotation, so that generalized coordinates jump; continuation carries the last basis on instead.
// Source: [MCS] sections 2.3-2.5. In place of the exponential of Eq. (28), the last basis is projected onto the new
// free motions and made orthonormal by its polar factor, which minimizes the rotation within the free motions.
#pragma once

#include "rt/offline/core/explicit_runge_kutta.h"
#include "rt/offline/core/minimal_coordinates.h"
#include "rt/offline/core/step_control.h"

#include <string>

namespace tactus::rt::offline {

class MinimalStepper final : public Stepper {
 public:
  struct Settings {
    Factorization factorization = Factorization::kQr;
    bool continuation = true;
    const ExplicitRungeKutta* method = &classicalRungeKutta();
    Tolerances tolerances{1e-4, 1e-4, false};
    bool record = false;  ///< keep the generalized coordinates, their rates and the basis with each point
  };
  /// @throws Error if step control is requested for a method without an embedded solution
  MinimalStepper(const DynamicSystem& system, const MotionPoint& start, const Settings& settings);

  void advance(double step) override;
  const MotionPoint& point() const override { return point_; }
  bool choosesSteps() const override { return settings_.tolerances.adaptive; }

  /// coordinate.K (summed over the steps), rate.K and basis.K.I, K from 1 to the number of freedoms at the start, I
  /// from 1 to the size of a tangent vector.
  std::vector<std::string> ownNames() const override;
  std::vector<double> ownValues() const override;

  /// The basis at the last point, and the generalized velocities in it.
  const MatrixXd& basis() const { return basis_.free; }
  VectorXd generalizedVelocity() const { return basis_.free.transpose() * point_.velocity; }

 private:
  struct Trial {
    MotionPoint point;
    VectorXd s;    ///< change of the free coordinates in the step
    double error;  ///< error of the embedded solution; 1 meets the tolerances
  };
  Trial tryStep(double h, const MinimalCoordinates& coordinates);

  const DynamicSystem& system_;
  Settings settings_;
  MotionPoint point_;
  RankRule rule_;
  MotionBasis basis_;
  StepControl control_;
  VectorXd traveled_;  ///< generalized coordinates since the start
};

}  // namespace tactus::rt::offline
