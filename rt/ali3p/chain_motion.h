// Motion of one place of a Chain: what follows from its positions, and what the next solve needs of it.
#pragma once

#include "rt/ali3p/chain_context.h"
#include "rt/ali3p/trapezoid.h"
#include "rt/mechanics/body_fixed.h"
#include "rt/mechanics/mass_matrix.h"

namespace tactus::rt {

/// Motion of one end of a place, as far as it was asked for.
struct ChainEnd {
  LaneVector3 of[3];  ///< position, velocity, acceleration of the joint point
};

inline LaneVector3 broadcast(const Vector3d& v) noexcept {
  return {Lanes(v[0]), Lanes(v[1]), Lanes(v[2])};
}

inline void turnArms(const ChainPlace& place, ChainSlot& s) noexcept {
  s.R = rotationMatrix(s.p);
  s.arm_left = s.R * place.s_left;
  s.arm_right = s.R * place.s_right;
}

/// Rotation and its rates from the orientation, by the trapezoidal rule.
inline void followOrientation(const ChainPlace& place, double dt, ChainSlot& s) noexcept {
  const LaneVector4 dp = s.p - s.p_prev;
  turnArms(place, s);
  s.omega = s.R * trapezoidalOmega(2.0 / dt, s.p, dp, s.pd_prev);
  s.alpha = s.R * trapezoidalAlpha(2.0 / dt, s.p, dp, s.pd_prev, s.pdd_prev);
}

/// Minus the residual of the equations of motion, without actuators, times `factor`; multipliers of the joints at the
/// left and right.
inline void formRightSide(const ChainPlace& place, const Vector3d& gravity, double factor, const LaneVector3& left,
                          const LaneVector3& right, ChainSlot& s) noexcept {
  const LaneVector3 omega_b = s.R.transpose() * s.omega, alpha_b = s.R.transpose() * s.alpha;
  const LaneVector3 inertia = inertiaTorque(place.inertia, s.R, omega_b, alpha_b);
  const LaneVector3 hang = s.a - broadcast(gravity);
  s.force = left - right - place.mass * hang - place.drag_linear * s.v;
  s.torque = s.arm_left.cross(left) - s.arm_right.cross(right) - inertia - place.drag_angular * s.omega;
  if (factor != 1.0) {
    s.force *= Lanes(factor);
    s.torque *= Lanes(factor);
  }
}

/// Motion of a joint point at one level.
template <Level level>
LaneVector3 pointMotion(const ChainSlot& s, const LaneVector3& arm) noexcept {
  if constexpr (level == Level::kPosition)
    return s.r + arm;
  else if constexpr (level == Level::kVelocity)
    return s.v + s.omega.cross(arm);
  else
    return s.a + s.alpha.cross(arm) + centripetal(s.omega, arm);
}

}  // namespace tactus::rt
