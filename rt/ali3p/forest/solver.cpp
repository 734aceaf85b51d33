#include "rt/ali3p/forest/solver.h"

#include "rt/ali3p/inertia_gain.h"
#include "rt/ali3p/step_end.h"
#include "rt/ali3p/tree/commit.h"
#include "rt/ali3p/tree/residual.h"
#include "rt/math/worst.h"
#include "rt/mechanics/force_elements.h"
#include "rt/model/model.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace tactus::rt {

ForestSolver::ForestSolver(const StepTask& task, ForestWorkspace& ws, const Team& team) noexcept
    : task_(task),
      context_{task.model.gravity.cast<LaneScalar>(), LaneScalar(task.model.length * task.model.length),
               task.interval.length, 0.25 * task.interval.length * task.interval.length,
               leastInertiaGain(task.interval.length, task.settings.dt())},
      team_(team),
      ws_(ws),
      share_(ws.shares[static_cast<std::size_t>(team.thread)]) {}

ForestPart ForestSolver::partOf(int part) const noexcept {
  const ForestGroups& forest = *task_.plan.forest;
  return {forest, ws_.elements, share_, forest.parts[static_cast<std::size_t>(part)]};
}

ForestTotals& ForestSolver::totalsOf(int part) const noexcept {
  return part == trunk() ? share_.of_trunk : ws_.totals[share_.side][static_cast<std::size_t>(part)];
}

/// One thread does all units, whatever the number of threads that the workspace was made for.
template <class F>
void ForestSolver::forEachPart(F&& f) noexcept {
  f(partOf(trunk()), totalsOf(trunk()));
  if (team_.threads == 1) {
    for (int u = 0; u < trunk(); ++u) f(partOf(u), totalsOf(u));
  } else {
    for (const int u : share_.units) f(partOf(u), totalsOf(u));
  }
}

bool ForestSolver::hasLoads() const noexcept {
  return share_.loads.has_force_elements || !task_.model.actuators.empty();
}

void ForestSolver::predict(const State& from) noexcept {
  const auto [dt, end] = task_.interval;
  beginStep(task_.model, dt, end, task_.input, from, share_.conditions);
  forEachPart(
      [&](const ForestPart& part, ForestTotals& totals) noexcept { predictGroups(context_, part, from, totals); });
  share_.conditions.predicted = true;
  evaluateLoads(Level::kPosition);
  share_.conditions.predicted = false;
}

void ForestSolver::load(const State& state) noexcept {
  forEachPart(
      [&](const ForestPart& part, ForestTotals& totals) noexcept { loadGroups(context_, part, state, totals); });
  // The internal states are those of this motion: nothing is left to be integrated.
  std::copy_n(state.view().internalStates(), task_.model.internal_states, share_.conditions.internal_states.data());
  share_.conditions.internal_dt = 0;
  moved_ = Level::kPosition;
}

void ForestSolver::climbUnits(Level level, bool factors) noexcept {
  if (factors) formAdded();
  const auto climb = [&](int u) noexcept { climbGroups(context_, partOf(u), level, factors, totalsOf(u)); };
  if (team_.threads == 1) {
    for (int u = 0; u < trunk(); ++u) climb(u);
  } else {
    for (const int u : share_.units) climb(u);
  }
}

void ForestSolver::climbTrunk(Level level, bool factors) noexcept {
  climbGroups(context_, partOf(trunk()), level, factors, totalsOf(trunk()));
  if (factors) gatherFactors();
  level_ = level;
  share_.side = 1 - share_.side;
}

void ForestSolver::sweepDown(Level next) noexcept {
  forEachPart([&](const ForestPart& part, ForestTotals& totals) noexcept {
    descendGroups(context_, part, level_, next, totals);
  });
  // The loads do not depend on accelerations.
  if (level_ == Level::kAcceleration)
    addEvaluatedLoads(next);
  else
    evaluateLoads(next);
  moved_ = level_;
}

