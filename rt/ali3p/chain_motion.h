// Motion of one place of a Chain, and its equations of motion.
#pragma once

#include "rt/ali3p/chain_context.h"
#include "rt/ali3p/chain_slots.h"
#include "rt/ali3p/trapezoid.h"
#include "rt/mechanics/body_fixed.h"
#include "rt/mechanics/mass_matrix.h"

namespace tactus::rt {

template <int W>
TACTUS_INLINE void turnArms(const LanePlace<W>& place, LaneSlot<W>& s) noexcept {
  s.R = rotationMatrix(s.p);
  s.arm_left = s.R * place.s_left;
  s.arm_right = s.R * place.s_right;
}

/// Rotation, and its rates in body axes, from the orientation by the trapezoidal rule.
template <int W>
TACTUS_INLINE void followOrientation(const LanePlace<W>& place, double dt, LaneSlot<W>& s) noexcept {
  const LaneVector4<W> dp = s.p - s.p_prev;
  turnArms(place, s);
  s.omega_b = trapezoidalOmega(2.0 / dt, s.p, dp, s.pd_prev);
  s.alpha_b = trapezoidalAlpha(2.0 / dt, s.p, dp, s.drift);
}

/// The rates of rotation in world axes.
template <int W>
TACTUS_INLINE void turnRates(LaneSlot<W>& s) noexcept {
  s.omega = s.R * s.omega_b;
  s.alpha = s.R * s.alpha_b;
}

/// Minus the residual of the equations of motion, without drags and actuators; multipliers of the joints at the left
/// and right. Rates of rotation in body axes.
template <int W>
TACTUS_INLINE void formRightSide(const LanePlace<W>& place, const LaneVector3<W>& gravity, const LaneVector3<W>& left,
                                 const LaneVector3<W>& right, LaneSlot<W>& s) noexcept {
  s.force = left - right - place.mass * (s.a - gravity);
  s.torque =
      s.arm_left.cross(left) - s.arm_right.cross(right) - inertiaTorque(place.inertia, s.R, s.omega_b, s.alpha_b);
}

/// Motion of a joint point at one level.
template <Level level, int W>
TACTUS_INLINE LaneVector3<W> pointMotion(const LaneSlot<W>& s, const LaneVector3<W>& arm) noexcept {
  if constexpr (level == Level::kPosition)
    return s.r + arm;
  else if constexpr (level == Level::kVelocity)
    return s.v + s.omega.cross(arm);
  else
    return s.a + s.alpha.cross(arm) + centripetal(s.omega, arm);
}

}  // namespace tactus::rt
