#include "rt/ali3p/tree/front.h"
#include "rt/ali3p/tree/unsymmetric.h"
#include "rt/math/small_solve.h"

#include <algorithm>

namespace tactus::rt {

namespace {

/// Own unknowns times L^-1, taken out of those of the boundary.
template <int Own>
TACTUS_INLINE void passUp(const SquareFront& front, const int* boundary, double* own, double* unknowns) noexcept {
  double w[Own];
  TACTUS_UNROLL
  for (int k = 0; k < Own; ++k) {
    w[k] = own[k];
    TACTUS_UNROLL
    for (int i = 0; i < k; ++i) w[k] -= front.at(k, i) * w[i];
    own[k] = w[k];
  }
  for (int r = Own; r < front.side; ++r) {
    const double* row = front.row(r);
    double sum = row[0] * w[0];
    for (int k = 1; k < Own; ++k) sum += row[k] * w[k];
    unknowns[boundary[r - Own]] -= sum;
  }
}

/// Own unknowns from U, once those of the boundary are known.
template <int Own>
TACTUS_INLINE void passDown(const SquareFront& front, const int* boundary, double* own,
                            const double* unknowns) noexcept {
  Quad sum[Own];
  for (Quad& s : sum) s = Quad(0.0);
  int r = Own;
  for (; r + 4 <= front.side; r += 4) {
    const int* of = boundary + r - Own;
    const Quad x(Quad::Vector{unknowns[of[0]], unknowns[of[1]], unknowns[of[2]], unknowns[of[3]]});
    for (int k = 0; k < Own; ++k) sum[k] += x * load(front.row(k) + r);
  }
  double w[Own];
  sumsOf(sum, w);
  for (int k = 0; k < Own; ++k) w[k] = own[k] - w[k];
  for (; r < front.side; ++r)
    for (int k = 0; k < Own; ++k) w[k] -= front.at(k, r) * unknowns[boundary[r - Own]];
  TACTUS_UNROLL
  for (int k = Own - 1; k >= 0; --k) {
    TACTUS_UNROLL
    for (int i = k + 1; i < Own; ++i) w[k] -= front.at(k, i) * w[i];
    w[k] *= front.at(k, k);
    own[k] = w[k];
  }
}

}  // namespace

void solveUnsymmetric(const Plan& plan, RightSide right_side, Workspace& ws) noexcept {
  double* unknowns = ws.unknowns.data();
  if (right_side == RightSide::kRowsOnly) std::fill_n(unknowns, 6 * plan.bodies, 0.0);
  const auto boundaryOf = [&plan](const PlanNode& node) noexcept {
    return plan.boundary_unknowns.data() + node.first_boundary;
  };
  for (const PlanNode& node : plan.nodes)
    withOwn(node.size, [&]<int Own>() noexcept {
      passUp<Own>(SquareFront(ws, node), boundaryOf(node), unknowns + node.unknown, unknowns);
    });
  for (auto node = plan.nodes.rbegin(); node != plan.nodes.rend(); ++node)
    withOwn(node->size, [&]<int Own>() noexcept {
      passDown<Own>(SquareFront(ws, *node), boundaryOf(*node), unknowns + node->unknown, unknowns);
    });
}

}  // namespace tactus::rt
