// What a solve along the lanes of a Chain needs to begin: right sides of bodies, gaps of joints, what they violate.
#pragma once

#include "rt/ali3p/chain/loads.h"
#include "rt/ali3p/chain/motion.h"

namespace tactus::rt {

/// Walks the places of a group from right to left once they have moved at level `moved`, and forms what the solve at
/// level `next` needs.
template <Level moved, Level next, int W>
class ChainEvaluation {
 public:
  TACTUS_INLINE ChainEvaluation(const ChainContext& context, int group, const ChainLoads<W>& loads,
                                const ChainTop& top) noexcept
      : context_(context),
        loads_(loads),
        segments_(context.ws.chain.segmentsFor(top)),
        first_(group * W),
        gravity_(broadcast<W>(context.model.gravity)) {
    if constexpr (kHasBodies) {
      left_cut_ = lanesAt<W>(top.cuts, kLambda, first_);
      right_lambda_ = lanesAt<W>(top.cuts, kLambda, first_ + 1);
    }
    for (Lanes<W>& v : violation_) v = Lanes<W>(0);
  }

  /// The place at `k`, whose right neighbours have been here before; call with k falling to 0, then publish().
  TACTUS_INLINE void at(int k, const LanePlace<W>& place, const Posture<W>& posture, LaneSlot<W>& s) noexcept {
    const int last = context_.chain.positions - 1;
    if constexpr (kHasBodies) {
      const LaneVector3<W> left_lambda = k > 0 ? (&s)[-1].lambda : left_cut_;
      formRightSide(place, gravity_, left_lambda, right_lambda_, posture, s);
      if (context_.chain.has_drags) addDrag(place, posture, s);
      if (place.action_count > 0) loads_.addTo(place, posture.R, s);
      if constexpr (next == Level::kAcceleration) {
        s.force *= Lanes<W>(1 / context_.scale);
        s.torque *= Lanes<W>(1 / context_.scale);
      }
      right_lambda_ = left_lambda;
    }
    visit<Level::kPosition>(k, last, place, posture, s);
    visit<Level::kVelocity>(k, last, place, posture, s);
    visit<Level::kAcceleration>(k, last, place, posture, s);
  }

  /// Shows the ends of the segments, and what their joints violate.
  TACTUS_INLINE void publish() const noexcept {
    publishLevel<Level::kPosition>();
    publishLevel<Level::kVelocity>();
    publishLevel<Level::kAcceleration>();
  }

 private:
  static constexpr bool kHasBodies = next == Level::kPosition || next == Level::kAcceleration;
  static constexpr bool needs(Level level) noexcept { return isEvaluated(level, moved, next); }

  template <Level level>
  TACTUS_INLINE void visit(int k, int last, const LanePlace<W>& place, const Posture<W>& posture,
                           LaneSlot<W>& s) noexcept {
    if constexpr (needs(level)) {
      constexpr int i = indexOf(level);
      const LaneVector3<W> right = pointMotion<level>(s, posture.arm_right);
      if (k == last) {
        right_end_[i] = right;
      } else {
        const LaneVector3<W> gap = right - left_[i];
        violation_[i] += place.joined * gap.squaredNorm();
        if constexpr (level == next) s.beta = gap;
      }
      left_[i] = pointMotion<level>(s, posture.arm_left);
    }
  }

  TACTUS_INLINE void addDrag(const LanePlace<W>& place, const Posture<W>& posture, LaneSlot<W>& s) const noexcept {
    if constexpr (next == Level::kPosition) {
      s.force -= place.drag_linear * (s.v + 0.5 * context_.dt * s.a);
      s.torque -= place.drag_angular * (posture.R * posture.omega_b);
    } else {
      s.force -= place.drag_linear * s.v;
      s.torque -= place.drag_angular * s.omega;
    }
  }

  template <Level level>
  TACTUS_INLINE void publishLevel() const noexcept {
    if constexpr (needs(level)) {
      constexpr int i = indexOf(level);
      putLanes<W>(left_[i], kEndsLeft + 3 * i, first_, segments_);
      putLanes<W>(right_end_[i], kEndsRight + 3 * i, first_, segments_);
      violation_[i].to(segments_.at(kViolation + i, first_));
    }
  }

  const ChainContext& context_;
  const ChainLoads<W>& loads_;
  SegmentRows& segments_;
  int first_;  ///< segment of the group
  LaneVector3<W> gravity_;
  LaneVector3<W> left_cut_, right_lambda_;
  LaneVector3<W> left_[3], right_end_[3];
  Lanes<W> violation_[3];
};

}  // namespace tactus::rt
