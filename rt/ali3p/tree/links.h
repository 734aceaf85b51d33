// Links of a line of bodies, see PlanNode::link: six-row joints alone and the bodies between two of them. All sizes are
// known, a solve multiplies by matrices that the factorization prepares, and a run of them is one loop.
#pragma once

#include "rt/ali3p/tree/workspace.h"
#include "rt/plan/plan.h"

namespace tactus::rt {

/// What a solve reads of a link joint, in TreeFronts::symmetric from PlanNode::link on. Rows of six numbers.
/// Its factorization writes them: with S = -D of the joint, ali3p (17).
struct LinkNumbers {
  double coupling[6][6];  ///< L^T: [own unknown][boundary unknown]
  double inverse[6][6];   ///< D^-1 = -S^-1, symmetric
  double back[6][6];      ///< -L: [boundary unknown][own unknown]
};

/// The same of a body between two links.
struct LinkBodyNumbers {
  double forward[6][12];  ///< L^T = W H^T: [own unknown][row]
  double back[12][6];     ///< H W: [row][own unknown]
};

static_assert(sizeof(LinkNumbers) == kLinkNumbers * sizeof(double));
static_assert(sizeof(LinkBodyNumbers) == kLinkBodyNumbers * sizeof(double));

/// Front of a body between two joints of six rows: ali3p (18).
void factorLinkBody(const Plan& plan, const PlanNode& node, const TreeRows& rows, const TreeTangent& tangent,
                    TreeFronts& fronts) noexcept;

/// Front of a joint whose children left their updates where they belong.
/// @returns false if a pivot is not positive
bool factorLink(const Plan& plan, const PlanNode& node, const Model& model, const TreeTangent& tangent,
                TreeFronts& fronts) noexcept;

/// Forward substitution of a run: ali3p (19). Link bodies leave W w in the place of their right side.
/// @param permuted  the vector of the solve
/// @rt no allocation, no throw, fixed work
void forwardLinks(const Plan& plan, const PlanRun& run, const TreeFronts& fronts, double* permuted) noexcept;
void forwardLinkBodies(const Plan& plan, const PlanRun& run, const TreeTangent& tangent, const TreeFronts& fronts,
                       double* permuted) noexcept;

/// Back substitution of a run, from its end: ali3p (20).
/// @rt no allocation, no throw, fixed work
void backLinks(const Plan& plan, const PlanRun& run, const TreeFronts& fronts, double* permuted) noexcept;
void backLinkBodies(const Plan& plan, const PlanRun& run, const TreeFronts& fronts, double* permuted) noexcept;

}  // namespace tactus::rt
