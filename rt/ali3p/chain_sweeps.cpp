#include "rt/ali3p/chain_sweeps.h"

#include "rt/ali3p/chain_evaluation.h"

namespace tactus::rt {

namespace {

/// The increments of a vector of the cuts at one side of the segments of a group, lane by lane.
template <class Member>
LaneVector3 ofCuts(const ChainTop& top, std::size_t first, Member member) noexcept {
  LaneVector3 lanes;
  for (int lane = 0; lane < kLanes; ++lane) {
    const std::size_t cut = first + static_cast<std::size_t>(lane);
    for (int k = 0; k < 3; ++k) lanes[k].set(lane, cut < top.cuts.size() ? (top.cuts[cut].*member)[k] : 0.0);
  }
  return lanes;
}

/// Applies the solution of one place.
template <Level solved>
void apply(const ChainContext& context, const ChainPlace& place, const LaneVector3& translation,
           const LaneVector3& rotation, ChainSlot& s, Lanes& largest) noexcept {
  if constexpr (solved == Level::kPosition) {
    const double h = 2.0 / context.dt;
    s.r += translation;
    s.v += h * translation;
    s.a += h * h * translation;
    s.p = turnedBy(s.p, rotation);
    followOrientation(place, context.dt, s);
  } else if constexpr (solved == Level::kVelocity) {
    s.v += translation;
    s.omega += rotation;
  } else {
    s.a += translation;
    s.alpha += rotation;
    return;
  }
  const double length = context.model.length;
  largest = worst(largest, translation.squaredNorm());
  largest = worst(largest, Lanes(length * length) * rotation.squaredNorm());
}

template <Level solved, Level next>
void sweepDownFor(const ChainContext& context, int group, const ChainTop& top) noexcept {
  const ChainPlace* places = context.chain.group(group);
  ChainSlot* slots = context.slots(group);
  const auto first = static_cast<std::size_t>(group * kLanes);
  const LaneVector3 left_end = ofCuts(top, first, &ChainCutState::increment);
  LaneVector3 right = ofCuts(top, first + 1, &ChainCutState::increment);
  ChainEvaluation<solved, next> evaluation(context, group, top);
  Lanes largest(0);
  for (int k = context.chain.positions - 1; k >= 0; --k) {
    ChainSlot& s = slots[k];
    LaneVector3 left = left_end;
    if (k > 0) {
      ChainSlot& joint = slots[k - 1];
      left = joint.S_inverse * joint.beta;
      left += joint.P.transpose() * left_end;
      left += joint.Q.transpose() * right;
      if constexpr (solved == Level::kPosition) joint.lambda += left;
      if constexpr (solved == Level::kAcceleration) joint.lambda += Lanes(context.scale) * left;
    }
    LaneVector3 force = left - right, torque = s.tangent_left.cross(left) - s.tangent_right.cross(right);
    if constexpr (solved != Level::kVelocity) {
      force += s.force;
      torque += s.torque;
    }
    apply<solved>(context, places[k], s.w_mass * force, s.w_J * torque, s, largest);
    evaluation.at(k, places[k], s);
    right = left;
  }
  ChainTotals& totals = context.ws.chain.totals[static_cast<std::size_t>(group)];
  totals.increment = 0;
  for (int lane = 0; lane < kLanes; ++lane)
    totals.increment = largest[lane] <= totals.increment ? totals.increment : largest[lane];
}

}  // namespace

void loadGroup(const ChainContext& context, int group, const State& from) noexcept {
  loadLanes(context, group, from);
  const ChainPlace* places = context.chain.group(group);
  ChainSlot* slots = context.slots(group);
  ChainEvaluation<Level::kPosition, Level::kVelocity> evaluation(context, group, context.ws.chain.tops.front());
  for (int k = context.chain.positions - 1; k >= 0; --k) {
    ChainSlot& s = slots[k];
    turnArms(places[k], s);
    s.omega = s.R * s.omega;
    s.alpha = s.R * s.alpha;
    evaluation.at(k, places[k], s);
  }
}

void predictGroup(const ChainContext& context, int group, const State& from, const ChainTop& top) noexcept {
  loadLanes(context, group, from);
  const ChainPlace* places = context.chain.group(group);
  ChainSlot* slots = context.slots(group);
  const double dt = context.dt;
  ChainEvaluation<Level::kPosition, Level::kPosition> evaluation(context, group, top);
  for (int k = context.chain.positions - 1; k >= 0; --k) {
    ChainSlot& s = slots[k];
    // With this r, the rule gives v + dt a and leaves a as it was.
    s.r += dt * s.v + 0.5 * dt * dt * s.a;
    s.v += dt * s.a;
    s.p_prev = s.p;
    s.pd_prev = rateOf(s.p, s.omega);
    s.pdd_prev = secondRateOf(s.p, s.omega, s.alpha);
    s.p = predictedOrientation(dt, s.p_prev, s.pd_prev, s.pdd_prev);
    followOrientation(places[k], dt, s);
    evaluation.at(k, places[k], s);
  }
}

void sweepDown(const ChainContext& context, int group, Level solved, Level next, const ChainTop& top) noexcept {
  if (solved == Level::kPosition) {
    switch (next) {
      case Level::kPosition: return sweepDownFor<Level::kPosition, Level::kPosition>(context, group, top);
      case Level::kVelocity: return sweepDownFor<Level::kPosition, Level::kVelocity>(context, group, top);
      default: return sweepDownFor<Level::kPosition, Level::kAcceleration>(context, group, top);
    }
  }
  if (solved == Level::kAcceleration) return sweepDownFor<Level::kAcceleration, Level::kNone>(context, group, top);
  if (next == Level::kVelocity) return sweepDownFor<Level::kVelocity, Level::kVelocity>(context, group, top);
  sweepDownFor<Level::kVelocity, Level::kAcceleration>(context, group, top);
}

}  // namespace tactus::rt
