#include "rt/ali3p/monitor.h"

namespace tactus::rt {

namespace {

/// Scaled increments below this are round-off; their ratio has no meaning.
constexpr double kRoundOffIncrement = 1e-11;
/// A last increment above this, scaled, is reported as not converged.
constexpr double kConvergedIncrement = 1e-6;

}  // namespace

void recordIncrement(const Model& model, double increment, StepReport& report) noexcept {
  const double before = report.increment;
  report.increment = increment;
  // ali3p (24)
  report.contraction = before > kRoundOffIncrement * model.length ? increment / before : 0.0;
}

bool wantsFactor(const Model& model, const Settings& settings, const StepReport& report,
                 const PredictedViolation& violation) noexcept {
  const bool slow = report.contraction > settings.refactor_above &&
                    report.contraction * report.increment > settings.refactor_violation * model.length;
  return slow || violation.next() > settings.refactor_violation;
}

void classify(const Model& model, StepReport& report) noexcept {
  // Written so that a NaN is not converged.
  report.converged = report.increment <= kConvergedIncrement * model.length;
}

}  // namespace tactus::rt
