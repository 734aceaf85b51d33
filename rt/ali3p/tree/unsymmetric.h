// The tree with an unsymmetric tangent: fronts as LU, one node after the other.
#pragma once

#include "rt/ali3p/tree/workspace.h"
#include "rt/plan/plan.h"

namespace tactus::rt {

struct Model;

/// Factors the unsymmetric front of every node: square, row-major, own unknowns first. Afterwards the own columns hold
/// L (unit diagonal) and the own rows U, with inverse pivots on the diagonal; the rest is the update.
///
/// No pivoting is needed. With the signs of the constraint rows reversed the matrix is [W^-1 H^T; -H eps]. The
/// symmetric part of this matrix is that of W^-1 and eps, which is positive definite because the symmetric part of each
/// BodyTangent::turning is. Hence the symmetric part of every Schur complement is positive definite, too, and every
/// pivot is positive, for any order of elimination.
///
/// @param scale  dt^2 / 4
/// @returns false if a pivot has the wrong sign (NaN included); the fronts are then unspecified
/// @rt no allocation, no throw, fixed work
/// @source derived; rt/doc/ali3p.md section 4
bool factorUnsymmetric(const Plan& plan, double scale, const Model& model, const TreeRows& rows,
                       const TreeTangent& tangent, TreeFronts& fronts) noexcept;

/// substituteForward() and substituteBack() with the unsymmetric fronts.
/// @rt no allocation, no throw, fixed work
void forwardUnsymmetric(const Plan& plan, const TreeFronts& fronts, TreeUnknowns& unknowns) noexcept;
void backUnsymmetric(const Plan& plan, const TreeFronts& fronts, TreeUnknowns& unknowns) noexcept;

/// The front of a node in TreeFronts::square. A const TreeFronts is only read.
struct SquareFront {
  double* numbers;
  int size, side, width;

  SquareFront(const TreeFronts& fronts, const PlanNode& node) noexcept
      : numbers(const_cast<double*>(fronts.square.data()) + node.square_front),
        size(node.size),
        side(node.side()),
        width(node.squareWidth()) {}

  double* row(int i) const noexcept { return numbers + i * width; }
  double& at(int i, int k) const noexcept { return numbers[i * width + k]; }
};

}  // namespace tactus::rt
