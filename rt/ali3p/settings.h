// Settings: the numbers that a run chooses. Constant while a session runs.
#pragma once

#include "rt/model/model.h"

#include <cstdint>

namespace tactus::rt {

struct Settings {
  std::int64_t period_ns = 1'000'000;
  int iterations = 2;                 ///< Newton iterations of a step, fixed
  double relative_compliance = 1e-8;  ///< eps_rel: compliance of a row over that of the bodies it joins
  /// Velocity projections of a step: the factor is frozen at the predictor, so each pass contracts the violation by
  /// the relative change of the Jacobian over the step; the second brings it from 1e-5 ... 1e-9 to round-off.
  int velocity_passes = 2;
  bool full_newton = false;  ///< form and factor the tangent anew in every iteration

  double dt() const noexcept { return static_cast<double>(period_ns) * 1e-9; }
};

/// The settings that the model recommends; `period_ns` and `iterations` override it where above zero.
/// @throws Error if a value is out of range
Settings chooseSettings(const Model& model, std::int64_t period_ns = 0, int iterations = 0);

}  // namespace tactus::rt
