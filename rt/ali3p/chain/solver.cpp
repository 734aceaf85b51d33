#include "rt/ali3p/chain/solver.h"

#include "rt/ali3p/chain/interfaces.h"
#include "rt/ali3p/tree/commit.h"
#include "rt/mechanics/actuators.h"

#include <cmath>

namespace tactus::rt {

ChainSolver::ChainSolver(const ChainContext& context, const Team& team) noexcept
    : context_(context),
      team_(team),
      top_(context.ws.chain.tops[static_cast<std::size_t>(team.thread)]),
      lanes_(*context.ws.chain.lanes),
      groups_(context.chain.segments / lanes_.width()),
      first_segment_(firstGroup() * lanes_.width()),
      end_segment_(endGroup() * lanes_.width()) {}

bool ChainSolver::isMine(int segment) const noexcept {
  return segment >= first_segment_ && segment < end_segment_;
}

// A sweep down walks the groups the other way round than the sweep up before it and the one after it: each begins with
// what the last one has left in the cache.

void ChainSolver::predict(const State& from) noexcept {
  loadCuts(context_.chain, from, top_);
  for (int g = endGroup(); g-- > firstGroup();) lanes_.predict(context_, g, from, top_);
}

void ChainSolver::load(const State& from) noexcept {
  loadCuts(context_.chain, from, top_);
  for (int g = endGroup(); g-- > firstGroup();) lanes_.load(context_, g, from, top_);
  moved_ = Level::kPosition;
}

void ChainSolver::walkUp(Level level, Tangent tangent, double leak) noexcept {
  for (int g = firstGroup(); g < endGroup(); ++g)
    lanes_.sweepUp(context_, g, tangent, level != Level::kVelocity, leak, top_);
}

void ChainSolver::restoreGaps() noexcept {
  for (int g = firstGroup(); g < endGroup(); ++g) lanes_.restoreGaps(g);
}

void ChainSolver::solveCuts(Level level, bool factor, double leak) noexcept {
  if (factor) gatherFactors();
  positive_ = rt::solveCuts(context_, level, factor, leak, top_) && positive_;
  top_.set = 1 - top_.set;
  level_ = level;
}

void ChainSolver::sweepDown(Level next) noexcept {
  for (int g = endGroup(); g-- > firstGroup();) lanes_.sweepDown(context_, g, level_, next, top_);
  moved_ = level_;
}

void ChainSolver::finish(State& to) noexcept {
  if (team_.thread == 0) storeCuts(context_.chain, top_, to);
  for (int g = endGroup(); g-- > firstGroup();) lanes_.finish(context_, g, top_, to);
  for (const ChainActuator& a : context_.chain.actuators)
    if (isMine(a.segment)) takeMotion(a);
  moved_ = level_;
  team_.wait();
  gatherTotals(Level::kNone);
  top_.set = 1 - top_.set;
}

void ChainSolver::storePowers(State& to) const noexcept {
  storeInput(context_.input, to);
  to.powerInput() = actuatorPower(context_.model, context_.input, context_.ws.motions.data());
  to.powerDissipated() = 0;
  const SegmentRows& segments = context_.ws.chain.sets[1 - top_.set];  // those of finish()
  for (int i = 0; i < context_.chain.segments; ++i) to.powerDissipated() += *segments.at(kDragPower, i);
}

void ChainSolver::takeMotion(const ChainActuator& a) noexcept {
  const ChainLanes::Motion from = lanes_.motionAt(a.segment, a.position);
  BodyMotion& to = context_.ws.motions[static_cast<std::size_t>(a.body)];
  to.r = from.r;
  to.v = from.v;
  to.omega_w = from.omega_w;
  to.R = rotationMatrix(from.p);
  if (context_.chain.is_turned)
    to.R = (to.R * rotationMatrix(context_.chain.place(a.segment, a.position).axes).transpose()).eval();
}

void ChainSolver::gatherFactors() noexcept {
  ++factorizations_;
  const SegmentRows& segments = context_.ws.chain.segmentsFor(top_);
  for (int i = 0; i < context_.chain.segments; ++i) {
    limited_ += static_cast<int>(*segments.at(kLimited, i));
    positive_ = *segments.at(kLowestMinor, i) > 0 && positive_;
  }
}

void ChainSolver::gatherTotals(Level next) noexcept {
  for (Level level : {Level::kPosition, Level::kVelocity, Level::kAcceleration})
    if (isEvaluated(level, moved_, next))
      violation_[indexOf(level)] = std::sqrt(squaredViolation(context_, top_, level));
  increment_ = std::sqrt(squaredIncrement(context_, top_));
}

}  // namespace tactus::rt
