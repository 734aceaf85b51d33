// Assembly: the factorisation, from the leaves of the Plan to its roots.
#pragma once

#include "rt/ali3p/workspace.h"
#include "rt/plan/plan.h"

namespace tactus::rt {

/// Factors every front of the Plan with the Jacobian, tangents and compliant_laws in the Workspace.
///
/// A front is symmetric, column-major, with its lower triangle in use. Eliminating its own unknowns k against its
/// boundary b leaves D (the pivot block, as LDL^T), L = F_bk D^-1 and the update U = F_bb - L F_kb. L is kept
/// transposed in the unused upper triangle; of a leaf body, D^-1 is W itself.
///
/// Where Workspace::unsymmetric says so, with BodyTangent::turning in place of J_hat, in the unsymmetric fronts.
///
/// @returns false if a pivot is not positive (NaN included); the fronts are then unspecified
/// @rt no allocation, no throw, fixed work
/// @source [DCA3] Eqs. (36)-(38) as a block LDL^T, rt/doc/ali3p.md section 4
bool assemble(const Plan& plan, double scale, const Model& model, Workspace& ws) noexcept;

/// Smallest pivot of the rows relative to the compliance that the row had before any elimination; finds rows that
/// only the regularisation keeps solvable. Counts pivots below `threshold`. For set-up, after assemble().
int countTinyPivots(const Model& model, const Plan& plan, const Workspace& ws, double threshold);

}  // namespace tactus::rt
