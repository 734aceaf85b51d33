#include "rt/ali3p/tree/solve.h"

#include "rt/ali3p/tree/front.h"
#include "rt/ali3p/tree/solve_batch.h"
#include "rt/ali3p/tree/unsymmetric.h"
#include "rt/math/small_solve.h"

#include <algorithm>

namespace tactus::rt {

namespace {

/// The sweeps over nodes that stand alone.
class Sweep {
 public:
  Sweep(const Plan& plan, Workspace& ws, double* slots) noexcept : plan_(plan), ws_(ws), slots_(slots) {}

  /// Boundary unknowns -= L w.
  template <int Own>
  TACTUS_INLINE void passUp(const PlanBatch& batch, const PlanNode& node) noexcept {
    const Front front(ws_.fronts.data(), node);
    Quad w[Own];
    for (int k = 0; k < Own; ++k) w[k] = spread(slots_ + batch.slot + k);
    const BoundarySlot* boundary = plan_.boundary_slots.data() + batch.first_boundary;
    for (int at = 0; at < front.width; at += 4) {
      Quad sum = w[0] * load(front.coupling + at);
      for (int k = 1; k < Own; ++k) sum += w[k] * load(front.coupling + k * front.width + at);
      const auto& slot = (boundary++)->slot;
      for (int k = 0; k < 4; ++k) slots_[slot[static_cast<std::size_t>(k)]] -= sum[k];
    }
  }

  /// w = D^-1 w - L^T boundary, with a pivot block of the given sign.
  template <int Own, int Sign>
  TACTUS_INLINE void substituteBack(const PlanBatch& batch, const PlanNode& node) noexcept {
    double w[Own];
    for (int k = 0; k < Own; ++k) w[k] = slots_[batch.slot + k];
    solveLdlt<Own>(ws_.fronts.data() + node.front, Own, w);
    if constexpr (Sign < 0)
      for (int k = 0; k < Own; ++k) w[k] = -w[k];
    passDown<Own>(batch, node, w);
  }

  /// The same for a leaf body, whose D^-1 is W.
  TACTUS_INLINE void substituteLeaf(const PlanBatch& batch, const PlanNode& node) noexcept {
    const BodyTangent& t = ws_.tangents[static_cast<std::size_t>(node.element)];
    const double* from = slots_ + batch.slot;
    const Vector3d rotation = t.w_J * Vector3d(from[3], from[4], from[5]);
    double w[6] = {t.w_mass * from[0], t.w_mass * from[1], t.w_mass * from[2], rotation[0], rotation[1], rotation[2]};
    passDown<6>(batch, node, w);
  }

 private:
  /// w -= L^T boundary unknowns.
  template <int Own>
  TACTUS_INLINE void passDown(const PlanBatch& batch, const PlanNode& node, double (&w)[Own]) noexcept {
    const Front front(ws_.fronts.data(), node);
    const BoundarySlot* boundary = plan_.boundary_slots.data() + batch.first_boundary;
    Quad sum[Own];
    for (Quad& s : sum) s = Quad(0.0);
    for (int at = 0; at < front.width; at += 4) {
      const auto& slot = (boundary++)->slot;
      const Quad x(Quad::Vector{slots_[slot[0]], slots_[slot[1]], slots_[slot[2]], slots_[slot[3]]});
      for (int k = 0; k < Own; ++k) sum[k] += x * load(front.coupling + k * front.width + at);
    }
    double sums[Own];
    sumsOf(sum, sums);
    for (int k = 0; k < Own; ++k) slots_[batch.slot + k] = w[k] - sums[k];
  }

  const Plan& plan_;
  Workspace& ws_;
  double* slots_;
};

void passUp(Sweep& sweep, const PlanBatch& batch, const PlanNode& node, RightSide right_side) noexcept {
  if (node.kind != NodeKind::kJoint) {
    if (node.kind == NodeKind::kHubBody || right_side == RightSide::kBodiesAndRows) sweep.passUp<6>(batch, node);
    return;
  }
  withOwn(node.size, [&]<int Own>() noexcept { sweep.passUp<Own>(batch, node); });
}

void substituteBack(Sweep& sweep, const PlanBatch& batch, const PlanNode& node) noexcept {
  if (node.kind == NodeKind::kLeafBody) return sweep.substituteLeaf(batch, node);
  if (node.kind == NodeKind::kHubBody) return sweep.substituteBack<6, 1>(batch, node);
  withOwn(node.size, [&]<int Own>() noexcept { sweep.substituteBack<Own, -1>(batch, node); });
}

/// Calls f(unknown, slot) for all, four to a turn.
template <class F>
TACTUS_INLINE void permute(const std::vector<int>& slot_of, F&& f) noexcept {
  const int* slots = slot_of.data();
  const std::size_t count = slot_of.size();
  std::size_t u = 0;
  for (; u + 4 <= count; u += 4)
    for (std::size_t k = u; k < u + 4; ++k) f(k, slots[k]);
  for (; u < count; ++u) f(u, slots[u]);
}

}  // namespace

void solve(const Plan& plan, RightSide right_side, Workspace& ws) noexcept {
  if (ws.unsymmetric) return solveUnsymmetric(plan, right_side, ws);
  if (right_side == RightSide::kRowsOnly) std::fill_n(ws.unknowns.data(), 6 * plan.bodies, 0.0);
  double* slots = plan.in_place ? ws.unknowns.data() : ws.slots.data();
  if (!plan.in_place) permute(plan.slots, [&](std::size_t u, int slot) noexcept { slots[slot] = ws.unknowns[u]; });
  for (int slot : plan.unused) slots[slot] = 0;

  Sweep sweep(plan, ws, slots);
  for (const PlanBatch& batch : plan.batches) {
    const PlanNode& node = plan.nodes[static_cast<std::size_t>(batch.lanes[0])];
    batch.alone() ? passUp(sweep, batch, node, right_side) : passUpBatch(plan, batch, right_side, ws);
  }
  for (auto batch = plan.batches.rbegin(); batch != plan.batches.rend(); ++batch) {
    const PlanNode& node = plan.nodes[static_cast<std::size_t>(batch->lanes[0])];
    batch->alone() ? substituteBack(sweep, *batch, node) : substituteBackBatch(plan, *batch, ws);
  }

  if (!plan.in_place) permute(plan.slots, [&](std::size_t u, int slot) noexcept { ws.unknowns[u] = slots[slot]; });
}

}  // namespace tactus::rt
