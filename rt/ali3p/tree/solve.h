// The solve with the factored fronts: a forward substitution up the tree, a back substitution down again. The paper
// calls the second one disassembly.
#pragma once

#include "rt/ali3p/tree/workspace.h"
#include "rt/plan/plan.h"

namespace tactus::rt {

/// Which parts of a right side are not zero.
enum class RightSide {
  kBodiesAndRows,  ///< positions and accelerations
  kRowsOnly,       ///< velocities; the bodies' part need not be written
  kNodeRowsOnly,   ///< the same, and the rows of joints whose freedoms are eliminated are zero: the filter, ali3p (29)
};

/// Which parts of a solution are wanted.
enum class Solution {
  kBodiesAndRows,
  kRowsOnly,    ///< those of rows that are nodes of the plan; the rest is then unspecified
  kBodiesOnly,  ///< the rows' part is then unspecified
};

/// Forward substitution, from the leaves to the roots: each node subtracts L times its own right side from that of its
/// boundary.
/// @param[in,out] unknowns  in: the right side in unknowns.values; out: for substituteBack() only
/// @rt no allocation, no throw, fixed work
/// @source [DCA3] Eq. (39), rt/doc/ali3p.md section 4
void substituteForward(const Plan& plan, RightSide right_side, const TreeTangent& tangent, const TreeFronts& fronts,
                       TreeUnknowns& unknowns) noexcept;

/// Back substitution, from the roots to the leaves: each node computes its own unknowns from those of its boundary.
/// Afterwards unknowns.values holds the increments of the bodies (m, rad or their rates), then those of the
/// multipliers.
/// @rt no allocation, no throw, fixed work
/// @source [DCA3] Eq. (34), rt/doc/ali3p.md section 4
void substituteBack(const Plan& plan, const TreeTangent& tangent, const TreeFronts& fronts, TreeUnknowns& unknowns,
                    Solution solution = Solution::kBodiesAndRows) noexcept;

// The two substitutions in pieces, for the threads of a team; with a symmetric tangent.

/// Takes the right sides of one part from `values`, zero for bodies unless they have one, and clears its ports.
/// @rt no allocation, no throw, fixed work
void bringPart(const Plan& plan, const PlanPart& part, RightSide right_side, TreeUnknowns& unknowns) noexcept;
/// Clears the numbers of empty lanes.
/// @rt no allocation, no throw, fixed work
void clearUnused(const Plan& plan, TreeUnknowns& unknowns) noexcept;
/// Forward substitution of one part. Before that of the trunk come addPorts() of all units, in their order.
/// @rt no allocation, no throw, fixed work
void forwardPart(const Plan& plan, const PlanPart& part, RightSide right_side, const TreeTangent& tangent,
                 const TreeFronts& fronts, TreeUnknowns& unknowns) noexcept;
const double* portsOf(const Plan& plan, const PlanPart& unit, const TreeUnknowns& unknowns) noexcept;
void addPorts(const Plan& plan, const PlanPart& unit, const double* ports, TreeUnknowns& unknowns) noexcept;
/// Back substitution of one part, the trunk first.
/// @rt no allocation, no throw, fixed work
void backPart(const Plan& plan, const PlanPart& part, const TreeTangent& tangent, const TreeFronts& fronts,
              TreeUnknowns& unknowns, Solution solution) noexcept;
/// Writes what is wanted of the solution of one part into `values`.
/// @rt no allocation, no throw, fixed work
void takePart(const Plan& plan, const PlanPart& part, Solution solution, TreeUnknowns& unknowns) noexcept;

}  // namespace tactus::rt
