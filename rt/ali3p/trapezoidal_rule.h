// The trapezoidal rule for rotations, for any scalar: what all solvers do with an orientation.
#pragma once

#include "rt/math/euler_parameters.h"

namespace tactus::rt {

/// Angular velocity, body axes, that the trapezoidal rule gives to an orientation p, with h = 2/dt. Because G(p) p = 0,
/// -p_prev could stand for the difference dp = p - p_prev; with the difference no digits are lost to h^2, and no part along p arises.
/// @param spin  2 pd at the start of the step
/// @rt no allocation, no throw, fixed work
/// @source [DCA3] Eq. (15) projected by G; rt/doc/ali3p.md section 1
template <class T>
Eigen::Matrix<T, 3, 1> trapezoidalOmega(double h, const Eigen::Matrix<T, 4, 1>& p, const Eigen::Matrix<T, 4, 1>& dp,
                                        const Eigen::Matrix<T, 4, 1>& spin) noexcept {
  return multiplyG(p, 2 * h * dp - spin);  // ali3p (3)
}

/// Angular acceleration, body axes, that the rule gives to an orientation p.
/// @param drift  4 h pd + 2 pdd at the start of the step
/// @rt no allocation, no throw, fixed work
template <class T>
Eigen::Matrix<T, 3, 1> trapezoidalAlpha(double h, const Eigen::Matrix<T, 4, 1>& p, const Eigen::Matrix<T, 4, 1>& dp,
                                        const Eigen::Matrix<T, 4, 1>& drift) noexcept {
  return multiplyG(p, 2 * h * h * dp - drift);  // ali3p (4)
}

/// Second-order Taylor predictor of an orientation, normalized.
/// @rt no allocation, no throw, fixed work
template <class T>
Eigen::Matrix<T, 4, 1> predictedOrientation(double dt, const Eigen::Matrix<T, 4, 1>& p,
                                            const Eigen::Matrix<T, 4, 1>& pd,
                                            const Eigen::Matrix<T, 4, 1>& pdd) noexcept {
  return normalized(p + dt * pd + 0.5 * dt * dt * pdd);  // ali3p (6)
}

}  // namespace tactus::rt
