#include "rt/ali3p/tree/factor.h"

#include "rt/ali3p/tree/factor_batch.h"
#include "rt/ali3p/tree/front.h"
#include "rt/ali3p/tree/unsymmetric.h"
#include "rt/math/small_solve.h"

#include <algorithm>

namespace tactus::rt {

namespace {

/// Front of a body that goes before its joints: D^-1 = W, so L^T = W H^T and U = -H W H^T.
void assembleLeaf(const Plan& plan, const PlanNode& node, Workspace& ws) noexcept {
  const Front front(ws.fronts.data(), node);
  const BodyTangent& t = ws.tangents[static_cast<std::size_t>(node.element)];
  const double* jacobian = ws.jacobian.front().h[0];
  const int* places = plan.row_places.data() + node.first_place;
  const Quad mass(t.w_mass);
  for (int at = 0; at < front.width; at += 4) {
    const double* const rows[4] = {jacobian + places[at], jacobian + places[at + 1], jacobian + places[at + 2],
                                   jacobian + places[at + 3]};
    Quad h[6];
    gather(rows, h);
    for (int k = 0; k < 3; ++k) {
      store(mass * h[k], front.coupling + k * front.width + at);
      store(t.w_J(k, 0) * h[3] + t.w_J(k, 1) * h[4] + t.w_J(k, 2) * h[5], front.coupling + (3 + k) * front.width + at);
    }
  }
  for (int i = 0; i < node.boundary_size; ++i) {
    Quad h[6];
    for (int k = 0; k < 6; ++k) h[k] = spread(jacobian + places[i] + k);
    for (int at = i / 4 * 4; at < front.width; at += 4) {
      Quad sum(0.0);
      for (int k = 0; k < 6; ++k) sum -= h[k] * load(front.coupling + k * front.width + at);
      store(sum, front.update + i * front.width + at);
    }
  }
}

/// Eliminates the own unknowns of a gathered front. Sign: -1 where the pivot block is negative definite (rows).
/// With M = Sign own = L1 D L1^T and Y = L1^-1 F^T: U -= Sign Y^T D^-1 Y, and L^T = Sign L1^-T D^-1 Y.
template <int Own, int Sign>
TACTUS_INLINE bool eliminate(const Front& front, int boundary_size) noexcept {
  double* own = front.own;
  const int width = front.width;
  double m[Own * Own];
  TACTUS_UNROLL
  for (int k = 0; k < Own; ++k) TACTUS_UNROLL
  for (int r = k; r < Own; ++r) m[k * Own + r] = Sign * own[k * Own + r];
  const double least_pivot = factorLdlt<Own>(m, Own);
  TACTUS_UNROLL
  for (int k = 0; k < Own; ++k) TACTUS_UNROLL
  for (int r = k; r < Own; ++r) own[k * Own + r] = m[k * Own + r];
  if (!(least_pivot > 0)) return false;
  for (int at = 0; at < width; at += 4) {
    Quad y[Own];
    for (int k = 0; k < Own; ++k) y[k] = load(front.coupling + k * width + at);
    TACTUS_UNROLL
    for (int k = 0; k < Own; ++k) TACTUS_UNROLL
    for (int i = k + 1; i < Own; ++i) y[i] -= m[k * Own + i] * y[k];
    for (int k = 0; k < Own; ++k) store(y[k], front.coupling + k * width + at);
  }
  for (int i = 0; i < boundary_size; ++i) {
    Quad l[Own];
    for (int k = 0; k < Own; ++k) l[k] = Quad(Sign * m[k * Own + k]) * spread(front.coupling + k * width + i);
    double* row = front.update + i * width;
    for (int at = i / 4 * 4; at < width; at += 4) {
      Quad sum = load(row + at);
      for (int k = 0; k < Own; ++k) sum -= l[k] * load(front.coupling + k * width + at);
      store(sum, row + at);
    }
  }
  for (int at = 0; at < width; at += 4) {
    Quad z[Own];
    for (int k = 0; k < Own; ++k) z[k] = Sign * m[k * Own + k] * load(front.coupling + k * width + at);
    TACTUS_UNROLL
    for (int k = Own - 1; k >= 0; --k) TACTUS_UNROLL
    for (int i = k + 1; i < Own; ++i) z[k] -= m[k * Own + i] * z[i];
    for (int k = 0; k < Own; ++k) store(z[k], front.coupling + k * width + at);
  }
  return true;
}

bool assembleJoint(const Plan& plan, const PlanBatch& batch, const PlanNode& node, const Model& model,
                   Workspace& ws) noexcept {
  const Front front(ws.fronts.data(), node);
  std::fill_n(front.own, node.frontDoubles(), 0.0);
  const int first_row = node.unknown - 6 * plan.bodies;
  const Joint& joint = model.joints[static_cast<std::size_t>(node.element)];
  if (joint.compliant()) {
    const Matrix6d& E = ws.compliance[static_cast<std::size_t>(joint.law_index)];
    for (int k = 0; k < node.size; ++k)
      for (int r = k; r < node.size; ++r) front.own[k * node.size + r] = -E(r, k);
  } else {
    for (int k = 0; k < node.size; ++k)
      front.own[k * node.size + k] = -ws.epsilon[static_cast<std::size_t>(first_row + k)];
  }
  for (int i = 0; i < node.block_count; ++i) {
    const PlanBlock& block = plan.blocks[static_cast<std::size_t>(node.first_block + i)];
    for (int row = 0; row < block.rows; ++row)
      for (int c = 0; c < 6; ++c)
        front.coupling[row * front.width + block.position - node.size + c] =
            ws.jacobian[static_cast<std::size_t>(block.first_row + row)].h[block.side][c];
  }
  gatherChildren(plan, batch, ws.fronts.data());
  return withOwn(node.size, [&]<int Own>() noexcept { return eliminate<Own, -1>(front, node.boundary_size); });
}

bool assembleHub(const Plan& plan, const PlanBatch& batch, const PlanNode& node, double scale, Workspace& ws) noexcept {
  const Front front(ws.fronts.data(), node);
  std::fill_n(front.own, node.frontDoubles(), 0.0);
  const auto body = static_cast<std::size_t>(node.element);
  const double inverse = 1.0 / scale;
  for (int k = 0; k < 3; ++k) {
    front.own[k * 6 + k] = ws.tangents[body].m_hat * inverse;
    for (int r = k; r < 3; ++r) front.own[(3 + k) * 6 + 3 + r] = ws.tangents[body].J_hat(r, k) * inverse;
  }
  for (int i = 0; i < node.block_count; ++i) {
    const PlanBlock& block = plan.blocks[static_cast<std::size_t>(node.first_block + i)];
    for (int row = 0; row < block.rows; ++row)
      for (int k = 0; k < 6; ++k)
        front.coupling[k * front.width + block.position - 6 + row] =
            ws.jacobian[static_cast<std::size_t>(block.first_row + row)].h[block.side][k];
  }
  gatherChildren(plan, batch, ws.fronts.data());
  return eliminate<6, 1>(front, node.boundary_size);
}

}  // namespace

bool assemble(const Plan& plan, double scale, const Model& model, Workspace& ws) noexcept {
  if (ws.unsymmetric) return assembleUnsymmetric(plan, scale, model, ws);
  bool positive = true;
  for (const PlanBatch& batch : plan.batches) {
    if (!batch.alone()) {
      positive = assembleBatch(plan, batch, scale, model, ws) && positive;
      continue;
    }
    const PlanNode& node = plan.nodes[static_cast<std::size_t>(batch.lanes[0])];
    switch (node.kind) {
      case NodeKind::kLeafBody: assembleLeaf(plan, node, ws); break;
      case NodeKind::kJoint: positive = assembleJoint(plan, batch, node, model, ws) && positive; break;
      case NodeKind::kHubBody: positive = assembleHub(plan, batch, node, scale, ws) && positive; break;
    }
  }
  return positive;
}

int countTinyPivots(const Model& model, const Plan& plan, const Workspace& ws, double threshold) {
  int count = 0;
  for (const PlanNode& node : plan.nodes) {
    if (node.kind != NodeKind::kJoint || model.joints[static_cast<std::size_t>(node.element)].compliant()) continue;
    const double* own = ws.fronts.data() + node.front;
    for (int k = 0; k < node.size; ++k) {
      const double compliance = ws.compliance_scale[static_cast<std::size_t>(node.unknown - 6 * plan.bodies + k)];
      const double pivot = 1.0 / own[(k * node.size + k) * node.stride];
      if (!(pivot > threshold * compliance)) ++count;
    }
  }
  return count;
}

}  // namespace tactus::rt
