// Mass-orthogonal projections of velocities and accelerations onto the constraints, in the metric of the tangent.
#pragma once

#include "rt/ali3p/workspace.h"
#include "rt/model/model.h"
#include "rt/plan/plan.h"

#include <span>

namespace tactus::rt {

/// S sigma = H v*, v = v* - W H^T sigma, with H of the current positions on the right side.
/// The rates of the rows are those that velocityViolation() has left.
/// @param pass  0 first; later ones leave the rates of compliant rows alone: what the first has taken of them by their
///              rigidity, they would take again, and stir up the rigid rows anew
/// @returns largest change of a body's velocity, m/s; rotations count with the model's length
/// @rt no allocation, no throw, fixed work
/// @source [DCA3] section 3.3, rt/doc/ali3p.md section 5
double projectVelocity(const Model& model, const Plan& plan, int pass, Workspace& ws) noexcept;

/// The acceleration that belongs to the positions and the projected velocities: the residual of the equations of
/// motion on the bodies' side, gamma - H a* on the rows' side. Afterwards ws.lambda holds the reaction that belongs to
/// it, lambda + scale kappa, second order where lambda alone is first order; compliant rows hold the force of their
/// law. Evaluates the loads at the projected velocities. `scale` is dt^2/4.
/// @rt no allocation, no throw, fixed work
/// @source [DCA3] section 3.4 with the residual added; derived, rt/doc/ali3p.md section 5
void projectAcceleration(const Model& model, const Plan& plan, double scale, std::span<const double> input,
                         Workspace& ws) noexcept;

/// |H v| and |H a - gamma| of the current motion, Euclidean, less what drives ask for; compliant rows left out.
/// The first leaves H v in ws.rates.
double velocityViolation(const Model& model, Workspace& ws) noexcept;
double accelerationViolation(const Model& model, const Workspace& ws) noexcept;

}  // namespace tactus::rt
