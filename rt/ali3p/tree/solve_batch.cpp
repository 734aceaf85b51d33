#include "rt/ali3p/tree/solve_batch.h"

#include "rt/ali3p/tree/batch_front.h"
#include "rt/math/small_solve.h"

namespace tactus::rt {

namespace {

const PlanNode& firstOf(const Plan& plan, const PlanBatch& batch) noexcept {
  return plan.nodes[static_cast<std::size_t>(batch.lanes[0])];
}

/// Boundary unknowns -= L w.
template <int Own>
void passUp(const Plan& plan, const PlanBatch& batch, Workspace& ws) noexcept {
  const BatchFront front(plan, batch, ws.fronts.data());
  double* slots = ws.slots.data();
  Quad w[Own];
  for (int k = 0; k < Own; ++k) w[k] = load(slots + batch.slot + kBatchLanes * k);
  const BoundarySlot* boundary = plan.boundary_slots.data() + batch.first_boundary;
  for (int r = 0; r < front.boundary; ++r) {
    Quad x = w[0] * front.coupling(0, r);
    for (int k = 1; k < Own; ++k) x += w[k] * front.coupling(k, r);
    const auto& slot = boundary[r].slot;
    switch (boundary[r].kind) {
      case BoundarySlot::Kind::kBeside: store(load(slots + slot[0]) - x, slots + slot[0]); break;
      case BoundarySlot::Kind::kShared: slots[slot[0]] -= sumOf(x); break;
      case BoundarySlot::Kind::kApart:
        for (int lane = 0; lane < kBatchLanes; ++lane)
          if (batch.has(lane)) slots[slot[static_cast<std::size_t>(lane)]] -= x[lane];
        break;
    }
  }
}

TACTUS_INLINE Quad boundaryUnknown(const BoundarySlot& from, const double* slots) noexcept {
  const auto& s = from.slot;
  switch (from.kind) {
    case BoundarySlot::Kind::kBeside: return load(slots + s[0]);
    case BoundarySlot::Kind::kShared: return Quad(slots[s[0]]);
    default: return Quad(Quad::Vector{slots[s[0]], slots[s[1]], slots[s[2]], slots[s[3]]});
  }
}

/// Own unknowns w, times D^-1 already, -= L^T boundary unknowns.
template <int Own>
TACTUS_INLINE void passDown(const Plan& plan, const PlanBatch& batch, const BatchFront& front, Quad (&w)[Own],
                            double* slots) noexcept {
  const BoundarySlot* boundary = plan.boundary_slots.data() + batch.first_boundary;
  for (int r = 0; r < front.boundary; ++r) {
    const Quad x = boundaryUnknown(boundary[r], slots);
    for (int k = 0; k < Own; ++k) w[k] -= x * front.coupling(k, r);
  }
  for (int k = 0; k < Own; ++k) store(w[k], slots + batch.slot + kBatchLanes * k);
}

template <int Own, int Sign>
void substituteBack(const Plan& plan, const PlanBatch& batch, Workspace& ws) noexcept {
  const BatchFront front(plan, batch, ws.fronts.data());
  Quad w[Own];
  for (int k = 0; k < Own; ++k) w[k] = load(ws.slots.data() + batch.slot + kBatchLanes * k);
  for (int k = 0; k < Own; ++k)
    for (int r = k + 1; r < Own; ++r) w[r] -= front.own(k, r) * w[k];
  for (int k = 0; k < Own; ++k) w[k] *= Quad(double(Sign)) * front.own(k, k);
  for (int k = Own - 1; k >= 0; --k)
    for (int r = k + 1; r < Own; ++r) w[k] -= front.own(k, r) * w[r];
  passDown<Own>(plan, batch, front, w, ws.slots.data());
}

void substituteLeaf(const Plan& plan, const PlanBatch& batch, Workspace& ws) noexcept {
  Quad w[6];
  for (int k = 0; k < 6; ++k) w[k] = load(ws.slots.data() + batch.slot + kBatchLanes * k);
  Quad rotation[3], mass;
  for (int lane = 0; lane < kBatchLanes; ++lane) {
    const PlanNode& node = plan.nodes[static_cast<std::size_t>(batch.lanes[static_cast<std::size_t>(lane)])];
    const BodyTangent& t = ws.tangents[static_cast<std::size_t>(node.element)];
    mass.set(lane, t.w_mass);
    const Vector3d turned = t.w_J * Vector3d(w[3][lane], w[4][lane], w[5][lane]);
    for (int k = 0; k < 3; ++k) rotation[k].set(lane, turned[k]);
  }
  for (int k = 0; k < 3; ++k) {
    w[k] *= mass;
    w[3 + k] = rotation[k];
  }
  passDown<6>(plan, batch, BatchFront(plan, batch, ws.fronts.data()), w, ws.slots.data());
}

}  // namespace

void passUpBatch(const Plan& plan, const PlanBatch& batch, RightSide right_side, Workspace& ws) noexcept {
  const PlanNode& node = firstOf(plan, batch);
  // A leaf body has no right side but its own.
  if (node.kind == NodeKind::kLeafBody && right_side == RightSide::kRowsOnly) return;
  withOwn(node.size, [&]<int Own>() noexcept { passUp<Own>(plan, batch, ws); });
}

void substituteBackBatch(const Plan& plan, const PlanBatch& batch, Workspace& ws) noexcept {
  const PlanNode& node = firstOf(plan, batch);
  if (node.kind == NodeKind::kLeafBody) return substituteLeaf(plan, batch, ws);
  if (node.kind == NodeKind::kHubBody) return substituteBack<6, 1>(plan, batch, ws);
  withOwn(node.size, [&]<int Own>() noexcept { substituteBack<Own, -1>(plan, batch, ws); });
}

}  // namespace tactus::rt
