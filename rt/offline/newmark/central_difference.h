// Central differences with projections: explicit Newmark (alpha = 1/2, beta = 0). Positions are projected onto their
// constraints in the metric of the masses, accelerations solve the index-1 equations, velocities are projected.
//
// Velocity-dependent forces are taken at the velocity predicted for the end of the step. Stable up to omega h = 2.
// Source: [TAN] Eqs. (21), (22). The projections are an addition; the paper leaves the constraints open.
#pragma once

#include "rt/offline/core/chart.h"
#include "rt/offline/core/stepper.h"
#include "rt/offline/core/tangent_space.h"

namespace tactus::rt::offline {

class CentralDifference final : public Stepper {
 public:
  CentralDifference(const DynamicSystem& system, const MotionPoint& start);

  void advance(double step) override;
  const MotionPoint& point() const override { return point_; }

 private:
  /// Moves a point onto the constraints and returns the tangent space there. @throws StepFailure
  TangentSpace close(MotionPoint& point);

  const DynamicSystem& system_;
  MotionPoint point_;
  RankRule rule_;  ///< from the accepted points
};

}  // namespace tactus::rt::offline
