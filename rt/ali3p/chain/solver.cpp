#include "rt/ali3p/chain/solver.h"

#include "rt/ali3p/chain/interfaces.h"
#include "rt/ali3p/inertia_gain.h"
#include "rt/ali3p/step_end.h"
#include "rt/mechanics/actuators.h"
#include "rt/model/model.h"

#include <cmath>

namespace tactus::rt {

ChainSolver::ChainSolver(const StepTask& task, ChainWorkspace& ws, const Team& team) noexcept
    : context_{task.model,
               task.model.gravity,
               task.model.length,
               *task.plan.chain,
               task.settings,
               task.interval.length,
               0.25 * task.interval.length * task.interval.length,
               leastInertiaGain(task.interval.length, task.settings.dt()),
               task.input,
               ws},
      team_(team),
      interfaces_(ws.systems[static_cast<std::size_t>(team.thread)]),
      lanes_(*ws.lanes),
      lane_groups_(context_.chain.segments / lanes_.width()),
      first_segment_(firstLaneGroup() * lanes_.width()),
      end_segment_(endLaneGroup() * lanes_.width()) {}

bool ChainSolver::isMine(int segment) const noexcept {
  return segment >= first_segment_ && segment < end_segment_;
}

// A sweep down walks the lane groups in the opposite direction to the sweeps up before and after it: each begins with
// what the last one has left in the cache.

void ChainSolver::predict(const State& from) noexcept {
  loadMultipliers(context_.chain, from, interfaces_);
  for (int g = endLaneGroup(); g-- > firstLaneGroup();) lanes_.predict(context_, g, from, interfaces_);
}

void ChainSolver::load(const State& state) noexcept {
  loadMultipliers(context_.chain, state, interfaces_);
  for (int g = endLaneGroup(); g-- > firstLaneGroup();) lanes_.load(context_, g, state, interfaces_);
  moved_ = Level::kPosition;
}

void ChainSolver::walkUp(Level level, TangentUse tangent, double leak) noexcept {
  for (int g = firstLaneGroup(); g < endLaneGroup(); ++g)
    lanes_.sweepUp(context_, g, tangent, level != Level::kVelocity, leak, interfaces_);
}

void ChainSolver::restoreBeta() noexcept {
  for (int g = firstLaneGroup(); g < endLaneGroup(); ++g) lanes_.restoreBeta(g);
}

void ChainSolver::solveInterfaces(Level level, bool factor, double leak) noexcept {
  if (factor) gatherFactors();
  positive_ = rt::solveInterfaces(context_, level, factor, leak, interfaces_) && positive_;
  interfaces_.buffer = 1 - interfaces_.buffer;
  level_ = level;
}

void ChainSolver::sweepDown(Level next) noexcept {
  for (int g = endLaneGroup(); g-- > firstLaneGroup();) lanes_.sweepDown(context_, g, level_, next, interfaces_);
  moved_ = level_;
}

void ChainSolver::finish(const State&, State& to) noexcept {
  if (leads()) storeMultipliers(context_.chain, interfaces_, to);
  for (int g = endLaneGroup(); g-- > firstLaneGroup();) lanes_.finish(context_, g, interfaces_, to);
  for (const ChainActuator& a : context_.chain.actuators)
    if (isMine(a.segment)) takeMotion(a);
  moved_ = level_;
  team_.wait();
  gatherTotals(Level::kNone);
  if (leads()) storePowers(to);
  interfaces_.buffer = 1 - interfaces_.buffer;
}

void ChainSolver::storePowers(State& to) const noexcept {
  storeInput(context_.input, to);
  to.powerInput() = actuatorPower(context_.model, context_.input, context_.ws.motions.data());
  to.powerDissipated() = 0;
  const SegmentRows& segments = context_.ws.segmentsFor(interfaces_);
  for (int i = 0; i < context_.chain.segments; ++i) to.powerDissipated() += *segments.at(kDragPower, i);
}

void ChainSolver::takeMotion(const ChainActuator& a) noexcept {
  const ChainLanes::Motion from = lanes_.motionAt(a.segment, a.station);
  BodyMotion& to = context_.ws.motions[static_cast<std::size_t>(a.body)];
  to.r = from.r;
  to.v = from.v;
  to.omega_w = from.omega_w;
  to.R = rotationMatrix(from.p);
  if (context_.chain.has_rotated_axes)
    to.R = (to.R * rotationMatrix(context_.chain.element(a.segment, a.station).axes).transpose()).eval();
}

void ChainSolver::gatherFactors() noexcept {
  ++factorizations_;
  has_inertia_gain_ = false;
  const SegmentRows& segments = context_.ws.segmentsFor(interfaces_);
  for (int i = 0; i < context_.chain.segments; ++i) {
    limited_ += static_cast<int>(*segments.at(kLimited, i));
    has_inertia_gain_ = has_inertia_gain_ || *segments.at(kInertiaGain, i) > 0;
    positive_ = *segments.at(kLowestMinor, i) > 0 && positive_;
  }
}

void ChainSolver::gatherTotals(Level next) noexcept {
  for (Level level : {Level::kPosition, Level::kVelocity, Level::kAcceleration})
    if (isEvaluated(level, moved_, next))
      violation_[indexOf(level)] = std::sqrt(squaredViolation(context_, interfaces_, level));
  increment_ = std::sqrt(squaredIncrement(context_, interfaces_));
}

bool ChainSolver::isFinite(const StepReport& report, const State& state) noexcept {
  const StateView s = state.view();
  return std::isfinite(report.constraint_position + report.constraint_velocity + report.constraint_acceleration +
                       s.powerInput() + s.powerDissipated() + s.workInput() + s.workDissipated());
}

}  // namespace tactus::rt
