// Dormand-Prince in all coordinates of the bodies, on the index-1 equations, with a projection onto the constraints
// after each step. All systems are sparse, so that the work of a step rises with the number of bodies of a chain or a
// vehicle, not with its cube: the precise reference for large mechanisms.
//
//   M ud + H^T lambda = Q,  H ud = gamma      in each stage, in the chart at the start of the step
//   M dq + H^T mu = 0,      H dq = -Phi       after the step, by Newton's method; then the same for the velocities
#pragma once

#include "rt/offline/core/runge_kutta_tables.h"
#include "rt/offline/core/saddle_point.h"
#include "rt/offline/core/step_control.h"
#include "rt/offline/core/stepper.h"

namespace tactus::rt::offline {

class ProjectedStepper final : public Stepper {
 public:
  ProjectedStepper(const DynamicSystem& system, const MotionPoint& start, const Tolerances& tolerances);

  void advance(double step) override;
  const MotionPoint& point() const override { return point_; }
  bool choosesSteps() const override { return tolerances_.adaptive; }

 private:
  struct Trial {
    MotionPoint point;
    double error;  ///< error of the embedded solution; 1 meets the tolerances
  };
  Trial tryStep(double h);
  /// Moves a point onto its constraints, in the metric of the mass, and sets its accelerations and multipliers.
  void project(MotionPoint& point);

  const DynamicSystem& system_;
  Tolerances tolerances_;
  MotionPoint point_;
  StepControl control_;
  SaddlePoint accelerations_, corrections_;
};

}  // namespace tactus::rt::offline
