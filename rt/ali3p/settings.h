// Settings: the numbers that a run chooses. Constant while a session runs.
#pragma once

#include "rt/model/model.h"

#include <cstdint>

namespace tactus::rt {

struct Settings {
  std::int64_t period_ns = 1'000'000;
  int iterations = 2;  ///< Newton iterations of a step, fixed
  /// The penalty of the paper, for comparison. If above zero, every row has the compliance 1 / absolute_alpha in place
  /// of the relative one. A suitable value depends on masses, lengths, the period and the number of bodies.
  double absolute_alpha = 0;
  double relative_compliance = 1e-8;  ///< eps_rel: compliance of a row over that of the bodies it joins
  /// Velocity projections of a step. Each pass uses the factor of the predictor and multiplies the violation by the
  /// relative change of the Jacobian over the step. The second pass brings it from 1e-5 ... 1e-9 to round-off.
  int velocity_passes = 2;
  bool full_newton = false;  ///< form and factor the tangent anew in every iteration
  /// When to form and factor the tangent anew before a solve: if the last increment is more than `refactor_above` of
  /// the one before and not negligible, or if the solve would leave a violation (m, rad or their rates) above
  /// `refactor_violation`; see wantsFactor(). Ticks that need it do one more factorization, never one more iteration.
  double refactor_above = 0.1;
  double refactor_violation = 1e-10;
  /// Include the gyroscopic part in the tangent. The tangent is then unsymmetric: fronts are twice as large and are not
  /// batched, and chains are solved along their tree.
  bool gyroscopic_tangent = false;
  bool third_order = false;  ///< ali3p-x3: extrapolate each step from one whole and two half steps

  double dt() const noexcept { return static_cast<double>(period_ns) * 1e-9; }
  /// s since tick 0; multiplied, never summed.
  double timeAt(std::int64_t tick) const noexcept { return static_cast<double>(tick * period_ns) * 1e-9; }
};

/// For models that do not set `gyroscopic_tangent`: the tangent includes the gyroscopic part if
/// gyroscopicContraction(), the share of a rotation error that an iteration without that part leaves, is above this
/// value for a body in a named initial condition.
inline constexpr double kGyroscopicAbove = 0.05;

/// The settings that the model recommends; `period_ns` and `iterations` override it where above zero.
/// @throws Error if a value is out of range
Settings chooseSettings(const Model& model, std::int64_t period_ns = 0, int iterations = 0);

}  // namespace tactus::rt
