// Residuals of the equations of motion and of the constraints at the current iterate.
#pragma once

#include "rt/ali3p/workspace.h"
#include "rt/model/model.h"

#include <span>

namespace tactus::rt {

/// Share of a multiplier that is forgotten in each step where only the regularisation determines it.
inline constexpr double kMultiplierLeak = 0.1;

/// Rows and their Jacobian at the current iterate: ws.phi, ws.jacobian. Of driven rows, phi is what is left to the
/// drive.
/// @rt no allocation, no throw, fixed work
void evaluateConstraints(const Model& model, Workspace& ws) noexcept;

/// The same, and the loads on bodies: ws.loads, ws.elements.
/// @rt no allocation, no throw, fixed work
void evaluateIterate(const Model& model, std::span<const double> input, Workspace& ws) noexcept;

/// Minus the residual of each body's equations of motion into the bodies' part of ws.unknowns, N and N m, world axes:
/// m a - f + H_r^T lambda;  R (J alpha + omega x J omega) - n + H_phi^T lambda.
/// @rt no allocation, no throw, fixed work
/// @source [DCA3] Eq. (12) projected by G/2, see rt/doc/ali3p.md section 2
void bodyRightSide(const Model& model, Workspace& ws) noexcept;

/// The values of all drives at a time (s since tick 0) into ws.drives, and the input into ws.input.
/// @rt no allocation, no throw, bounded work
void evaluateDrives(const Model& model, double time, std::span<const double> input, Workspace& ws) noexcept;

/// Loads on bodies at the current motion: ws.loads, ws.elements.
/// @rt no allocation, no throw, fixed work
void evaluateLoads(const Model& model, std::span<const double> input, Workspace& ws) noexcept;

/// Adds `sign` times the damping force of compliant rows at the current velocities to their multipliers: -1 before a
/// projection and 1 after it keep them in step with the velocities. The law is not evaluated anew there: a stiff one
/// would turn what Newton has left of phi into forces, where the multiplier is good to second order.
/// @rt no allocation, no throw, fixed work
void addDamping(const Model& model, double sign, Workspace& ws) noexcept;

/// Right side of the position solve into ws.unknowns: bodyRightSide(); minus phi of each row, plus
/// `leak` * epsilon * lambda, which makes multipliers forget what only the regularisation determines; of compliant
/// rows, their compliance times what lambda exceeds their law by.
/// @rt no allocation, no throw, fixed work
void positionRightSide(const Model& model, double leak, Workspace& ws) noexcept;

/// |phi|, Euclidean, of the rows that have to vanish.
double positionViolation(const Model& model, const Workspace& ws) noexcept;

}  // namespace tactus::rt
