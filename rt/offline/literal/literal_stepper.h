// The algorithm of [DCA3] as printed, as an offline method for comparison with the step of Tactus.
#pragma once

#include "rt/offline/core/equations_of_motion.h"
#include "rt/offline/core/stepper.h"
#include "rt/offline/literal/literal_chain.h"

namespace tactus::rt::offline {

class LiteralStepper final : public Stepper {
 public:
  /// The system must outlive this. LiteralSettings::dt is ignored.
  /// @throws Error if the model is not an open chain of spherical joints on ground, or if an input is not zero
  LiteralStepper(const DynamicSystem& system, const MotionPoint& start, const LiteralSettings& settings);

  /// @throws StepFailure also if an input is not zero at the end of the step
  void advance(double step) override;
  const MotionPoint& point() const override { return point_; }

 private:
  std::string usedInput(double t) const;

  const EquationsOfMotion& equations_;
  LiteralSettings settings_;
  LiteralChain chain_;
  MotionPoint point_;
};

}  // namespace tactus::rt::offline
