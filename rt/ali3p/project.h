// Mass-orthogonal projections of velocities and accelerations onto the constraints, in the metric of the tangent.
#pragma once

#include "rt/ali3p/workspace.h"
#include "rt/model/model.h"
#include "rt/plan/plan.h"

namespace tactus::rt {

/// S sigma = H v*, v = v* - W H^T sigma, with H of the current positions on the right side.
/// @returns largest change of a body's velocity, m/s; rotations count with the model's length
/// @rt no allocation, no throw, fixed work
/// @source [DCA3] section 3.3, rt/doc/ali3p.md section 5
double projectVelocity(const Model& model, const Plan& plan, Workspace& ws) noexcept;

/// S kappa = H a* - gamma, a = a* - W H^T kappa, with the projected velocities in gamma. Afterwards ws.lambda holds
/// the reaction that belongs to the projected accelerations, lambda + scale kappa: second order where lambda alone
/// is first order. `scale` is dt^2/4.
/// @rt no allocation, no throw, fixed work
/// @source [DCA3] section 3.4; the reaction is derived, rt/doc/ali3p.md section 5
void projectAcceleration(const Model& model, const Plan& plan, double scale, Workspace& ws) noexcept;

/// |H v| and |H a - gamma| of the current motion, Euclidean.
double velocityViolation(const Model& model, const Workspace& ws) noexcept;
double accelerationViolation(const Model& model, const Workspace& ws) noexcept;

}  // namespace tactus::rt
