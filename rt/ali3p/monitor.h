// The monitor: what a step reports about its own convergence, and when its tangent has to be formed anew. Every
// decision rests on numbers that are the same for any number of threads.
#pragma once

#include "rt/ali3p/settings.h"
#include "rt/model/model.h"
#include "rt/tick_status.h"

#include <algorithm>

namespace tactus::rt {

/// Enters the increment of one Newton iteration (m; rotations count with the model's length) and its ratio to the
/// previous one. Below a floor of round-off the ratio has no meaning and is left at 0.
/// @rt no allocation, no throw, fixed work
void recordIncrement(const Model& model, double increment, StepReport& report) noexcept;

/// What one more solve with the same factor will leave of a violation, if it shrinks as it did the last time. A
/// violation that has grown counts as constant: what the first increment adds to the round-off of a smooth motion is no
/// divergence.
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

/// True if the next solve should get a tangent of its own: the increments shrink by less than settings.refactor_above
/// asks for, and one more of them would still be above settings.refactor_violation of the model's length; or the
/// predicted violation is above settings.refactor_violation.
/// @rt no allocation, no throw, fixed work
bool wantsFactor(const Model& model, const Settings& settings, const StepReport& report,
                 const PredictedViolation& violation) noexcept;

/// Classifies a step as converged or not: converged if its last increment is below 1e-6 of the model's length.
/// @rt no allocation, no throw, fixed work
void classify(const Model& model, StepReport& report) noexcept;

}  // namespace tactus::rt
