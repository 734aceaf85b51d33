// The trapezoidal rule: predictor, rates of an iterate, update by an increment.
#pragma once

#include "rt/ali3p/workspace.h"
#include "rt/math/euler_parameters.h"
#include "rt/model/model.h"
#include "rt/state/state.h"

namespace tactus::rt {

/// Angular velocity, body axes, that the trapezoidal rule gives to an orientation p, with h = 2/dt. Because G(p) p = 0,
/// the difference dp = p - p_prev may stand where the rule has p: no digits are lost to h^2, and no part along p
/// arises.
/// @param spin  2 pd at the start of the step
/// @rt no allocation, no throw, fixed work; for any scalar
template <class T>
Eigen::Matrix<T, 3, 1> trapezoidalOmega(double h, const Eigen::Matrix<T, 4, 1>& p, const Eigen::Matrix<T, 4, 1>& dp,
                                        const Eigen::Matrix<T, 4, 1>& spin) noexcept {
  return multiplyG(p, 2 * h * dp - spin);
}

/// The same for the angular acceleration.
/// @param drift  4 h pd + 2 pdd at the start of the step
template <class T>
Eigen::Matrix<T, 3, 1> trapezoidalAlpha(double h, const Eigen::Matrix<T, 4, 1>& p, const Eigen::Matrix<T, 4, 1>& dp,
                                        const Eigen::Matrix<T, 4, 1>& drift) noexcept {
  return multiplyG(p, 2 * h * h * dp - drift);
}

/// Second-order Taylor predictor of an orientation, normalised.
/// @rt no allocation, no throw, fixed work; for any scalar
template <class T>
Eigen::Matrix<T, 4, 1> predictedOrientation(double dt, const Eigen::Matrix<T, 4, 1>& p,
                                            const Eigen::Matrix<T, 4, 1>& pd,
                                            const Eigen::Matrix<T, 4, 1>& pdd) noexcept {
  return normalized(p + dt * pd + 0.5 * dt * dt * pdd);
}

/// Derivatives of omega_w and alpha_w of an iterate by its rotation dphi, all in world axes.
struct RotationRateDerivatives {
  Matrix3d omega, alpha;
};

/// Of the trapezoidal rule. Reads p, p_prev, spin and drift; omega_w and alpha_w.
/// @rt no allocation, no throw, fixed work
/// @source derived; rt/doc/ali3p.md section 3
RotationRateDerivatives differentiateRotationRates(double dt, const RotationIterate& q,
                                                   const BodyMotion& motion) noexcept;

/// Second-order Taylor predictor of every body; multipliers start at those of the last step.
/// @rt no allocation, no throw, fixed work
void predict(const Model& model, double dt, const State& state, Workspace& ws) noexcept;

/// Adds the increments in ws.unknowns to positions and multipliers, with the rates that the rule gives them.
/// @returns largest increment of a body, m; rotations count with the model's length
/// @rt no allocation, no throw, fixed work
double applyIncrement(const Model& model, double dt, Workspace& ws) noexcept;

}  // namespace tactus::rt
