#include "rt/ali3p/solver_choice.h"

#include "rt/ali3p/chain/step.h"

namespace tactus::rt {

namespace {

/// Operations of a factorisation and a solve from which on a second thread saves a tenth of a third-order step or more.
constexpr double kLongEnough = 5e3;

}  // namespace

int maxThreads(const Plan& plan, const Settings& settings) noexcept {
  const int groups = plan.chain ? maxThreads(plan.chain->segments) : 1;
  if (groups > 1) return goesAlongLanes(plan, settings) ? groups : 1;
  return settings.third_order && plan.factor_flops + plan.solve_flops >= kLongEnough ? 2 : 1;
}

StepReport advance(const Model& model, const Plan& plan, const Settings& settings, Interval interval,
                   std::span<const double> input, const State& from, Workspace& ws, const Team& team,
                   State& to) noexcept {
  if (!goesAlongLanes(plan, settings)) return trapezoidalStep(model, plan, settings, interval, input, from, ws, to);
  return chainStep(ChainContext(model, *plan.chain, settings, interval.length, input, ws), team, from, to);
}

}  // namespace tactus::rt
