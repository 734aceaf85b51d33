// Mass-orthogonal projections of velocities and accelerations onto the constraints, in the metric of the tangent: right
// sides before the solve, and what its solution changes.
#pragma once

#include "rt/ali3p/tree/workspace.h"

namespace tactus::rt {

struct Model;

/// H v of the groups with a law that is damped, into rows.rates: what positionRightSide() reads.
/// @rt no allocation, no throw, fixed work
void evaluateDampedRates(const Model& model, const TreeIterate& iterate, TreeRows& rows) noexcept;

/// Right side of S sigma = H v*, with H of the current positions. Reads the rates that velocityViolation() left.
/// Compliant rows get zero.
/// @rt no allocation, no throw, fixed work
/// @source [DCA3] section 3.3, rt/doc/ali3p.md section 5
void velocityRightSide(const Model& model, const TreeConditions& conditions, const TreeRows& rows,
                       TreeUnknowns& unknowns) noexcept;

/// Right sides of the solves of the filter, ali3p (29): of the first one, of one between, and of the last one, which
/// projects the rigid rows as well. The latter two take the multipliers of the solve before from `unknowns`, which need
/// not hold the bodies' part of that solution.
/// @rt no allocation, no throw, fixed work
/// @source derived, rt/doc/ali3p.md section 9
void beginFilter(const Model& model, double dt, const TreeConditions& conditions, const TreeRows& rows,
                 const TreeTangent& tangent, TreeUnknowns& unknowns) noexcept;
void continueFilter(const Model& model, const TreeRows& rows, const TreeTangent& tangent,
                    TreeUnknowns& unknowns) noexcept;
void endFilter(const Model& model, const TreeConditions& conditions, const TreeRows& rows, const TreeTangent& tangent,
               TreeUnknowns& unknowns) noexcept;

/// v = v* - W H^T sigma: adds the solution to the velocities.
/// @returns largest change of a body's velocity, m/s; rotations count with the model's length
/// @rt no allocation, no throw, fixed work
double applyVelocity(const Model& model, const TreeUnknowns& unknowns, TreeIterate& iterate) noexcept;

/// Right side for the acceleration that belongs to the positions and the projected velocities: the residual of the
/// equations of motion for the bodies, gamma - H a* times the rigidity for the rows. Gamma and the loads have
/// been evaluated at these velocities.
/// @param scale  dt^2 / 4
/// @rt no allocation, no throw, fixed work
/// @source [DCA3] section 3.4 with the residual added; derived, rt/doc/ali3p.md section 5
void accelerationRightSide(const Model& model, double scale, const TreeIterate& iterate,
                           const TreeConditions& conditions, const TreeRows& rows, const TreeLoads& loads,
                           const TreeTangent& tangent, TreeUnknowns& unknowns) noexcept;

/// Adds the solution to the accelerations, and rigidity * scale * kappa to the multipliers: ali3p (22), (23). The
/// multipliers of rigid rows are then second-order accurate; those of compliant rows keep the force of their law.
/// @rt no allocation, no throw, fixed work
void applyAcceleration(const Model& model, double scale, const TreeTangent& tangent, const TreeUnknowns& unknowns,
                       TreeIterate& iterate) noexcept;

/// |H v - drive rate|, Euclidean, of the rows that are not compliant. Writes H v of all rows into rows.rates.
/// @rt no allocation, no throw, fixed work
double velocityViolation(const Model& model, const TreeIterate& iterate, const TreeConditions& conditions,
                         TreeRows& rows) noexcept;

/// |H a - gamma - drive acceleration|, Euclidean, of the rows that are not compliant.
/// @rt no allocation, no throw, fixed work
double accelerationViolation(const Model& model, const TreeIterate& iterate, const TreeConditions& conditions,
                             const TreeRows& rows) noexcept;

}  // namespace tactus::rt
