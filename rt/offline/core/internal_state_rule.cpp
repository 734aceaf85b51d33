#include "rt/offline/core/internal_state_rule.h"

#include "rt/offline/core/dense_solvers.h"
#include "rt/offline/core/stepper.h"

namespace tactus::rt::offline {

namespace {

/// Limits cause kinks in g, and each kink costs a pass.
constexpr int kMaxStatePasses = 50;
/// m or rad. A residual below kMet is round-off; kDifference is the step of the differences.
constexpr double kMet = 1e-13, kDifference = 1e-8;

}  // namespace

void followInternalStates(const DynamicSystem& system, const InternalStateRule& rule, MotionPoint& point) {
  const int n = system.internalStateCount();
  if (n == 0) return;
  for (int pass = 0; pass < kMaxStatePasses; ++pass) {
    point.internal_rate = system.internalStateRates(point);
    const VectorXd left = rule.m_c + rule.b * point.internal_rate - point.internal_states;
    if (!(left.lpNorm<Eigen::Infinity>() > kMet * (1 + point.internal_states.lpNorm<Eigen::Infinity>()))) return;
    // Differences are as good as the derivative of a law here.
    MatrixXd slope = MatrixXd::Identity(n, n);
    for (int k = 0; k < n; ++k) {
      MotionPoint varied = point;
      varied.internal_states[k] += kDifference;
      slope.col(k) -= rule.b / kDifference * (system.internalStateRates(varied) - point.internal_rate);
    }
    point.internal_states += LuFactors(slope).solve(left);
  }
  throw NoConvergence("the internal_states of tyres and friction did not follow the motion");
}

ResidualDerivatives followingDerivatives(const DynamicSystem& system, const MotionPoint& at, double b) {
  ResidualDerivatives d = system.residualDerivatives(at);
  const int n = system.internalStateCount();
  if (n == 0 || b == 0) return d;
  const InternalStateDerivatives& m = d.internal_states;
  const MatrixXd own = MatrixXd::Identity(n, n) - b * MatrixXd(m.rate_by_internal);
  const MatrixXd answer = b * LuFactors(own).inverse();
  const Sparse by_rate = m.residual_by_internal * Sparse(answer.sparseView());
  d.C += by_rate * m.rate_by_velocity;
  d.K += by_rate * m.rate_by_position;
  return d;
}

}  // namespace tactus::rt::offline
