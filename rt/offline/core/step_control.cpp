#include "rt/offline/core/step_control.h"

#include "rt/offline/core/saddle_point.h"
#include "rt/offline/core/stepper.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace tactus::rt::offline {

namespace {

constexpr double kSafety = 0.7, kMinFactor = 0.2, kMaxFactor = 5;
/// A step below this share of the requested one is a failure.
constexpr double kMinStep = 1e-10;
/// Keeps redundant rows solvable.
constexpr double kRelativeCompliance = 1e-9;

/// Sum of the squares of all errors, each divided by its tolerance.
double squaredError(const DynamicSystem& system, const Tolerances& tolerances, const VectorXd& position,
                    const VectorXd& rate, const VectorXd& internal_states, const MotionPoint& before,
                    const MotionPoint& after) {
  VectorXd size = after.position.cwiseAbs().cwiseMax(before.position.cwiseAbs());
  for (const int k : system.rotations()) size.segment<3>(k).setOnes();
  const VectorXd rate_size = after.velocity.cwiseAbs().cwiseMax(before.velocity.cwiseAbs());
  const double a = tolerances.absolute, r = tolerances.relative;
  const VectorXd e = position.array() / (a + r * size.array());
  const VectorXd ed = rate.array() / (a + r * rate_size.array());
  return e.squaredNorm() + ed.squaredNorm() + internal_states.squaredNorm() / (a * a);
}

}  // namespace

double errorNorm(const DynamicSystem& system, const Tolerances& tolerances, const MatrixXd& N, const VectorXd& position,
                 const VectorXd& rate, const VectorXd& internal_states, const MotionPoint& before,
                 const MotionPoint& after) {
  if (position.size() == 0) return 0;
  return std::sqrt(squaredError(system, tolerances, N * position, N * rate, internal_states, before, after) /
                   static_cast<double>(2 * position.size() + internal_states.size()));
}

double freeErrorNorm(const DynamicSystem& system, const Tolerances& tolerances, const VectorXd& position,
                     const VectorXd& rate, const VectorXd& internal_states, const MotionPoint& before,
                     const MotionPoint& after) {
  const int n = system.size(), m = system.rows();
  if (n == 0) return 0;
  const Sparse H = system.jacobian(after), M = system.mass(after);
  SaddlePoint constraints;
  constraints.factor(M, H, H, rowCompliances(H, M, kRelativeCompliance));
  const auto freePart = [&](const VectorXd& x) -> VectorXd {
    VectorXd right = VectorXd::Zero(n + m);
    right.head(n) = M * x;
    return constraints.solve(right).head(n);
  };
  return std::sqrt(
      squaredError(system, tolerances, freePart(position), freePart(rate), internal_states, before, after) /
      static_cast<double>(2 * n + internal_states.size()));
}

double StepControl::propose(double limit) {
  if (wanted_ == 0) wanted_ = limit;
  limit_ = limit;
  proposed_ = tolerances_.adaptive ? std::min(wanted_, limit) : limit;
  return proposed_;
}

bool StepControl::accept(double error) {
  if (!tolerances_.adaptive) return true;
  const double raw = kSafety * std::pow(std::max(error, 1e-10), -1.0 / (order_ + 1));
  const double factor = std::isfinite(raw) ? std::clamp(raw, kMinFactor, kMaxFactor) : kMinFactor;
  if (error <= 1) {
    // A step that the limit shortened does not reduce the step that was wanted before.
    wanted_ = proposed_ < wanted_ ? std::max(wanted_, proposed_ * factor) : proposed_ * factor;
    return true;
  }
  wanted_ = proposed_ * std::min(factor, kSafety);
  if (wanted_ < kMinStep * limit_) {
    std::ostringstream text;
    text << "the step became too small, " << wanted_ << " s";
    throw StepFailure(text.str());
  }
  return false;
}

std::vector<Option> controlOptions(bool adaptive) {
  return {boolean("adaptive", adaptive, "choose the step by the embedded solution; false: take the requested step"),
          number("rtol", "1e-4", 1e-13, 1, "relative tolerance of positions and velocities"),
          number("atol", "1e-4", 1e-13, 1, "absolute tolerance of positions and velocities, SI units")};
}

Tolerances tolerancesOf(const OptionValues& options) {
  return {options.number("rtol"), options.number("atol"), options.boolean("adaptive")};
}

}  // namespace tactus::rt::offline
