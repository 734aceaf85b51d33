// What a solve along the lanes of a Chain needs to begin: right sides of bodies, gaps of joints, what they violate.
#pragma once

#include "rt/ali3p/chain_motion.h"
#include "rt/state/state.h"

namespace tactus::rt {

/// The motion of a group's bodies and its inner multipliers out of State. Rates of rotation stay in body axes.
/// @rt no allocation, no throw, fixed work
void loadLanes(const ChainContext& context, int group, const State& from) noexcept;

/// Writes the group's bodies and inner multipliers to State; sums up the power of its drags.
/// @rt no allocation, no throw, fixed work
void storeLanes(const ChainContext& context, int group, State& to) noexcept;

/// The total multipliers of the cuts at the left (offset 0) or right (offset 1) of a group's segments.
LaneVector3 cutMultipliers(const ChainTop& top, int group, int offset) noexcept;

/// Shows the end points of a group's segments to their neighbours.
void publishEnds(ChainSegment* segments, int level, const LaneVector3& left, const LaneVector3& right) noexcept;

/// Walks the places of a group from right to left once they have moved at level `moved`, and forms what the solve at
/// level `next` needs.
template <Level moved, Level next>
class ChainEvaluation {
 public:
  ChainEvaluation(const ChainContext& context, int group, const ChainTop& top) noexcept
      : context_(context), group_(group), factor_(next == Level::kAcceleration ? 1.0 / context.scale : 1.0) {
    if constexpr (kHasBodies) {
      left_cut_ = cutMultipliers(top, group, 0);
      right_lambda_ = cutMultipliers(top, group, 1);
    }
    for (Lanes& v : violation_) v = Lanes(0);
  }

  /// The place at `k`, whose right neighbours have been here before; call with k falling to 0.
  void at(int k, const ChainPlace& place, ChainSlot& s) noexcept {
    const int last = context_.chain.positions - 1;
    if constexpr (kHasBodies) {
      const LaneVector3 left_lambda = k > 0 ? (&s)[-1].lambda : left_cut_;
      formRightSide(place, context_.model.gravity, factor_, left_lambda, right_lambda_, s);
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
  void visit(int k, int last, const ChainPlace& place, ChainSlot& s) noexcept {
    if constexpr (needs(level)) {
      constexpr int i = indexOf(level);
      const LaneVector3 right = pointMotion<level>(s, s.arm_right);
      if (k == last) {
        right_end_[i] = right;
      } else {
        const LaneVector3 gap = right - left_[i];
        violation_[i] += place.joined * gap.squaredNorm();
        if constexpr (level == next) s.gap = gap;
      }
      left_[i] = pointMotion<level>(s, s.arm_left);
    }
  }

  void publish() noexcept {
    ChainSegment* segments = context_.ws.chain.segments.data() + group_ * kLanes;
    ChainTotals& totals = context_.ws.chain.totals[static_cast<std::size_t>(group_)];
    for (Level level : {Level::kPosition, Level::kVelocity, Level::kAcceleration}) {
      if (!needs(level)) continue;
      const int i = indexOf(level);
      publishEnds(segments, i, left_[i], right_end_[i]);
      totals.violation[i] = sum(violation_[i]);
    }
  }

  const ChainContext& context_;
  int group_;
  double factor_;
  LaneVector3 left_cut_, right_lambda_;
  LaneVector3 left_[3], right_end_[3];
  Lanes violation_[3];
};

}  // namespace tactus::rt
