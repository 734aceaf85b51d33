// Bodies on freedoms that stand alone and meet nothing but the body that carries them: an arm, the branches of a tree.
// All that a solve needs is one matrix of fixed size for each sweep, so that a body costs two short sums of columns.
#pragma once

#include "rt/ali3p/tree/workspace.h"
#include "rt/plan/plan.h"

#include <algorithm>

namespace tactus::rt {

struct Model;

/// The numbers of such a body at LoneFreedoms::numbers, for a joint with `Freedoms` freedoms. Columns have six numbers
/// of a motion or a load, then zeros, unless said otherwise. rt/doc/ali3p.md, section 12.
template <int Freedoms>
struct LoneNumbers {
  static constexpr int kNormals = 3 - Freedoms, kRows = 6 - Freedoms;
  static constexpr int kWide = Freedoms == 3 ? 12 : 8;

  double mass[6][8];                         ///< M with what its own children have left, both triangles
  double up[6][kWide];                       ///< A; from the seventh number on D^-1 S^T
  double up_rows[kRows][kWide];              ///< -A M G; from the seventh number on -D^-1 S^T M G
  double down[6][8];                         ///< A^T
  double freedom[std::max(Freedoms, 1)][8];  ///< S
  double normal[std::max(kNormals, 1)][8];   ///< the columns of G behind those of the point
  double sign;                               ///< sigma
};

/// Writes the masses of all these bodies in a part of the Plan; before any of them is factored.
/// @param scale  dt^2 / 4
/// @rt no allocation, no throw, fixed work
void setLoneMasses(const Plan& plan, const PlanPart& part, double scale, const TreeTangent& tangent,
                   TreeFronts& fronts) noexcept;

/// Factors one of them; its children are factored. Adds its update to the mass of the body that carries it where that
/// is one of them, too; otherwise writes it into the front.
/// @returns false if a pivot is not positive (NaN included), or the normals of the joint are dependent
/// @rt no allocation, no throw, fixed work
bool factorLone(const Plan& plan, const LoneFreedoms& body, const TreeRows& rows, TreeFronts& fronts) noexcept;

/// Forward substitution of a run of them.
/// @param[in,out] permuted  the vector of the solve, see TreeUnknowns
/// @rt no allocation, no throw, fixed work
void forwardLone(const Plan& plan, const PlanRun& run, const TreeFronts& fronts, double* permuted) noexcept;

/// Back substitution: the motions of the bodies and, with `with_rows`, the multipliers of their rows.
/// @rt no allocation, no throw, fixed work
void backLone(const Plan& plan, const PlanRun& run, bool with_rows, const TreeFronts& fronts,
              double* permuted) noexcept;

}  // namespace tactus::rt
