// The methods of [MSE] on the index-3 equations: linear multistep methods, their single-step form, and ESDIRK.
//
// All rules work on the coordinates of a chart at the start of the step; earlier points are converted to them.
// Velocities stay in world axes, where they form a vector space.
#pragma once

#include "rt/offline/core/step_control.h"
#include "rt/offline/multistep/coefficients.h"
#include "rt/offline/multistep/index_3_solver.h"
#include "rt/offline/multistep/predictor.h"

#include <deque>

namespace tactus::rt::offline {

/// Tolerances of a method that takes each step as requested.
inline constexpr Tolerances kFixedSteps{0, 0, false};

/// A tentative step and the differences from a second solution; these are empty without a second solution.
struct StepTrial {
  MotionPoint point;
  VectorXd position, velocity, internal_states;
};

/// Linear multistep method. The trapezoidal rule makes the first r - 1 steps and the steps after a change of the step
/// size; LMS2 has coefficients for changed steps. At rho_inf = 1 all steps are made by the trapezoidal rule. With step
/// control, the error is the difference from the cubic through the last two points and their rates, which is of higher
/// order than the method.
class MultistepStepper final : public Stepper {
 public:
  /// Step control needs steps = 2.
  MultistepStepper(const DynamicSystem& system, const MotionPoint& start, int steps, double rho_inf,
                   const Index3Solver::Settings& settings, const Tolerances& tolerances = kFixedSteps);

  void advance(double step) override;
  const MotionPoint& point() const override { return history_.front(); }
  bool choosesSteps() const override { return tolerances_.adaptive; }

 private:
  MultistepCoefficients coefficientsFor(double step);
  MotionPoint tryStep(double step);
  StepTrial compared(MotionPoint next) const;
  void take(MotionPoint next);

  const DynamicSystem& system_;
  Index3Solver solver_;
  int steps_;
  double rho_inf_;
  std::deque<MotionPoint> history_;  ///< the latest first
  Tolerances tolerances_;
  StepControl control_;
};

/// The single-step form of the multistep methods, with auxiliary rates in place of the history. For rotations the
/// auxiliary rates are angular velocities relative to the last orientation, so that the two forms agree only
/// approximately.
class SingleStepStepper final : public Stepper {
 public:
  SingleStepStepper(const DynamicSystem& system, const MotionPoint& start, int steps, double rho_inf,
                    const Index3Solver::Settings& settings);

  void advance(double step) override;
  const MotionPoint& point() const override { return point_; }

 private:
  /// Auxiliary rates of the positions, of the velocities and of the internal states.
  struct Auxiliary {
    Eigen::VectorXcd position, velocity, internal_states;
  };

  Index3Solver solver_;
  SingleStepCoefficients coefficients_;
  MotionPoint point_;
  std::vector<Auxiliary> auxiliary_;  ///< element 0 is not used
  double step_ = 0;                   ///< the last one
};

class EsdirkStepper final : public Stepper {
 public:
  /// Step control needs a method with an embedded solution.
  EsdirkStepper(const DynamicSystem& system, const MotionPoint& start, Esdirk method,
                const Index3Solver::Settings& settings, const Tolerances& tolerances = kFixedSteps);

  void advance(double step) override;
  const MotionPoint& point() const override { return point_; }
  bool choosesSteps() const override { return tolerances_.adaptive; }

 private:
  StepTrial tryStep(double step);
  VectorXd predict(double t, int stage, const std::vector<MotionPoint>& stages) const;

  const DynamicSystem& system_;
  Index3Solver solver_;
  Esdirk method_;
  MotionPoint point_;
  Tolerances tolerances_;
  StepControl control_;
};

}  // namespace tactus::rt::offline
