// Nodes that are eliminated side by side, one node a lane: their factorization and their part of a solve.
#pragma once

#include "rt/ali3p/tree/solve.h"
#include "rt/ali3p/tree/workspace.h"
#include "rt/plan/plan.h"

namespace tactus::rt {

struct Model;

/// Factors the fronts of a batch of two nodes or more; their children are factored.
/// @param scale  dt^2 / 4
/// @returns false if a pivot is not positive (NaN included); the fronts are then unspecified
/// @rt no allocation, no throw, fixed work
bool factorBatch(const Plan& plan, const PlanBatch& batch, double scale, const Model& model, const TreeRows& rows,
                 const TreeTangent& tangent, TreeFronts& fronts) noexcept;

/// Forward substitution of a batch: subtracts L times its own right sides from those of its boundary.
/// @param[in,out] permuted  see TreeUnknowns::permuted
/// @rt no allocation, no throw, fixed work
void forwardBatch(const Plan& plan, const PlanBatch& batch, RightSide right_side, const TreeFronts& fronts,
                  double* permuted) noexcept;

/// Back substitution of a batch: computes its own unknowns from those of its boundary.
/// @rt no allocation, no throw, fixed work
void backBatch(const Plan& plan, const PlanBatch& batch, const TreeFronts& fronts, double* permuted) noexcept;

}  // namespace tactus::rt
