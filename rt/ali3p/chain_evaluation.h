// What a solve along the lanes of a Chain needs to begin: right sides of bodies, gaps of joints, what they violate.
#pragma once

#include "rt/ali3p/chain_motion.h"

namespace tactus::rt {

/// A vector of the cuts at the left (offset 0) or right (offset 1) of a group's segments; zero beyond the last.
template <int W>
TACTUS_INLINE LaneVector3<W> ofCuts(const ChainTop& top, int group, Vector3d ChainCutState::*member,
                                    int offset = 0) noexcept {
  LaneVector3<W> lanes;
  for (int lane = 0; lane < W; ++lane) {
    const auto cut = static_cast<std::size_t>(group * W + lane + offset);
    for (int k = 0; k < 3; ++k) lanes[k].set(lane, cut < top.cuts.size() ? (top.cuts[cut].*member)[k] : 0.0);
  }
  return lanes;
}

/// Walks the places of a group from right to left once they have moved at level `moved`, and forms what the solve at
/// level `next` needs.
template <Level moved, Level next, int W>
class ChainEvaluation {
 public:
  TACTUS_INLINE ChainEvaluation(const ChainContext& context, int group, const ChainTop& top) noexcept
      : context_(context),
        segments_(context.ws.chain.segments.data() + group * W),
        ends_(1 - top.valid),
        gravity_(broadcast<W>(context.model.gravity)) {
    if constexpr (kHasBodies) {
      left_cut_ = ofCuts<W>(top, group, &ChainCutState::lambda);
      right_lambda_ = ofCuts<W>(top, group, &ChainCutState::lambda, 1);
    }
    for (Lanes<W>& v : violation_) v = Lanes<W>(0);
  }

  /// The place at `k`, whose right neighbours have been here before; call with k falling to 0.
  TACTUS_INLINE void at(int k, const LanePlace<W>& place, LaneSlot<W>& s) noexcept {
    const int last = context_.chain.positions - 1;
    if constexpr (kHasBodies) {
      const LaneVector3<W> left_lambda = k > 0 ? (&s)[-1].lambda : left_cut_;
      if constexpr (next == Level::kAcceleration) {
        s.omega_b = s.R.transpose() * s.omega;
        s.alpha_b = s.R.transpose() * s.alpha;
      }
      formRightSide(place, gravity_, left_lambda, right_lambda_, s);
      if (context_.chain.has_drags) addDrag(place, s);
      if constexpr (next == Level::kAcceleration) {
        s.force *= Lanes<W>(1 / context_.scale);
        s.torque *= Lanes<W>(1 / context_.scale);
      }
      right_lambda_ = left_lambda;
    }
    visit<Level::kPosition>(k, last, place, s);
    visit<Level::kVelocity>(k, last, place, s);
    visit<Level::kAcceleration>(k, last, place, s);
    if (k == 0) publish();
  }

 private:
  static constexpr bool kHasBodies = next == Level::kPosition || next == Level::kAcceleration;
  static constexpr bool needs(Level level) noexcept { return isEvaluated(level, moved, next); }

  template <Level level>
  TACTUS_INLINE void visit(int k, int last, const LanePlace<W>& place, LaneSlot<W>& s) noexcept {
    if constexpr (needs(level)) {
      constexpr int i = indexOf(level);
      const LaneVector3<W> right = pointMotion<level>(s, s.arm_right);
      if (k == last) {
        right_end_[i] = right;
      } else {
        const LaneVector3<W> gap = right - left_[i];
        violation_[i] += place.joined * gap.squaredNorm();
        if constexpr (level == next) s.gap = gap;
      }
      left_[i] = pointMotion<level>(s, s.arm_left);
    }
  }

  TACTUS_INLINE static void addDrag(const LanePlace<W>& place, LaneSlot<W>& s) noexcept {
    s.force -= place.drag_linear * s.v;
    if constexpr (next == Level::kPosition)
      s.torque -= place.drag_angular * (s.R * s.omega_b);
    else
      s.torque -= place.drag_angular * s.omega;
  }

  TACTUS_INLINE void publish() noexcept {
    for (Level level : {Level::kPosition, Level::kVelocity, Level::kAcceleration}) {
      if (!needs(level)) continue;
      const int i = indexOf(level);
      for (int lane = 0; lane < W; ++lane) {
        segments_[lane].ends[ends_].left[i] = laneOf<W>(left_[i], lane);
        segments_[lane].ends[ends_].right[i] = laneOf<W>(right_end_[i], lane);
        segments_[lane].violation[i] = violation_[i][lane];
      }
    }
  }

  const ChainContext& context_;
  ChainSegment* segments_;  ///< of the group
  int ends_;                ///< set of ends that is written
  LaneVector3<W> gravity_;
  LaneVector3<W> left_cut_, right_lambda_;
  LaneVector3<W> left_[3], right_end_[3];
  Lanes<W> violation_[3];
};

}  // namespace tactus::rt
