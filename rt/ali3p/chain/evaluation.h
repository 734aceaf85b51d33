// What a solve along the lanes of a Chain needs to begin: right sides of bodies and joints, violations of joints.
#pragma once

#include "rt/ali3p/chain/loads.h"
#include "rt/ali3p/chain/motion.h"

namespace tactus::rt {

/// Walks the elements of a lane group from right to left after they have moved at level `moved`, and forms what the
/// solve at level `next` needs.
template <Level moved, Level next, int W>
class ChainEvaluation {
 public:
  TACTUS_INLINE ChainEvaluation(const ChainContext& context, int lane_group, const ChainLoads<W>& loads,
                                const InterfaceSystem& interfaces) noexcept
      : context_(context),
        loads_(loads),
        segments_(context.ws.segmentsFor(interfaces)),
        first_(lane_group * W),
        gravity_(broadcast<W>(context.gravity)) {
    if constexpr (kHasBodies) {
      left_interface_ = lanesAt<W>(interfaces.rows, kLambda, first_);
      right_lambda_ = lanesAt<W>(interfaces.rows, kLambda, first_ + 1);
    }
    for (Lanes<W>& v : violation_) v = Lanes<W>(0);
  }

  /// Visits the element at station `k`. Call with k falling to 0, then publish().
  TACTUS_INLINE void at(int k, const LaneElement<W>& element, const Posture<W>& posture, LaneIterate<W>& s) noexcept {
    const int last = context_.chain.stations - 1;
    if constexpr (kHasBodies) {
      const LaneVector3<W> left_lambda = k > 0 ? (&s)[-1].lambda : left_interface_;
      formRightSide(element, gravity_, left_lambda, right_lambda_, posture, s);
      if (context_.chain.has_drags) addDrag(element, posture, s);
      if (element.action_count > 0) loads_.addTo(element, posture.R, s);
      if constexpr (next == Level::kAcceleration) {
        s.force *= Lanes<W>(1 / context_.scale);
        s.torque *= Lanes<W>(1 / context_.scale);
      }
      right_lambda_ = left_lambda;
    }
    visit<Level::kPosition>(k, last, element, posture, s);
    visit<Level::kVelocity>(k, last, element, posture, s);
    visit<Level::kAcceleration>(k, last, element, posture, s);
  }

  /// Writes the motion of the ends of the segments, and the violation of their joints, into the segment rows.
  TACTUS_INLINE void publish() const noexcept {
    publishLevel<Level::kPosition>();
    publishLevel<Level::kVelocity>();
    publishLevel<Level::kAcceleration>();
  }

 private:
  static constexpr bool kHasBodies = next == Level::kPosition || next == Level::kAcceleration;
  static constexpr bool needs(Level level) noexcept { return isEvaluated(level, moved, next); }

  template <Level level>
  TACTUS_INLINE void visit(int k, int last, const LaneElement<W>& element, const Posture<W>& posture,
                           LaneIterate<W>& s) noexcept {
    if constexpr (needs(level)) {
      constexpr int i = indexOf(level);
      const LaneVector3<W> right = pointMotion<level>(s, posture.arm_right);
      if (k == last) {
        right_end_[i] = right;
      } else {
        const LaneVector3<W> difference = right - left_[i];
        violation_[i] += element.joined * difference.squaredNorm();
        if constexpr (level == next) s.beta = difference;
      }
      left_[i] = pointMotion<level>(s, posture.arm_left);
    }
  }

  TACTUS_INLINE void addDrag(const LaneElement<W>& element, const Posture<W>& posture,
                             LaneIterate<W>& s) const noexcept {
    if constexpr (next == Level::kPosition) {
      s.force -= element.drag_linear * (s.v + 0.5 * context_.dt * s.a);
      s.torque -= element.drag_angular * (posture.R * posture.omega_b);
    } else {
      s.force -= element.drag_linear * s.v;
      s.torque -= element.drag_angular * s.omega;
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
  int first_;  ///< segment of the lane group
  LaneVector3<W> gravity_;
  LaneVector3<W> left_interface_, right_lambda_;
  LaneVector3<W> left_[3], right_end_[3];
  Lanes<W> violation_[3];
};

}  // namespace tactus::rt
