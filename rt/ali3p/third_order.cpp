#include "rt/ali3p/third_order.h"

#include "rt/ali3p/solver_choice.h"
#include "rt/ali3p/chain/step.h"
#include "rt/ali3p/tree/commit.h"
#include "rt/ali3p/tree/project.h"
#include "rt/ali3p/tree/residual.h"

#include <algorithm>

namespace tactus::rt {

namespace {

/// Folds the report of one of the steps into that of all.
void addReport(const StepReport& part, StepReport& all) noexcept {
  if (all.status == TickStatus::kOk) all.status = part.status;
  all.iterations += part.iterations;
  all.factorizations += part.factorizations;
  all.limited += part.limited;
  // std::max keeps its first argument where the second is not a number; these must not lose one.
  const auto worst = [](double a, double b) noexcept { return b <= a ? a : b; };
  all.increment = worst(all.increment, part.increment);
  all.contraction = worst(all.contraction, part.contraction);
  all.residual = worst(all.residual, part.residual);
  all.velocity_projection = worst(all.velocity_projection, part.velocity_projection);
}

/// Bounds of one thread's share of `count` things.
struct Share {
  std::size_t first, end;
  Share(std::size_t count, const Team& team) noexcept
      : first(count * static_cast<std::size_t>(team.thread) / static_cast<std::size_t>(team.threads)),
        end(count * static_cast<std::size_t>(team.thread + 1) / static_cast<std::size_t>(team.threads)) {}
};

/// The third-order combination into `fine`.
void combine(const State& coarse, State& fine, const Team& team) noexcept {
  double* f = fine.values().data();
  const double* c = coarse.values().data();
  const Share values(fine.values().size(), team);
  for (std::size_t k = values.first; k < values.end; ++k) f[k] += (f[k] - c[k]) / 3;
  team.wait();
  const Share bodies(static_cast<std::size_t>(fine.layout().bodies), team);
  for (auto i = static_cast<int>(bodies.first); i < static_cast<int>(bodies.end); ++i)
    fine.p(i) = normalized(fine.p(i));
  team.wait();
}

/// Takes the motions and multipliers of a State as the iterate.
void loadIterate(const Model& model, const State& state, Workspace& ws) noexcept {
  const StateView s = state.view();
  for (int i = 0; i < model.bodyCount(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    ws.motions[k] = bodyMotion(s, i);
    ws.rotations[k].p = s.p(i);
    ws.rotations[k].omega = s.omega(i);
    ws.rotations[k].alpha = s.alpha(i);
  }
  std::copy_n(s.lambda(), model.rows, ws.lambda.data());
  std::copy_n(s.internalStates(), model.internal_states, ws.internal_states.data());
  ws.internal_dt = 0;
}

/// Cleans what the combination in ws.next has left in the constraints, with the factor of the last half step.
void clean(const Model& model, const Plan& plan, double dt, std::span<const double> input, const State& from,
           Workspace& ws, StepReport& report) noexcept {
  loadIterate(model, ws.next, ws);
  evaluateConstraints(model, ws);
  report.constraint_position = positionViolation(model, ws);
  velocityViolation(model, ws);
  projectVelocity(model, plan, 1, ws);  // the steps that are combined have taken from compliant rows what is to be
  report.constraint_velocity = velocityViolation(model, ws);
  projectAcceleration(model, plan, 0.0625 * dt * dt, input, ws);
  report.constraint_acceleration = accelerationViolation(model, ws);
  commit(model, dt, input, from, ws, ws.next);
}

}  // namespace

StepReport extrapolatedStep(const Model& model, const Plan& plan, const Settings& settings,
                            std::span<const double> input, const State& state, Workspace& ws,
                            const Team& team) noexcept {
  const double dt = settings.dt(), end = settings.timeAt(state.tick + 1);
  const auto step = [&](Interval interval, std::span<const double> held, const State& from, Workspace& scratch,
                        const Team& sharing, State& to) noexcept {
    const StepReport report = advance(model, plan, settings, interval, held, from, scratch, sharing, to);
    sharing.wait();
    return report;
  };
  if (team.thread == 0)
    for (std::size_t k = 0; k < input.size(); ++k) ws.half_input[k] = 0.5 * (state.view().input()[k] + input[k]);

  // One whole step, two half steps. The team shares each of them, or the second thread does the whole one beside the
  // halves.
  const bool apart = team.threads > 1 && ws.beside != nullptr;
  const Team alone;
  const Team& sharing = apart ? alone : team;
  if (apart && team.thread == 1) {
    ws.whole = step({dt, end}, input, state, *ws.beside, alone, ws.coarse);
    team.wait();
    return ws.whole;
  }
  StepReport whole;
  if (!apart) whole = step({dt, end}, input, state, ws, team, ws.coarse);
  const StepReport first = step({0.5 * dt, end - 0.5 * dt}, ws.half_input, state, ws, sharing, ws.half);
  const StepReport second = step({0.5 * dt, end}, input, ws.half, ws, sharing, ws.next);
  if (apart) {
    team.wait();
    whole = ws.whole;
  }
  StepReport report;
  for (const StepReport& part : {whole, first, second}) addReport(part, report);

  // Combine, and clean up.
  combine(ws.coarse, ws.next, sharing);
  double work = 0, dissipated = 0;
  if (sharing.thread == 0) {
    work = ws.next.view().workInput();
    dissipated = ws.next.view().workDissipated();
  }
  if (goesAlongLanes(plan, settings))
    chainClean(ChainContext(model, *plan.chain, settings, 0.5 * dt, input, ws), sharing, ws.next, report);
  else
    clean(model, plan, dt, input, state, ws, report);
  if (sharing.thread == 0) {
    ws.next.workInput() = work;
    ws.next.workDissipated() = dissipated;
  }
  return report;
}

}  // namespace tactus::rt