void ForestSolver::finish(const State& from, State& to) noexcept {
  const Model& model = task_.model;
  BodyMotion* motions = hasLoads() || model.displacements > 0 ? ws_.motions.data() : nullptr;
  forEachPart([&](const ForestPart& part, ForestTotals& totals) noexcept {
    const bool writes = leads() || &totals != &share_.of_trunk;
    finishGroups(context_, part, writes ? &to : nullptr, writes ? motions : nullptr, totals);
  });
  moved_ = level_;
  team_.wait();
  gatherMotion(Level::kNone);
  if (leads()) {
    countAngles(model, ws_.motions.data(), from.view().jointDisplacements(), to.jointDisplacements());
    storeInternalStates(model, share_.loads.elements, to.internalStates());
    storeInput(share_.conditions.input, to);
    storeLoadPowers(model, ws_.motions.data(), share_.conditions, share_.loads, to);
  }
  share_.side = 1 - share_.side;
}

void ForestSolver::evaluateLoads(Level next) noexcept {
  if (!hasLoads() || next == Level::kVelocity) return;
  const bool is_moving = next == Level::kPosition;
  forEachPart([&](const ForestPart& part, ForestTotals&) noexcept {
    storeMotions(context_, part, is_moving, share_.motions.data());
  });
  rt::evaluateLoads(task_.model, share_.motions.data(), share_.conditions, share_.loads);
  addEvaluatedLoads(next);
}

void ForestSolver::addEvaluatedLoads(Level next) noexcept {
  if (!hasLoads() || next == Level::kVelocity) return;
  const double factor = next == Level::kPosition ? context_.scale : 1;
  forEachPart(
      [&](const ForestPart& part, ForestTotals&) noexcept { addLoads(part, factor, share_.loads.bodies.data()); });
}

/// What the force elements add to the inertias, by groups.
void ForestSolver::formAdded() noexcept {
  if (share_.added.empty()) return;
  const LaneScalar zero(0);
  for (ForestAdded& of_group : share_.added) of_group = {zero, Symmetric3<LaneScalar>::diagonal(zero)};
  const auto add = [](LaneScalar& to, int lane, double value) noexcept { to.set(lane, to[lane] + value); };
  forEachAddedInertia(task_.model, share_.loads.elements, context_.dt,
                      [&](int body, double mass, const auto& inertia) noexcept {
                        const ForestPlace& place = ws_.places[static_cast<std::size_t>(body)];
                        ForestAdded& to = share_.added[static_cast<std::size_t>(place.group)];
                        add(to.mass, place.lane, mass);
                        Symmetric3<LaneScalar>& J = to.inertia;
                        if constexpr (std::is_same_v<std::decay_t<decltype(inertia)>, double>) {
                          for (LaneScalar* of_axis : {&J.xx, &J.yy, &J.zz}) add(*of_axis, place.lane, inertia);
                        } else {
                          add(J.xx, place.lane, inertia(0, 0));
                          add(J.yx, place.lane, inertia(1, 0));
                          add(J.zx, place.lane, inertia(2, 0));
                          add(J.yy, place.lane, inertia(1, 1));
                          add(J.zy, place.lane, inertia(2, 1));
                          add(J.zz, place.lane, inertia(2, 2));
                        }
                      });
  for (std::size_t g = 0; g < share_.added.size(); ++g) {
    const ForestGroup& group = task_.plan.forest->groups[g];
    for (int lane = 0; lane < ForestGroup::kLanes; ++lane) {
      const int body = group.bodies[static_cast<std::size_t>(lane)];
      if (!group.has(lane)) share_.added[g].repeat(ws_.places[static_cast<std::size_t>(body)].lane, lane);
    }
  }
}

void ForestSolver::gatherMotion(Level next) noexcept {
  for (const Level level : {Level::kPosition, Level::kVelocity, Level::kAcceleration}) {
    if (!isEvaluated(level, moved_, next)) continue;
    double square = 0;
    for (int part = 0; part <= trunk(); ++part) square += totalsOf(part).squares[indexOf(level)];
    violation_[indexOf(level)] = std::sqrt(square);
  }
  double increment = 0;
  for (int part = 0; part <= trunk(); ++part) increment = worst(increment, totalsOf(part).increment);
  increment_ = std::sqrt(increment);
}

void ForestSolver::gatherFactors() noexcept {
  ++factorizations_;
  double gain = 0;
  for (int part = 0; part <= trunk(); ++part) {
    const ForestTotals& totals = totalsOf(part);
    positive_ = totals.least > 0 && positive_;
    gain = worst(gain, totals.gain);
    limited_ += totals.limited;
  }
  has_inertia_gain_ = gain > 0;
}

bool ForestSolver::isFinite(const StepReport&, const State& state) noexcept {
  return rt::isFinite(state);
}

}  // namespace tactus::rt
