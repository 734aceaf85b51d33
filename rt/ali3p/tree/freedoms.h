// Bodies that are eliminated with all rows of the joint that carries them, by the freedoms of the joint: a few columns
// of the motion subspace in place of up to six rows. rt/doc/ali3p.md, section 12, derives the form.
#pragma once

#include "rt/ali3p/tree/workspace.h"
#include "rt/plan/plan.h"

namespace tactus::rt {

/// Where the numbers of a body on freedoms begin behind its front (PlanNode::freedoms), for n normals, k freedoms and a
/// boundary of b unknowns; see freedomNumbers(). Of a batch, lanes lie beside each other.
struct FreedomNumbers {
  int sign;      ///< sigma of the point rows on the body's side: 1 or -1
  int arm;       ///< s, 3: from the center of mass of the body to the joint point
  int shift;     ///< d, 3: from the center of mass of the carrying body to that of the body; unused on ground
  int normals;   ///< g, 3 n: rotations that move one row of the normals each
  int freedoms;  ///< e, 3 k: rotations that move no row
  int pivot;     ///< k x k, column-major: factors of S^T M S, or its inverse where the tangent is unsymmetric
  int coupling;  ///< k x b: from the boundary to the freedoms
  int back;      ///< k x b: from the freedoms to the boundary; only where the tangent is unsymmetric

  explicit FreedomNumbers(int freedom_count, int boundary) noexcept
      : sign(0),
        arm(1),
        shift(4),
        normals(7),
        freedoms(normals + 3 * (3 - freedom_count)),
        pivot(freedoms + 3 * freedom_count),
        coupling(pivot + freedom_count * freedom_count),
        back(coupling + freedom_count * boundary) {}
};

/// Factors the fronts of a batch, or of a node alone, of bodies on freedoms; their children are factored.
/// @param scale  dt^2 / 4
/// @returns false if a pivot is not positive (NaN included), or the normals of a joint are dependent
/// @rt no allocation, no throw, fixed work
bool factorFreedoms(const Plan& plan, const PlanBatch& batch, double scale, const TreeRows& rows,
                    const TreeTangent& tangent, TreeFronts& fronts) noexcept;

/// Forward substitution of a batch or of a node alone.
/// @param[in,out] permuted  the vector of the solve, see TreeUnknowns
/// @rt no allocation, no throw, fixed work
void forwardFreedoms(const Plan& plan, const PlanBatch& batch, const TreeFronts& fronts, double* permuted) noexcept;

/// Back substitution: the motions of the bodies and, with `with_rows`, the multipliers of their rows.
/// @rt no allocation, no throw, fixed work
void backFreedoms(const Plan& plan, const PlanBatch& batch, bool with_rows, const TreeFronts& fronts,
                  double* permuted) noexcept;

/// The same three for one node whose front is unsymmetric; `values` are all unknowns in their natural order.
/// @rt no allocation, no throw, fixed work
bool factorFreedomsUnsymmetric(const PlanNode& node, const TreeRows& rows, TreeFronts& fronts) noexcept;
void forwardFreedomsUnsymmetric(const Plan& plan, const PlanNode& node, const TreeFronts& fronts,
                                double* values) noexcept;
void backFreedomsUnsymmetric(const Plan& plan, const PlanNode& node, const TreeFronts& fronts, double* values) noexcept;

}  // namespace tactus::rt
