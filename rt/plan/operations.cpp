// What a node costs: floating-point operations, and numbers in memory.
#include "rt/plan/plan.h"

#include <algorithm>

namespace tactus::rt {

std::size_t freedomNumbers(const PlanNode& node) noexcept {
  const int freedoms = 6 - node.rows, normals = node.rows - 3;
  const auto numbers = static_cast<std::size_t>(7 + 3 * normals + 3 * freedoms + freedoms * freedoms +
                                                2 * freedoms * node.boundary_size);
  return node.isLone() ? std::max(numbers, kLoneNumbers) : numbers;
}

double factorFlops(const PlanNode& node) noexcept {
  const double d = node.size, b = node.boundary_size;
  if (node.kind == NodeKind::kFreedomBody) {
    // M S and its moments; N; the shift to the carrying body; the other columns of the boundary.
    const double k = 6 - node.rows, p = node.parent_at < 0 ? 0 : 6, m = b - p;
    return k * (72 + 12 + 6 + 42) + k * k * (6 + k / 3) + 20 * p + 6 * k * p / 3 +
           m * (6 + 6 * k + 2 * k * k + p * (1 + 2 * k)) + k * m * (m + 1);
  }
  return d * d * d / 3 + 2 * d * d * b + d * b * (b + 1);
}

double solveFlops(const PlanNode& node) noexcept {
  const double d = node.size, b = node.boundary_size;
  if (node.kind == NodeKind::kFreedomBody) {
    // M w and M x; particular motion, moments, multipliers; F and K over the boundary.
    const double k = 6 - node.rows, p = node.parent_at < 0 ? 0 : 6, m = b - p;
    return 2 * 72 + 2 * (12 + 6 * (node.rows - 3.0)) + 24 + 12 * k + 4 * p + 4 * k * b + 24 * m;
  }
  return 2 * d * d + 4 * d * b;
}

}  // namespace tactus::rt
