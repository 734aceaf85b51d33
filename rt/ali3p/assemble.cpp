#include "rt/ali3p/assemble.h"

#include "rt/math/small_solve.h"

#include <algorithm>

namespace tactus::rt {

namespace {

/// U -= L F^T on the lower triangle, `own` unknowns eliminated; L stands transposed above the boundary's diagonal.
template <int Own>
void updateBoundary(double* front, int side) noexcept {
  for (int c = Own; c < side; ++c) {
    double* column = front + c * side;
    for (int k = 0; k < Own; ++k) {
      const double l = column[k];
      const double* f = front + k * side;
      for (int r = c; r < side; ++r) column[r] -= l * f[r];
    }
  }
}

/// Front of a body that goes before its joints: D^-1 = W, F_bk = H^T, so U = -H W H^T.
void assembleLeaf(const Plan& plan, const PlanNode& node, Workspace& ws) noexcept {
  const int side = node.side();
  double* front = ws.fronts.data() + node.front;
  const BodyTangent& t = ws.tangents[static_cast<std::size_t>(node.element)];
  for (int i = 0; i < node.block_count; ++i) {
    const PlanBlock& block = plan.blocks[static_cast<std::size_t>(node.first_block + i)];
    for (int row = 0; row < block.rows; ++row) {
      const double* h = ws.jacobian[static_cast<std::size_t>(block.first_row + row)].h[block.side];
      const int at = block.position + row;
      for (int k = 0; k < 6; ++k) front[k * side + at] = h[k];
      double* l = front + at * side;
      for (int k = 0; k < 3; ++k) l[k] = t.w_mass * h[k];
      for (int k = 0; k < 3; ++k) l[3 + k] = t.w_J(k, 0) * h[3] + t.w_J(k, 1) * h[4] + t.w_J(k, 2) * h[5];
      std::fill(l + at, l + side, 0.0);
    }
  }
  updateBoundary<6>(front, side);
}

/// Gathers the updates of a node's children into its front, children in fixed order.
void gatherChildren(const Plan& plan, const PlanNode& node, Workspace& ws) noexcept {
  double* front = ws.fronts.data() + node.front;
  const int side = node.side();
  for (int i = 0; i < node.child_count; ++i) {
    const PlanNode& child =
        plan.nodes[static_cast<std::size_t>(plan.children[static_cast<std::size_t>(node.first_child + i)])];
    const int* target = plan.targets.data() + child.first_target;
    const int child_side = child.side();
    for (int c = 0; c < child.boundary_size; ++c) {
      const double* from = ws.fronts.data() + child.front + (child.size + c) * child_side + child.size;
      double* to = front + target[c] * side;
      for (int r = c; r < child.boundary_size; ++r) to[target[r]] += from[r];
    }
  }
}

/// Eliminates the own unknowns of a gathered front. Sign: -1 where the pivot block is negative definite (rows).
template <int Own, int Sign>
bool eliminate(double* front, int side) noexcept {
  if constexpr (Sign < 0)
    for (int k = 0; k < Own; ++k)
      for (int r = k; r < Own; ++r) front[k * side + r] = -front[k * side + r];
  if (!factorLdlt<Own>(front, side)) return false;
  for (int at = Own; at < side; ++at) {
    double* l = front + at * side;
    for (int k = 0; k < Own; ++k) l[k] = Sign * front[k * side + at];
    solveLdlt<Own>(front, side, l);
  }
  updateBoundary<Own>(front, side);
  return true;
}

bool assembleJoint(const Plan& plan, const PlanNode& node, const Model& model, Workspace& ws) noexcept {
  const int side = node.side();
  double* front = ws.fronts.data() + node.front;
  std::fill_n(front, side * side, 0.0);
  const int first_row = node.unknown - 6 * plan.bodies;
  const Joint& joint = model.joints[static_cast<std::size_t>(node.element)];
  if (joint.compliant()) {
    const Matrix6d& E = ws.compliance[static_cast<std::size_t>(joint.law_index)];
    for (int k = 0; k < node.size; ++k)
      for (int r = k; r < node.size; ++r) front[k * side + r] = -E(r, k);
  } else {
    for (int k = 0; k < node.size; ++k) front[k * side + k] = -ws.epsilon[static_cast<std::size_t>(first_row + k)];
  }
  for (int i = 0; i < node.block_count; ++i) {
    const PlanBlock& block = plan.blocks[static_cast<std::size_t>(node.first_block + i)];
    for (int row = 0; row < block.rows; ++row)
      for (int c = 0; c < 6; ++c)
        front[row * side + block.position + c] =
            ws.jacobian[static_cast<std::size_t>(block.first_row + row)].h[block.side][c];
  }
  gatherChildren(plan, node, ws);
  switch (node.size) {
    case 1: return eliminate<1, -1>(front, side);
    case 2: return eliminate<2, -1>(front, side);
    case 3: return eliminate<3, -1>(front, side);
    case 4: return eliminate<4, -1>(front, side);
    case 5: return eliminate<5, -1>(front, side);
    case 6: return eliminate<6, -1>(front, side);
    default: return false;
  }
}

bool assembleHub(const Plan& plan, const PlanNode& node, double scale, Workspace& ws) noexcept {
  const int side = node.side();
  double* front = ws.fronts.data() + node.front;
  std::fill_n(front, side * side, 0.0);
  const auto body = static_cast<std::size_t>(node.element);
  const double inverse = 1.0 / scale;
  for (int k = 0; k < 3; ++k) {
    front[k * side + k] = ws.tangents[body].m_hat * inverse;
    for (int r = k; r < 3; ++r) front[(3 + k) * side + 3 + r] = ws.tangents[body].J_hat(r, k) * inverse;
  }
  for (int i = 0; i < node.block_count; ++i) {
    const PlanBlock& block = plan.blocks[static_cast<std::size_t>(node.first_block + i)];
    for (int row = 0; row < block.rows; ++row)
      for (int k = 0; k < 6; ++k)
        front[k * side + block.position + row] =
            ws.jacobian[static_cast<std::size_t>(block.first_row + row)].h[block.side][k];
  }
  gatherChildren(plan, node, ws);
  return eliminate<6, 1>(front, side);
}

}  // namespace

bool assemble(const Plan& plan, double scale, const Model& model, Workspace& ws) noexcept {
  bool positive = true;
  for (const PlanNode& node : plan.nodes) {
    switch (node.kind) {
      case NodeKind::kLeafBody: assembleLeaf(plan, node, ws); break;
      case NodeKind::kJoint: positive = assembleJoint(plan, node, model, ws) && positive; break;
      case NodeKind::kHubBody: positive = assembleHub(plan, node, scale, ws) && positive; break;
    }
  }
  return positive;
}

int countTinyPivots(const Model& model, const Plan& plan, const Workspace& ws, double threshold) {
  int count = 0;
  for (const PlanNode& node : plan.nodes) {
    if (node.kind != NodeKind::kJoint || model.joints[static_cast<std::size_t>(node.element)].compliant()) continue;
    const double* front = ws.fronts.data() + node.front;
    for (int k = 0; k < node.size; ++k) {
      const double compliance = ws.compliance_scale[static_cast<std::size_t>(node.unknown - 6 * plan.bodies + k)];
      const double pivot = 1.0 / front[k * node.side() + k];
      if (!(pivot > threshold * compliance)) ++count;
    }
  }
  return count;
}

}  // namespace tactus::rt
