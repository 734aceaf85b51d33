// Motion of one place of a Chain, and its equations of motion.
#pragma once

#include "rt/ali3p/chain/context.h"
#include "rt/ali3p/chain/layout.h"
#include "rt/ali3p/tree/trapezoid.h"
#include "rt/mechanics/body_fixed.h"
#include "rt/mechanics/mass_matrix.h"

namespace tactus::rt {

template <int W>
TACTUS_INLINE void turnArms(const LanePlace<W>& place, const LaneSlot<W>& s, Posture<W>& posture) noexcept {
  posture.R = rotationMatrix(s.p);
  posture.arm_left = posture.R * place.s_left;
  posture.arm_right = posture.R * place.s_right;
}

/// Turns what the tangent is made of; the sweep up that forms it makes w_J of the world inertia that stands there.
template <int W>
TACTUS_INLINE void turnTangent(const LanePlace<W>& place, const Posture<W>& posture, LaneSlot<W>& s) noexcept {
  s.tangent_left = posture.arm_left;
  s.tangent_right = posture.arm_right;
  s.w_J = rotated(posture.R, place.moments);
}

/// Rotation, and its rates in body axes, from the orientation by the trapezoidal rule.
template <int W>
TACTUS_INLINE void followOrientation(const LanePlace<W>& place, double dt, const LaneSlot<W>& s,
                                     Posture<W>& posture) noexcept {
  const LaneVector4<W> dp = s.p - s.start.p;
  turnArms(place, s, posture);
  posture.omega_b = trapezoidalOmega(2.0 / dt, s.p, dp, s.start.spin);
  posture.alpha_b = trapezoidalAlpha(2.0 / dt, s.p, dp, s.start.drift);
}

/// What the levels of velocity and acceleration need of solved positions.
template <int W>
TACTUS_INLINE void finishPositions(double dt, const Posture<W>& posture, LaneSlot<W>& s) noexcept {
  s.v += 0.5 * dt * s.a;
  s.posture = posture;
  s.omega = posture.R * posture.omega_b;
  s.alpha = posture.R * posture.alpha_b;
}

/// Minus the residual of the equations of motion, without drags and actuators; multipliers of the joints at the left
/// and right. Rates of rotation in body axes.
template <int W>
TACTUS_INLINE void formRightSide(const LanePlace<W>& place, const LaneVector3<W>& gravity, const LaneVector3<W>& left,
                                 const LaneVector3<W>& right, const Posture<W>& posture, LaneSlot<W>& s) noexcept {
  s.force = left - right - place.mass * (s.a - gravity);
  s.torque = posture.arm_left.cross(left) - posture.arm_right.cross(right) -
             inertiaTorque(place.moments.asDiagonal(), posture.R, posture.omega_b, posture.alpha_b);
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
