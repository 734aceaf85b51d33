// The equations of motion linearized around one point and reduced to the free motions there.
//
// In the coordinates y of a chart at the point, and with T the motions in H T = 0, every motion that satisfies the
// linearized rows at all three levels is
//
//   y = y_p + T s,   yd = yd_p + T sd + U s,   ydd = ydd_p + T sdd + W sd + V s
//
// with free coordinates s. The linearized residual, restricted to the free motions, is M sdd + C sd + K s.
//
// Source: [TAN] Eqs. (34)-(52); rotations have the coordinates of the chart in place of those of the paper.
#pragma once

#include "rt/offline/core/tangent_space.h"

#include <functional>

namespace tactus::rt::offline {

/// Equations of the free motions around a point: M sdd + C sd + K s is the linearized residual.
struct ReducedEquations {
  MatrixXd M, C, K;
};

struct TangentPoint {
  MatrixXd T;                 ///< motions with H T = 0, one column for each free coordinate
  VectorXd y_p, yd_p, ydd_p;  ///< particular solutions
  MatrixXd U, W, V;           ///< U: effect of s on yd; W and V: effects of sd and of s on ydd
  VectorXd reduced_residual;  ///< T^T (residual), at the particular solutions
  ReducedEquations reduced;
  /// Derivative of the reduced residual by the internal states m, and of their rates g by s, sd and m. Empty if the
  /// system has no internal states.
  MatrixXd residual_by_internal, rate_by_position, rate_by_velocity, rate_by_internal;
};

/// Linearizes around a point whose multipliers belong to its accelerations, in any coordinates of its motions.
/// @param[in] T       motions with H T = 0
/// @param[in] answer  returns x with H x = b that changes no free coordinate
/// @param[in] b       weight of the new rate in the rule that integrates the internal states, s; 0: they are held
TangentPoint linearize(const DynamicSystem& system, const MotionPoint& at, const MatrixXd& T,
                       const std::function<MatrixXd(const MatrixXd&)>& answer, double b = 0);

/// Linearizes with T orthonormal and smallest particular solutions. Sets the multipliers of the point.
TangentPoint linearize(const DynamicSystem& system, MotionPoint& at, const RankRule& rule = {}, double b = 0);

}  // namespace tactus::rt::offline
