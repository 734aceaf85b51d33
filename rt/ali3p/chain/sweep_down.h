// The sweep down: multipliers inside the segments, motion of the bodies, and what the next solve needs.
#pragma once

#include "rt/ali3p/chain/evaluation.h"

namespace tactus::rt {

/// Walks the places of a group from right to left and finds what a solve moves: the multipliers between them, then the
/// bodies.
template <Level solved, int W>
class ChainDescent {
 public:
  TACTUS_INLINE ChainDescent(const ChainContext& context, int group, const ChainTop& top) noexcept
      : context_(context),
        segments_(context.ws.chain.segmentsFor(top)),
        first_(group * W),
        left_end_(lanesAt<W>(top.cuts, kLambdaIncrement, first_)),
        right_(lanesAt<W>(top.cuts, kIncrementRight, first_)),
        square_(context.model.length * context.model.length) {}

  /// The place at `k`: call with k falling to 0. Adds to the multipliers of the joint at its left, and to its motion.
  TACTUS_INLINE void at(int k, LaneSlot<W>& s) noexcept {
    LaneVector3<W> left = left_end_;
    if (k > 0) {
      LaneSlot<W>& joint = (&s)[-1];
      left = joint.S_inverse * joint.beta;
      addTransposedProduct(joint.P, left_end_, left);
      addTransposedProduct(joint.Q, right_, left);
      if constexpr (solved == Level::kPosition) joint.lambda += left;
      if constexpr (solved == Level::kAcceleration) joint.lambda += Lanes<W>(context_.scale) * left;
    }
    LaneVector3<W> force = left - right_, torque = s.tangent_left.cross(left) - s.tangent_right.cross(right_);
    if constexpr (solved != Level::kVelocity) {
      force += s.force;
      torque += s.torque;
    }
    right_ = left;
    apply(s.w_mass * force, s.w_J * torque, s);
  }

  /// Once all places have been here.
  TACTUS_INLINE void publish() const noexcept { largest_.to(segments_.at(kIncrement, first_)); }

 private:
  TACTUS_INLINE void apply(const LaneVector3<W>& translation, const LaneVector3<W>& rotation, LaneSlot<W>& s) noexcept {
    if constexpr (solved == Level::kPosition) {
      const double h = 2.0 / context_.dt;
      s.r += translation;
      s.a += h * h * translation;
      s.p = turnedBy(s.p, rotation);
    } else if constexpr (solved == Level::kVelocity) {
      s.v += translation;
      s.omega += rotation;
    } else {
      s.a += translation;
      s.alpha += rotation;
      return;
    }
    largest_ = worst(largest_, translation.squaredNorm());
    largest_ = worst(largest_, square_ * rotation.squaredNorm());
  }

  const ChainContext& context_;
  SegmentRows& segments_;
  int first_;  ///< segment of the group
  LaneVector3<W> left_end_, right_;
  Lanes<W> square_;  ///< of the model's length
  Lanes<W> largest_ = Lanes<W>(0);
};

/// See ChainLanes::sweepDown().
template <Level solved, Level next, int W>
TACTUS_INLINE void solveSegments(const ChainContext& context, int group, const LanePlace<W>* places, LaneSlot<W>* slots,
                                 const ChainLoads<W>& loads, const ChainTop& top) noexcept {
  ChainDescent<solved, W> descent(context, group, top);
  ChainEvaluation<solved, next, W> evaluation(context, group, loads, top);
  for (int k = context.chain.positions - 1; k >= 0; --k) {
    LaneSlot<W>& s = slots[k];
    descent.at(k, s);
    if constexpr (solved == Level::kPosition) {
      Posture<W> posture;
      followOrientation(places[k], context.dt, s, posture);
      if constexpr (next != Level::kPosition) finishPositions(context.dt, posture, s);
      evaluation.at(k, places[k], posture, s);
    } else {
      // Accelerations of rotation have not moved since the positions have.
      if constexpr (next == Level::kAcceleration) s.posture.omega_b = s.posture.R.transpose() * s.omega;
      evaluation.at(k, places[k], s.posture, s);
    }
  }
  descent.publish();
  evaluation.publish();
}

}  // namespace tactus::rt
