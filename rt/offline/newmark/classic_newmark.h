// Newmark's rule on the index-3 equations, the usual way: the rule is applied to all coordinates, and only the
// positions are held to their constraints. Kept because its failures are known: with beta < alpha/2 the constraints are
// infinitely stiff springs beyond the rule's limit, and with the trapezoidal rule multipliers and accelerations swing.
//
// The rule works on the coordinates y of a chart at the start of the step. Source: [TAN] section 2.
#pragma once

#include "rt/offline/core/saddle_point.h"
#include "rt/offline/newmark/tangent_newmark.h"

namespace tactus::rt::offline {

class ClassicNewmark final : public Stepper {
 public:
  struct Settings {
    NewmarkRule rule;
    double tolerance = 1e-10;           ///< largest last increment, relative to the size of the mechanism
    int iterations = 30;                ///< at most
    double relative_compliance = 1e-9;  ///< of a row over that of its bodies, in a step
  };
  /// @throws Error if beta is 0: the rule then has no position to solve for
  ClassicNewmark(const DynamicSystem& system, const MotionPoint& start, const Settings& settings);

  void advance(double step) override;
  const MotionPoint& point() const override { return point_; }

 private:
  const DynamicSystem& system_;
  Settings settings_;
  MotionPoint point_;
  SaddlePoint solver_;
};

}  // namespace tactus::rt::offline
