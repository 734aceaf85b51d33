// [DCA3] in joint space: the algorithm, its equations and where it departs from print are in rt/doc/ali3p.md.
#include "rt/ali3p/step.h"

#include "rt/ali3p/advance.h"
#include "rt/ali3p/commit.h"
#include "rt/ali3p/extrapolate.h"
#include "rt/ali3p/monitor.h"

#include <utility>

namespace tactus::rt {

StepReport step(const Model& model, const Plan& plan, const Settings& settings, std::span<const double> input,
                State& state, Workspace& ws) noexcept {
  const Team team;
  StepReport report = settings.third_order
                          ? extrapolatedStep(model, plan, settings, input, state, ws, team)
                          : advance(model, plan, settings, {settings.dt(), settings.timeAt(state.tick + 1)}, input,
                                    state, ws, team, ws.next);
  judge(model, report);

  // Keep the new state only if all of it is finite.
  if (report.status == TickStatus::kOk && !isFinite(ws.next)) report.status = TickStatus::kNonFinite;
  if (report.status != TickStatus::kOk) return report;
  ws.next.tick = state.tick + 1;
  std::swap(state, ws.next);
  return report;
}

}  // namespace tactus::rt
