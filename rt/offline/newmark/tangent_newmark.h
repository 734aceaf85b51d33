// Newmark's rule in the tangent space of the constraints: positions, velocities and accelerations satisfy their
// constraints together, and the rule keeps the stability that it has without constraints.
//
// Each iteration linearizes the rows at all three levels around the current estimate of the new point, in the
// coordinates y of a chart there. With N an orthonormal basis of H y = 0, the motions that satisfy the rows are
//
//   y = y_p + N s,   yd = yd_p + N sd + U s,   ydd = ydd_p + N sdd + 2 U sd + V s
//
// with smallest particular solutions, so that s = N^T y, sd = N^T yd, sdd = N^T ydd hold for the old point, too.
// Newmark's rule is applied to s, and the linearized N^T (M ud - Q) = 0 gives sdd.
//
// Source: [TAN] Eqs. (32)-(58); rotations have the coordinates of the chart in place of those of the paper.
#pragma once

#include "rt/offline/core/chart.h"
#include "rt/offline/core/option.h"
#include "rt/offline/core/stepper.h"
#include "rt/offline/core/tangent_space.h"

namespace tactus::rt::offline {

/// x_1 = x_0 + h v_0 + h^2 ((1/2 - beta) a_0 + beta a_1),   v_1 = v_0 + h ((1 - alpha) a_0 + alpha a_1)
struct NewmarkRule {
  double alpha = 0.5;  ///< weight in the velocity
  double beta = 0.25;  ///< weight in the position
};

/// The largest stable h of the rule at a natural frequency, s; infinite if there is none.
double newmarkStepLimit(const NewmarkRule& rule, double omega);

class TangentNewmark final : public Stepper {
 public:
  struct Settings {
    NewmarkRule rule;
    double tolerance = 1e-10;  ///< maximum last increment, relative to the size of the mechanism
    int iterations = 30;       ///< maximum
    bool frequencies = true;   ///< estimate omega_max and the stable step along the run
    /// Begin without acceleration along the free motions. The acceleration of a transient far shorter than the step
    /// would spoil the first step.
    bool begin_unaccelerated = false;
  };
  TangentNewmark(const DynamicSystem& system, const MotionPoint& start, const Settings& settings);

  void advance(double step) override;
  const MotionPoint& point() const override { return point_; }
  /// If frequencies are estimated: omega, rad/s, and stable_step, s (0: every step is stable), at the last step.
  std::vector<std::string> ownNames() const override;
  std::vector<double> ownValues() const override;

 private:
  const DynamicSystem& system_;
  Settings settings_;
  MotionPoint point_;
  RankRule rule_;  ///< of the accepted points
};

/// Options of all methods with Newmark's rule, and the rule that they set.
std::vector<Option> newmarkOptions();
NewmarkRule newmarkRule(const OptionValues& options);

}  // namespace tactus::rt::offline
