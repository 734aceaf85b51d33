#include "rt/ali3p/settings.h"

#include "rt/error.h"
#include "rt/mechanics/gyroscopic.h"

#include <cmath>
#include <string>

namespace tactus::rt {

namespace {

constexpr std::int64_t kMinPeriodNs = 1'000, kMaxPeriodNs = 1'000'000'000;
constexpr int kMaxIterations = 20;
/// Up to this period two iterations leave only discretization error; above it, three.
constexpr std::int64_t kTwoIterationsUpToNs = 2'000'000;

}  // namespace

Settings chooseSettings(const Model& model, std::int64_t period_ns, int iterations) {
  Settings s;
  s.period_ns = period_ns != 0 ? period_ns : std::llround(model.solver.period * 1e9);
  if (s.period_ns < kMinPeriodNs || s.period_ns > kMaxPeriodNs)
    throw Error("period: " + std::to_string(s.period_ns) + " ns is outside 1 us ... 1 s");
  s.iterations =
      iterations != 0 ? iterations : model.solver.iterations.value_or(s.period_ns <= kTwoIterationsUpToNs ? 2 : 3);
  if (s.iterations < 1 || s.iterations > kMaxIterations)
    throw Error("iterations: " + std::to_string(s.iterations) + " is outside 1 ... " + std::to_string(kMaxIterations));
  s.relative_compliance = model.solver.relative_compliance;
  s.gyroscopic_tangent =
      model.solver.gyroscopic_tangent.value_or(largestGyroscopicContraction(model, s.dt()) > kGyroscopicAbove);
  s.third_order = model.solver.third_order;
  return s;
}

}  // namespace tactus::rt
