#include "rt/ali3p/unsymmetric.h"

#include <algorithm>

namespace tactus::rt {

namespace {

void addBody(const BodyTangent& t, double scale, const SquareFront& front) noexcept {
  const double inverse = 1.0 / scale;
  for (int k = 0; k < 3; ++k) {
    front.at(k, k) = t.m_hat * inverse;
    for (int c = 0; c < 3; ++c) front.at(3 + k, 3 + c) = t.turning(k, c) * inverse;
  }
}

void addCompliance(const Joint& joint, int first_row, const Workspace& ws, const SquareFront& front) noexcept {
  for (int k = 0; k < front.size; ++k) {
    if (!joint.compliant()) {
      front.at(k, k) = -ws.epsilon[static_cast<std::size_t>(first_row + k)];
      continue;
    }
    for (int c = 0; c < front.size; ++c)
      front.at(k, c) = -ws.compliance[static_cast<std::size_t>(joint.law_index)](k, c);
  }
}

/// H and H^T between the own unknowns and the boundary.
void addJacobian(const Plan& plan, const PlanNode& node, const Workspace& ws, const SquareFront& front) noexcept {
  const bool body = node.kind != NodeKind::kJoint;
  for (int i = 0; i < node.block_count; ++i) {
    const PlanBlock& block = plan.blocks[static_cast<std::size_t>(node.first_block + i)];
    for (int row = 0; row < block.rows; ++row) {
      const double* h = ws.jacobian[static_cast<std::size_t>(block.first_row + row)].h[block.side];
      for (int k = 0; k < 6; ++k) {
        const int own = body ? k : row, other = block.position + (body ? row : k);
        front.at(own, other) = front.at(other, own) = h[k];
      }
    }
  }
}

/// Adds the updates of the children, in fixed order.
void gatherChildren(const Plan& plan, const PlanNode& node, Workspace& ws, const SquareFront& front) noexcept {
  for (int i = 0; i < node.child_count; ++i) {
    const PlanNode& child =
        plan.nodes[static_cast<std::size_t>(plan.children[static_cast<std::size_t>(node.first_child + i)])];
    const SquareFront from(ws, child);
    const int* target = plan.targets.data() + child.first_target;
    for (int r = 0; r < child.boundary_size; ++r) {
      const double* row = from.row(child.size + r) + child.size;
      double* to = front.row(target[r]);
      for (int c = 0; c < child.boundary_size; ++c) to[target[c]] += row[c];
    }
  }
}

/// Eliminates the own unknowns, whose pivots have the given sign.
bool eliminate(const SquareFront& front, double sign) noexcept {
  bool positive = true;
  for (int k = 0; k < front.size; ++k) {
    const double* pivot_row = front.row(k);
    positive = sign * pivot_row[k] > 0 && positive;
    const double inverse = 1.0 / pivot_row[k];
    for (int i = k + 1; i < front.side; ++i) {
      double* row = front.row(i);
      const double l = row[k] * inverse;
      for (int c = k + 1; c < front.side; ++c) row[c] -= l * pivot_row[c];
      row[k] = l;
    }
    front.at(k, k) = inverse;
  }
  return positive;
}

}  // namespace

bool assembleUnsymmetric(const Plan& plan, double scale, const Model& model, Workspace& ws) noexcept {
  bool positive = true;
  for (const PlanNode& node : plan.nodes) {
    const SquareFront front(ws, node);
    std::fill_n(front.numbers, node.squareDoubles(), 0.0);
    const auto element = static_cast<std::size_t>(node.element);
    if (node.kind == NodeKind::kJoint)
      addCompliance(model.joints[element], node.unknown - 6 * plan.bodies, ws, front);
    else
      addBody(ws.tangents[element], scale, front);
    addJacobian(plan, node, ws, front);
    gatherChildren(plan, node, ws, front);
    positive = eliminate(front, node.kind == NodeKind::kJoint ? -1.0 : 1.0) && positive;
  }
  return positive;
}

}  // namespace tactus::rt
