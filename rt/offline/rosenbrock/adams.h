// Adams predictor-corrector of order 4 in minimal coordinates: the explicit comparison for rn4, on the same equations.
//
// PECE with steps of any length: the weights integrate the polynomials through the last rates. Each step has its own
// free coordinates, and earlier points are converted to them. The classical Runge-Kutta method makes the first steps.
// The difference between predictor and corrector controls the step. Source: [RN] section 5 compares with DDEABM, which
// has a variable order; the order here is fixed.
#pragma once

#include "rt/offline/core/minimal_coordinates.h"
#include "rt/offline/core/step_control.h"

#include <deque>

namespace tactus::rt::offline {

/// Weights w with: integral of p over [0, h] = sum_j w_j p(t_j), for all polynomials p of degree below t.size().
VectorXd integrationWeights(const std::vector<double>& t, double h);

class AdamsStepper final : public Stepper {
 public:
  AdamsStepper(const DynamicSystem& system, const MotionPoint& start, const Tolerances& tolerances);

  void advance(double step) override;
  const MotionPoint& point() const override { return history_.front(); }
  bool choosesSteps() const override { return tolerances_.adaptive; }

 private:
  void begin(double h);

  const DynamicSystem& system_;
  Tolerances tolerances_;
  std::deque<MotionPoint> history_;  ///< the latest first
  StepControl control_;
  RankRule rule_;  ///< from the accepted points
  MatrixXd free_;  ///< basis of the free motions at the start of the last step
};

}  // namespace tactus::rt::offline
