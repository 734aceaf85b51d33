// Motion of one element of a Chain, and its equations of motion.
#pragma once

#include "rt/ali3p/chain/context.h"
#include "rt/ali3p/chain/layout.h"
#include "rt/ali3p/trapezoidal_rule.h"
#include "rt/mechanics/body_fixed.h"
#include "rt/mechanics/mass_matrix.h"

namespace tactus::rt {

template <int W>
TACTUS_INLINE void rotateArms(const LaneElement<W>& element, const LaneIterate<W>& s, Posture<W>& posture) noexcept {
  posture.R = rotationMatrix(s.p);
  posture.arm_left = posture.R * element.s_left;
  posture.arm_right = posture.R * element.s_right;
}

/// Rotates arms and inertia of the tangent into world axes; the sweep up that forms the tangent replaces the world
/// inertia in w_J.
/// @param gain  inertiaGain()
template <int W>
TACTUS_INLINE void rotateTangent(const LaneElement<W>& element, const Posture<W>& posture, const Lanes<W>& gain,
                                 LaneIterate<W>& s) noexcept {
  s.tangent_left = posture.arm_left;
  s.tangent_right = posture.arm_right;
  const LaneVector3<W> moments = (Lanes<W>(1) + gain) * element.moments;  // ali3p (9)
  s.w_J = rotated(posture.R, moments);
}

/// Rotation, and its rates in body axes, from the orientation by the trapezoidal rule.
template <int W>
TACTUS_INLINE void updateOrientation(const LaneElement<W>& element, double dt, const LaneIterate<W>& s,
                                     Posture<W>& posture) noexcept {
  const LaneVector4<W> dp = s.p - s.start.p;
  rotateArms(element, s, posture);
  posture.omega_b = trapezoidalOmega(2.0 / dt, s.p, dp, s.start.spin);
  posture.alpha_b = trapezoidalAlpha(2.0 / dt, s.p, dp, s.start.drift);
}

/// Stores what the levels of velocity and acceleration need, once the positions are solved.
template <int W>
TACTUS_INLINE void finishPositions(double dt, const Posture<W>& posture, LaneIterate<W>& s) noexcept {
  s.v += 0.5 * dt * s.a;
  s.posture = posture;
  s.omega = posture.R * posture.omega_b;
  s.alpha = posture.R * posture.alpha_b;
}

/// Minus the residual of the equations of motion, without drags and actuators.
/// @param left, right  multipliers of the joints at the left and right of the element
template <int W>
TACTUS_INLINE void formRightSide(const LaneElement<W>& element, const LaneVector3<W>& gravity,
                                 const LaneVector3<W>& left, const LaneVector3<W>& right, const Posture<W>& posture,
                                 LaneIterate<W>& s) noexcept {
  // ali3p (7), (8)
  s.force = left - right - element.mass * (s.a - gravity);
  s.torque = posture.arm_left.cross(left) - posture.arm_right.cross(right) -
             inertiaTorque(element.moments.asDiagonal(), posture.R, posture.omega_b, posture.alpha_b);
}

/// Motion of a joint point at one level.
template <Level level, int W>
TACTUS_INLINE LaneVector3<W> pointMotion(const LaneIterate<W>& s, const LaneVector3<W>& arm) noexcept {
  if constexpr (level == Level::kPosition)
    return s.r + arm;
  else if constexpr (level == Level::kVelocity)
    return s.v + s.omega.cross(arm);
  else
    return s.a + s.alpha.cross(arm) + centripetal(s.omega, arm);
}

}  // namespace tactus::rt
