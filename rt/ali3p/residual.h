// Residuals of the equations of motion and of the constraints at the current iterate.
#pragma once

#include "rt/ali3p/workspace.h"
#include "rt/model/model.h"

#include <span>

namespace tactus::rt {

/// Constraint rows, their Jacobian and the actuators' loads at the current iterate: ws.phi, ws.jacobian, ws.loads.
/// @rt no allocation, no throw, fixed work
void evaluateIterate(const Model& model, std::span<const double> input, Workspace& ws) noexcept;

/// Minus the residual of each body's equations of motion into the bodies' part of ws.unknowns, N and N m, world axes:
/// m a - f + H_r^T lambda;  R (J alpha + omega x J omega) - n + H_phi^T lambda.
/// @rt no allocation, no throw, fixed work
/// @source [DCA3] Eq. (12) projected by G/2, see rt/doc/ali3p.md section 2
void bodyRightSide(const Model& model, Workspace& ws) noexcept;

/// Right side of the position solve into ws.unknowns: bodyRightSide(); minus phi of each row, plus
/// `leak` * epsilon * lambda, which makes multipliers forget what only the regularisation determines.
/// @rt no allocation, no throw, fixed work
void positionRightSide(const Model& model, double leak, Workspace& ws) noexcept;

/// |phi|, Euclidean.
double positionViolation(const Model& model, const Workspace& ws) noexcept;

}  // namespace tactus::rt
