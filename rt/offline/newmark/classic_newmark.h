// Newmark's rule on the index-3 equations, as usual: the rule is applied to all coordinates, and only the positions
// satisfy their constraints. Kept because its failures are known: with beta < alpha/2 the constraints act as infinitely
// stiff springs beyond the limit of the rule, and with the trapezoidal rule multipliers and accelerations oscillate.
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
    double tolerance = 1e-10;           ///< maximum last increment, relative to the size of the mechanism
    int iterations = 30;                ///< maximum
    double relative_compliance = 1e-9;  ///< compliance of a row divided by that of its bodies
  };
  /// @throws Error if beta is 0: the rule then does not determine the positions
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
