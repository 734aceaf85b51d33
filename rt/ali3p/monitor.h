// The monitor: what a step reports about its convergence, and when its tangent must be formed anew. Its decisions
// depend on numbers that are the same for any number of threads.
#pragma once

#include "rt/ali3p/settings.h"
#include "rt/tick_status.h"

#include <algorithm>

namespace tactus::rt {

struct Model;

/// Records the increment of one Newton iteration (m; rotations are multiplied by the model's length) and its ratio to
/// the previous increment. The ratio is 0 if the previous increment is at the level of round-off.
/// @rt no allocation, no throw, fixed work
void recordIncrement(const Model& model, double increment, StepReport& report) noexcept;

/// The violation that one more solve with the same factor would leave, if it shrinks by the same ratio as in the last
/// solve. A violation that has grown is predicted to stay constant: in smooth motion the first increment raises a
/// violation of round-off size, which is not divergence.
class PredictedViolation {
 public:
  void record(double violation) noexcept {
    next_ = last_ > 0 ? violation * std::min(violation / last_, 1.0) : 0.0;  // ali3p (24)
    last_ = violation;
  }
  double next() const noexcept { return next_; }

 private:
  double last_ = 0, next_ = 0;
};

/// True if the tangent must be formed and factored anew before the next solve. That is so in two cases:
/// * slow convergence: the last increment is more than settings.refactor_above of the one before, and the next one is
///   expected to be above settings.refactor_violation times the model's length;
/// * the predicted violation is above settings.refactor_violation.
/// @rt no allocation, no throw, fixed work
bool wantsFactor(const Model& model, const Settings& settings, const StepReport& report,
                 const PredictedViolation& violation) noexcept;

inline constexpr int kMaxIterations = 20;  ///< the largest that the setting allows

/// Number of iterations after which a step like the reported one converges, if its increments shrink further at the
/// rate of the last two. `iterations`, the setting of the step, where it has converged; one more where one iteration leaves no
/// rate; kMaxIterations + 1 where more iterations do not help, and a shorter period is needed.
/// @rt no allocation, no throw, fixed work
int iterationsNeeded(const Model& model, const StepReport& report, int iterations) noexcept;

/// Classifies a step as converged or not: converged if its last increment is below 1e-6 of the model's length.
/// @rt no allocation, no throw, fixed work
void classify(const Model& model, StepReport& report) noexcept;

}  // namespace tactus::rt
