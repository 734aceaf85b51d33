// The factorisation, from the leaves of the Plan to its roots. The paper calls it assembly: merging two compounds is
// the elimination of the joint between them.
#pragma once

#include "rt/ali3p/tree/workspace.h"
#include "rt/model/model.h"
#include "rt/plan/plan.h"

namespace tactus::rt {

/// Factors every front of the Plan with the Jacobian of the rows and the tangent.
///
/// A front is symmetric, column-major, with its lower triangle in use. Eliminating its own unknowns k against its
/// boundary b leaves D (the pivot block, as LDL^T), L = F_bk D^-1 and the update U = F_bb - L F_kb. L is kept
/// transposed in the unused upper triangle; D^-1 of a leaf body is W itself.
///
/// Where the tangent is unsymmetric, the unsymmetric fronts are factored instead.
///
/// @param scale  dt^2 / 4
/// @returns false if a pivot is not positive (NaN included); the fronts are then unspecified
/// @rt no allocation, no throw, fixed work
/// @source [DCA3] Eqs. (36)-(38) as a block LDL^T, rt/doc/ali3p.md section 4
bool factor(const Plan& plan, double scale, const Model& model, const TreeRows& rows, const TreeTangent& tangent,
            TreeFronts& fronts) noexcept;

/// Counts rigid rows whose pivot is below `threshold` times the compliance that the row had before any elimination:
/// rows that only the regularisation keeps solvable. For set-up, after factor().
int countTinyPivots(const Model& model, const Plan& plan, const TreeTangent& tangent, const TreeFronts& fronts,
                    double threshold);

}  // namespace tactus::rt
