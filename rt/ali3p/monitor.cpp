#include "rt/ali3p/monitor.h"

#include "rt/model/model.h"

#include <algorithm>
#include <cmath>

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

int iterationsNeeded(const Model& model, const StepReport& report, int iterations) noexcept {
  const double limit = kConvergedIncrement * model.length;
  if (report.increment <= limit) return iterations;
  if (report.contraction == 0) return std::min(iterations, kMaxIterations) + 1;
  // Written so that a NaN is not converged.
  if (!(report.contraction < 1)) return kMaxIterations + 1;
  const double more = std::ceil(std::log(limit / report.increment) / std::log(report.contraction));  // ali3p (24)
  return more <= kMaxIterations - iterations ? iterations + static_cast<int>(more) : kMaxIterations + 1;
}

void classify(const Model& model, StepReport& report) noexcept {
  // Written so that a NaN is not converged.
  report.converged = report.increment <= kConvergedIncrement * model.length;
}

}  // namespace tactus::rt
