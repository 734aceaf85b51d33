#include "rt/ali3p/chain_solver.h"

#include "rt/ali3p/chain_evaluation.h"
#include "rt/ali3p/chain_sweeps.h"
#include "rt/ali3p/chain_top.h"
#include "rt/ali3p/commit.h"
#include "rt/mechanics/actuators.h"

#include <cmath>

namespace tactus::rt {

namespace {

/// The motion of the body in one lane of a place.
void extractMotion(const ChainSlot& s, int lane, BodyMotion& motion) noexcept {
  for (int r = 0; r < 3; ++r) {
    motion.r[r] = s.r[r][lane];
    motion.v[r] = s.v[r][lane];
    motion.a[r] = s.a[r][lane];
    motion.omega_w[r] = s.omega[r][lane];
    motion.alpha_w[r] = s.alpha[r][lane];
    for (int c = 0; c < 3; ++c) motion.R(r, c) = s.R(r, c)[lane];
  }
}

}  // namespace

void ChainSolver::predict(const State& from) noexcept {
  loadCuts(context_.chain, from, top_);
  for (int g = firstGroup(); g < endGroup(); ++g) predictGroup(context_, g, from, top_);
  addActuatorLoads(Level::kPosition);
  team_.wait();
  gatherTotals(Level::kPosition, Level::kPosition, false);
}

void ChainSolver::load(const State& from) noexcept {
  loadCuts(context_.chain, from, top_);
  for (int g = firstGroup(); g < endGroup(); ++g) loadGroup(context_, g, from);
  team_.wait();
  gatherTotals(Level::kPosition, Level::kVelocity, false);
}

double ChainSolver::solve(Level level, Level next, bool factor, double leak) noexcept {
  for (int g = firstGroup(); g < endGroup(); ++g) sweepUp(context_, g, factor, level != Level::kVelocity, leak, top_);
  team_.wait();
  positive_ = solveCuts(context_, level, factor, leak, top_) && positive_;
  for (int g = firstGroup(); g < endGroup(); ++g) sweepDown(context_, g, level, next, top_);
  addActuatorLoads(next);
  team_.wait();
  gatherTotals(level, next, factor);
  return increment_;
}

void ChainSolver::store(State& to) noexcept {
  if (team_.thread == 0) storeCuts(context_.chain, top_, to);
  for (int g = firstGroup(); g < endGroup(); ++g) storeLanes(context_, g, to);
  for (const ChainActuator& a : context_.chain.actuators)
    if (a.group >= firstGroup() && a.group < endGroup())
      extractMotion(context_.slots(a.group)[a.position], a.lane, context_.ws.motions[static_cast<std::size_t>(a.body)]);
  team_.wait();
}

void ChainSolver::storePowers(State& to) const noexcept {
  storeInput(context_.input, to);
  to.powerInput() = actuatorPower(context_.model, context_.input, context_.ws.motions.data());
  to.powerDissipated() = 0;
  for (const ChainTotals& group : context_.ws.chain.totals) to.powerDissipated() += group.drag_power;
}

void ChainSolver::addActuatorLoads(Level next) noexcept {
  if (next != Level::kPosition && next != Level::kAcceleration) return;
  const double factor = next == Level::kAcceleration ? 1.0 / context_.scale : 1.0;
  for (const ChainActuator& a : context_.chain.actuators) {
    if (a.group < firstGroup() || a.group >= endGroup()) continue;
    const auto body = static_cast<std::size_t>(a.body);
    ChainSlot& s = context_.slots(a.group)[a.position];
    extractMotion(s, a.lane, context_.ws.motions[body]);
    context_.ws.loads[body] = Load{};
    addActuatorLoad(context_.model, a.actuator, context_.input, context_.ws.motions.data(), context_.ws.loads.data());
    const Load& load = context_.ws.loads[body];
    for (int k = 0; k < 3; ++k) {
      s.force[k].set(a.lane, s.force[k][a.lane] + factor * load.force[k]);
      s.torque[k].set(a.lane, s.torque[k][a.lane] + factor * load.torque[k]);
    }
  }
}

void ChainSolver::gatherTotals(Level moved, Level next, bool factored) noexcept {
  for (Level level : {Level::kPosition, Level::kVelocity, Level::kAcceleration}) {
    if (!isEvaluated(level, moved, next)) continue;
    double sum = cutViolation(context_, level);
    for (const ChainTotals& group : context_.ws.chain.totals) sum += group.violation[indexOf(level)];
    violation_[indexOf(level)] = std::sqrt(sum);
  }
  double largest = 0;
  if (factored) limited_ = 0;
  for (const ChainTotals& group : context_.ws.chain.totals) {
    largest = group.increment <= largest ? largest : group.increment;
    if (!factored) continue;
    limited_ += group.limited;
    positive_ = group.positive && positive_;
  }
  increment_ = std::sqrt(largest);
}

}  // namespace tactus::rt
