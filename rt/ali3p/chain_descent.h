// The sweep down: multipliers inside the segments, motion of the bodies, and what the next solve needs.
#pragma once

#include "rt/ali3p/chain_evaluation.h"

namespace tactus::rt {

/// Applies the solution of one place.
template <Level solved, Level next, int W>
TACTUS_INLINE void apply(const ChainContext& context, const LanePlace<W>& place, const LaneVector3<W>& translation,
                         const LaneVector3<W>& rotation, LaneSlot<W>& s, Lanes<W>& largest) noexcept {
  if constexpr (solved == Level::kPosition) {
    const double h = 2.0 / context.dt;
    s.r += translation;
    s.v += h * translation;
    s.a += h * h * translation;
    s.p = turnedBy(s.p, rotation);
    followOrientation(place, context.dt, s);
    if constexpr (next != Level::kPosition) turnRates(s);
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
  largest = worst(largest, Lanes<W>(length * length) * rotation.squaredNorm());
}

/// See ChainLanes::sweepDown().
template <Level solved, Level next, int W>
TACTUS_INLINE void solveSegments(const ChainContext& context, int group, const LanePlace<W>* places, LaneSlot<W>* slots,
                                 const ChainTop& top) noexcept {
  const LaneVector3<W> left_end = ofCuts<W>(top, group, &ChainCutState::increment);
  LaneVector3<W> right = ofCuts<W>(top, group, &ChainCutState::increment, 1);
  ChainEvaluation<solved, next, W> evaluation(context, group, top);
  Lanes<W> largest(0);
  for (int k = context.chain.positions - 1; k >= 0; --k) {
    LaneSlot<W>& s = slots[k];
    LaneVector3<W> left = left_end;
    if (k > 0) {
      LaneSlot<W>& joint = slots[k - 1];
      left = joint.S_inverse * joint.beta;
      left += joint.P.transpose() * left_end;
      left += joint.Q.transpose() * right;
      if constexpr (solved == Level::kPosition) joint.lambda += left;
      if constexpr (solved == Level::kAcceleration) joint.lambda += Lanes<W>(context.scale) * left;
    }
    LaneVector3<W> force = left - right, torque = s.tangent_left.cross(left) - s.tangent_right.cross(right);
    if constexpr (solved != Level::kVelocity) {
      force += s.force;
      torque += s.torque;
    }
    const LaneVector3<W> translation = s.w_mass * force, rotation = s.w_J * torque;
    apply<solved, next, W>(context, places[k], translation, rotation, s, largest);
    evaluation.at(k, places[k], s);
    right = left;
  }
  ChainSegment* segments = context.ws.chain.segments.data() + group * W;
  for (int lane = 0; lane < W; ++lane) segments[lane].increment = largest[lane];
}

}  // namespace tactus::rt
