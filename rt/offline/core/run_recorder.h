// RunRecorder: the samples and extremes of a run, from its accepted points.
#pragma once

#include "rt/offline/core/trajectory.h"
#include "rt/state/state.h"

namespace tactus::rt::offline {

class EquationsOfMotion;
struct MotionPoint;

/// Turns the accepted points of a run into samples: joint angles, works of inputs and losses, energies, violations.
class RunRecorder {
 public:
  RunRecorder(const EquationsOfMotion& equations, const State& start, Trajectory& trajectory);

  /// Records the next accepted point. Works are summed by the trapezoidal rule over the points.
  /// @param[in] keep  whether the point becomes a sample
  void take(const MotionPoint& point, bool keep);

 private:
  const EquationsOfMotion& equations_;
  State state_;
  double t_ = 0;
  Trajectory& trajectory_;
};

}  // namespace tactus::rt::offline
