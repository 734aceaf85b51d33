// The factorization, from the leaves of the Plan to its roots. The paper calls it assembly: merging two compounds is
// the elimination of the joint between them.
#pragma once

#include "rt/ali3p/tree/workspace.h"
#include "rt/plan/plan.h"

namespace tactus::rt {

struct Model;

/// Factors every front of the Plan with the Jacobian of the rows and the tangent.
///
/// A front has three parts (see Front): the own block F_kk, the coupling F_kb of own and boundary unknowns, and the
/// update F_bb. Elimination overwrites them: F_kk by D as L1 D1 L1^T with 1 / D1 on the diagonal, F_kb by L^T =
/// D^-1 F_kb, F_bb by U = F_bb - L F_kb. A leaf body has no own block: its D^-1 is W.
///
/// Where the tangent is unsymmetric, the unsymmetric fronts are factored instead.
///
/// @param scale  dt^2 / 4
/// @returns false if a pivot is not positive (NaN included); the fronts are then unspecified
/// @rt no allocation, no throw, fixed work
/// @source [DCA3] Eqs. (36)-(38) as a block LDL^T, rt/doc/ali3p.md section 4
bool factor(const Plan& plan, double scale, const Model& model, const TreeRows& rows, const TreeTangent& tangent,
            TreeFronts& fronts) noexcept;

/// The same for one part of the Plan, with a symmetric tangent. The trunk comes after all units.
/// @rt no allocation, no throw, fixed work
bool factorPart(const Plan& plan, const PlanPart& part, double scale, const Model& model, const TreeRows& rows,
                const TreeTangent& tangent, TreeFronts& fronts) noexcept;

/// Counts rigid rows whose pivot is below `threshold` times the compliance that the row had before any elimination:
/// rows that only the regularization keeps solvable. For set-up, after factor().
int countTinyPivots(const Model& model, const Plan& plan, const TreeTangent& tangent, const TreeFronts& fronts,
                    double threshold);

}  // namespace tactus::rt
