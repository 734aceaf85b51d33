#include "rt/ali3p/advance.h"

#include "rt/ali3p/chain_step.h"

namespace tactus::rt {

StepReport advance(const Model& model, const Plan& plan, const Settings& settings, Interval interval,
                   std::span<const double> input, const State& from, Workspace& ws, const Team& team,
                   State& to) noexcept {
  if (!goesAlongLanes(plan, settings)) return trapezoidalStep(model, plan, settings, interval, input, from, ws, to);
  return chainStep(ChainContext(model, *plan.chain, settings, interval.length, input, ws), team, from, to);
}

}  // namespace tactus::rt
