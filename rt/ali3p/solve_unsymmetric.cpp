#include "rt/ali3p/unsymmetric.h"

#include <algorithm>

namespace tactus::rt {

namespace {

/// Own unknowns times L^-1, taken out of those of the boundary.
void passUp(const SquareFront& front, const int* boundary, double* own, double* unknowns) noexcept {
  for (int k = 0; k < front.size; ++k)
    for (int i = k + 1; i < front.size; ++i) own[i] -= front.at(i, k) * own[k];
  for (int r = front.size; r < front.side; ++r) {
    double sum = 0;
    for (int k = 0; k < front.size; ++k) sum += front.at(r, k) * own[k];
    unknowns[boundary[r - front.size]] -= sum;
  }
}

/// Own unknowns from U, once those of the boundary are known.
void passDown(const SquareFront& front, const int* boundary, double* own, const double* unknowns) noexcept {
  for (int k = front.size - 1; k >= 0; --k) {
    const double* row = front.row(k);
    double sum = own[k];
    for (int i = k + 1; i < front.size; ++i) sum -= row[i] * own[i];
    for (int r = front.size; r < front.side; ++r) sum -= row[r] * unknowns[boundary[r - front.size]];
    own[k] = sum * row[k];
  }
}

}  // namespace

void solveUnsymmetric(const Plan& plan, RightSide right_side, Workspace& ws) noexcept {
  double* unknowns = ws.unknowns.data();
  if (right_side == RightSide::kRowsOnly) std::fill_n(unknowns, 6 * plan.bodies, 0.0);
  for (const PlanNode& node : plan.nodes)
    passUp(SquareFront(ws, node), plan.boundary_unknowns.data() + node.first_boundary, unknowns + node.unknown,
           unknowns);
  for (auto node = plan.nodes.rbegin(); node != plan.nodes.rend(); ++node)
    passDown(SquareFront(ws, *node), plan.boundary_unknowns.data() + node->first_boundary, unknowns + node->unknown,
             unknowns);
}

}  // namespace tactus::rt
