#include "rt/offline/memory_rule.h"

#include "rt/offline/stepper.h"

#include <Eigen/LU>

namespace tactus::rt::offline {

namespace {

/// Limits make kinks in g; each costs a pass.
constexpr int kMostPasses = 50;
/// m or rad; below, the memory meets its rule to round-off.
constexpr double kMet = 1e-13, kDifference = 1e-8;

}  // namespace

void followMemory(const DynamicSystem& system, const MemoryRule& rule, MotionPoint& point) {
  const int n = system.memories();
  if (n == 0) return;
  for (int pass = 0; pass < kMostPasses; ++pass) {
    point.memory_rate = system.memoryRates(point);
    const VectorXd left = rule.m_c + rule.b * point.memory_rate - point.memory;
    if (!(left.lpNorm<Eigen::Infinity>() > kMet * (1 + point.memory.lpNorm<Eigen::Infinity>()))) return;
    // A law's own slope is not worth more than that of a difference here.
    MatrixXd slope = MatrixXd::Identity(n, n);
    for (int k = 0; k < n; ++k) {
      MotionPoint varied = point;
      varied.memory[k] += kDifference;
      slope.col(k) -= rule.b / kDifference * (system.memoryRates(varied) - point.memory_rate);
    }
    point.memory += slope.partialPivLu().solve(left);
  }
  throw NoConvergence("the memory of tyres and friction did not follow the motion");
}

ResidualDerivatives followingDerivatives(const DynamicSystem& system, const MotionPoint& at, double b) {
  ResidualDerivatives d = system.residualDerivatives(at);
  const int n = system.memories();
  if (n == 0 || b == 0) return d;
  const MemoryDerivatives& m = d.memory;
  const MatrixXd own = MatrixXd::Identity(n, n) - b * MatrixXd(m.rate_by_memory);
  const MatrixXd answer = b * own.partialPivLu().inverse();
  const Sparse by_rate = m.residual_by_memory * Sparse(answer.sparseView());
  d.C += by_rate * m.rate_by_velocity;
  d.K += by_rate * m.rate_by_position;
  return d;
}

}  // namespace tactus::rt::offline
