// The sweep down: multipliers inside the segments, motion of the bodies, and what the next solve needs.
#pragma once

#include "rt/ali3p/chain/evaluation.h"

namespace tactus::rt {

/// Walks the elements of a lane group from right to left and applies the solution of a solve: to the multipliers
/// between the elements, then to the bodies.
template <Level solved, int W>
class SweepDown {
 public:
  TACTUS_INLINE SweepDown(const ChainContext& context, int lane_group, const InterfaceSystem& interfaces) noexcept
      : context_(context),
        segments_(context.ws.segmentsFor(interfaces)),
        first_(lane_group * W),
        left_end_(lanesAt<W>(interfaces.rows, kLambdaIncrement, first_)),
        right_(lanesAt<W>(interfaces.rows, kIncrementRight, first_)),
        square_(context.length * context.length) {}

  /// Visits the element at station `k`: adds to the multipliers of the joint at its left, and to its motion. Call with
  /// k falling to 0, then publish().
  TACTUS_INLINE void at(int k, LaneIterate<W>& s) noexcept {
    LaneVector3<W> left = left_end_;
    if (k > 0) {
      LaneIterate<W>& joint = (&s)[-1];
      // ali3p (36)
      left = joint.S_inverse * joint.beta;
      addTransposedProduct(joint.P, left_end_, left);
      addTransposedProduct(joint.Q, right_, left);
      if constexpr (solved == Level::kPosition) joint.lambda += left;
      if constexpr (solved == Level::kAcceleration) joint.lambda += Lanes<W>(context_.scale) * left;  // ali3p (23)
    }
    LaneVector3<W> force = left - right_, torque = s.tangent_left.cross(left) - s.tangent_right.cross(right_);
    if constexpr (solved != Level::kVelocity) {
      force += s.force;
      torque += s.torque;
    }
    right_ = left;
    apply(s.w_mass * force, s.w_J * torque, s);
  }

  /// Writes the largest increment into the segment rows.
  TACTUS_INLINE void publish() const noexcept { largest_.to(segments_.at(kIncrement, first_)); }

 private:
  TACTUS_INLINE void apply(const LaneVector3<W>& translation, const LaneVector3<W>& rotation,
                           LaneIterate<W>& s) noexcept {
    if constexpr (solved == Level::kPosition) {
      const double h = 2.0 / context_.dt;
      s.r += translation;
      s.a += h * h * translation;     // ali3p (2)
      s.p = turnedBy(s.p, rotation);  // ali3p (1)
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
  int first_;  ///< segment of the lane group
  LaneVector3<W> left_end_, right_;
  Lanes<W> square_;  ///< of the model's length
  Lanes<W> largest_ = Lanes<W>(0);
};

/// See ChainLanes::sweepDown().
template <Level solved, Level next, int W>
TACTUS_INLINE void sweepSegmentsDown(const ChainContext& context, int lane_group, const LaneElement<W>* elements,
                                     LaneIterate<W>* iterates, const ChainLoads<W>& loads,
                                     const InterfaceSystem& interfaces) noexcept {
  SweepDown<solved, W> descent(context, lane_group, interfaces);
  ChainEvaluation<solved, next, W> evaluation(context, lane_group, loads, interfaces);
  for (int k = context.chain.stations - 1; k >= 0; --k) {
    LaneIterate<W>& s = iterates[k];
    descent.at(k, s);
    if constexpr (solved == Level::kPosition) {
      Posture<W> posture;
      updateOrientation(elements[k], context.dt, s, posture);
      if constexpr (next != Level::kPosition) finishPositions(context.dt, posture, s);
      evaluation.at(k, elements[k], posture, s);
    } else {
      // omega or alpha has not changed since the solve before.
      if constexpr (solved == Level::kAcceleration)
        s.posture.alpha_b = s.posture.R.transpose() * s.alpha;
      else if constexpr (next == Level::kAcceleration)
        s.posture.omega_b = s.posture.R.transpose() * s.omega;
      evaluation.at(k, elements[k], s.posture, s);
    }
  }
  descent.publish();
  evaluation.publish();
}

}  // namespace tactus::rt
