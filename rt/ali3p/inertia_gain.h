// What the rotation of a body within a step adds to its inertia in the tangent.
#pragma once

#include "rt/math/where_below.h"

namespace tactus::rt {

/// The tangent leaves smaller gains out. With two iterations a body that spins freely with omega dt = 0.12 then gains
/// 1.5e-5 of its speed in 10 000 steps; what the tangent adds costs a further acceleration pass in each step.
inline constexpr double kLeastInertiaGain = 1e-3;

/// kLeastInertiaGain for a part of a step: for all parts of an extrapolation the tangent has the gain or lacks it, so
/// that their errors cancel.
/// @param dt    length of the part, s
/// @param step  length of the step, s
inline double leastInertiaGain(double dt, double step) noexcept {
  return kLeastInertiaGain * (dt / step) * (dt / step);
}

/// -(dt^2/4) c_2 of ali3p (12): the share of its inertia by which a body that spins is more inert in the equations of a
/// step, (omega dt)^2/16 for the exact pdd; 0 below `least`.
/// @param p        Euler parameters, iterate of the step; p_start, drift: at its start, p and (8/dt) pd + 2 pdd
/// @rt    no allocation, no throw, fixed work
/// @source derived; rt/doc/ali3p.md section 2
template <class Scalar, class Parameters>
[[gnu::always_inline]] inline Scalar inertiaGain(double dt, double least, const Parameters& p,
                                                 const Parameters& p_start, const Parameters& drift) noexcept {
  const Parameters dp = p - p_start;
  const Scalar gain = p.dot(Scalar(0.125 * dt * dt) * drift - dp);
  return whereBelow(gain, least, Scalar(0), gain);
}

}  // namespace tactus::rt
