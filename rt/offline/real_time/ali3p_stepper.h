// The real-time algorithm as an offline method: step() with free choice of its settings.
#pragma once

#include "rt/ali3p/step.h"
#include "rt/ali3p/workspace.h"
#include "rt/offline/core/equations_of_motion.h"
#include "rt/offline/core/option.h"
#include "rt/offline/core/stepper.h"
#include "rt/plan/plan.h"

#include <cstdint>
#include <vector>

namespace tactus::rt::offline {

class Ali3pStepper final : public Stepper {
 public:
  struct Options {
    std::vector<SettingChange> changes;  ///< of what the model recommends
    /// Above 0: a step is made again with twice the iterations until its last increment, relative to the size of the
    /// mechanism, is below this, or the iterations reach their maximum.
    double tolerance = 0;
  };
  /// The system must outlive this. @throws Error if it is not given as a Model
  Ali3pStepper(const DynamicSystem& system, const MotionPoint& start, const Options& options);

  /// The step must be a whole number of nanoseconds, within 1 us ... 1 s.
  /// @throws StepFailure if a step fails, does not converge, or if third-order steps of this length amplify a vibration
  void advance(double step) override;
  const MotionPoint& point() const override { return point_; }

 private:
  StepReport tryStep(const Settings& settings, std::span<const double> input);

  const EquationsOfMotion& equations_;
  Options options_;
  Plan plan_;
  State state_;
  Workspace workspace_;
  MotionPoint point_;
  std::int64_t checked_period_ns_ = 0;  ///< step at which third-order steps were last found stable
};

/// Changes of solver settings that the options of `ali3p` give.
std::vector<SettingChange> settingChanges(const OptionValues& values);

}  // namespace tactus::rt::offline
