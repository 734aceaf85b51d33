#include "rt/ali3p/tree/unsymmetric.h"

#include "rt/ali3p/tree/freedoms.h"
#include "rt/ali3p/tree/front.h"
#include "rt/ali3p/tree/node_compliance.h"
#include "rt/math/small_solve.h"

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

/// H and H^T between the own unknowns and the boundary.
void addJacobian(const Plan& plan, const PlanNode& node, const TreeRows& rows, const SquareFront& front) noexcept {
  const bool body = node.kind != NodeKind::kJoint;
  for (int i = 0; i < node.block_count; ++i) {
    const PlanBlock& block = plan.blocks[static_cast<std::size_t>(node.first_block + i)];
    for (int row = 0; row < block.rows; ++row) {
      const double* h = rows.jacobian[static_cast<std::size_t>(block.first_row + row * block.step)].h[block.side];
      for (int k = 0; k < 6; ++k) {
        const int own = body ? k : row, other = block.position + (body ? row : k);
        front.at(own, other) = front.at(other, own) = h[k];
      }
    }
  }
}

/// Adds the updates of the children, in fixed order.
void gatherChildren(const Plan& plan, const PlanNode& node, TreeFronts& fronts, const SquareFront& front) noexcept {
  for (int i = 0; i < node.child_count; ++i) {
    const PlanNode& child =
        plan.nodes[static_cast<std::size_t>(plan.children[static_cast<std::size_t>(node.first_child + i)])];
    const SquareFront from(fronts, child);
    const int* target = plan.targets.data() + child.first_target;
    for (int r = 0; r < child.boundary_size; ++r) {
      const double* row = from.row(child.size + r) + child.size;
      double* to = front.row(target[r]);
      for (int c = 0; c < child.boundary_size; ++c) to[target[c]] += row[c];
    }
  }
}

/// LU of the own block in place, inverse pivots on the diagonal.
/// @returns false if a pivot does not have the given sign
template <int Own>
TACTUS_INLINE bool factorOwn(double (&m)[Own][Own], double sign) noexcept {
  bool positive = true;
  TACTUS_UNROLL
  for (int k = 0; k < Own; ++k) {
    positive = sign * m[k][k] > 0 && positive;
    m[k][k] = 1.0 / m[k][k];
    TACTUS_UNROLL
    for (int i = k + 1; i < Own; ++i) {
      m[i][k] *= m[k][k];
      TACTUS_UNROLL
      for (int c = k + 1; c < Own; ++c) m[i][c] -= m[i][k] * m[k][c];
    }
  }
  return positive;
}

/// Eliminates the own unknowns, whose pivots have the given sign.
template <int Own>
TACTUS_INLINE bool eliminate(const SquareFront& front, double sign) noexcept {
  double m[Own][Own];
  for (int k = 0; k < Own; ++k)
    for (int c = 0; c < Own; ++c) m[k][c] = front.at(k, c);
  const bool positive = factorOwn(m, sign);
  for (int k = 0; k < Own; ++k)
    for (int c = 0; c < Own; ++c) front.at(k, c) = m[k][c];
  // The own rows over the boundary, times L^-1.
  for (int at = Own; at < front.width; at += 4) {
    Quad y[Own];
    for (int k = 0; k < Own; ++k) y[k] = load(front.row(k) + at);
    TACTUS_UNROLL
    for (int k = 0; k < Own; ++k) TACTUS_UNROLL
    for (int i = k + 1; i < Own; ++i) y[i] -= m[i][k] * y[k];
    for (int k = 0; k < Own; ++k) store(y[k], front.row(k) + at);
  }
  // Each row of the boundary: times U^-1, and its update, ali3p (17).
  for (int r = Own; r < front.side; ++r) {
    double* row = front.row(r);
    double l[Own];
    TACTUS_UNROLL
    for (int k = 0; k < Own; ++k) {
      l[k] = row[k];
      TACTUS_UNROLL
      for (int j = 0; j < k; ++j) l[k] -= l[j] * m[j][k];
      l[k] *= m[k][k];
      row[k] = l[k];
    }
    for (int at = Own; at < front.width; at += 4) {
      Quad rest = load(row + at);
      for (int k = 0; k < Own; ++k) rest -= l[k] * load(front.row(k) + at);
      store(rest, row + at);
    }
  }
  return positive;
}

/// Own unknowns times L^-1, taken out of those of the boundary.
template <int Own>
TACTUS_INLINE void forward(const SquareFront& front, const int* boundary, double* own, double* unknowns) noexcept {
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

/// Own unknowns from U, from those of the boundary.
template <int Own>
TACTUS_INLINE void back(const SquareFront& front, const int* boundary, double* own, const double* unknowns) noexcept {
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

const int* boundaryOf(const Plan& plan, const PlanNode& node) noexcept {
  return plan.boundary_unknowns.data() + node.first_boundary;
}

}  // namespace

bool factorUnsymmetric(const Plan& plan, double scale, const Model& model, const TreeRows& rows,
                       const TreeTangent& tangent, TreeFronts& fronts) noexcept {
  bool positive = true;
  for (const PlanNode& node : plan.nodes) {
    const SquareFront front(fronts, node);
    std::fill_n(front.numbers, node.squareDoubles(), 0.0);
    if (node.kind == NodeKind::kJoint)
      forEachCompliance<true>(model, node, tangent,
                              [&](int k, int r, double compliance) noexcept { front.at(r, k) = -compliance; });
    else
      addBody(tangent.bodies[static_cast<std::size_t>(node.element)], scale, front);
    addJacobian(plan, node, rows, front);
    gatherChildren(plan, node, fronts, front);
    if (node.kind == NodeKind::kFreedomBody) {
      positive = factorFreedomsUnsymmetric(node, rows, fronts) && positive;
      continue;
    }
    const double sign = node.kind == NodeKind::kJoint ? -1.0 : 1.0;
    positive = withFixedSize(node.size, [&]<int Own>() noexcept { return eliminate<Own>(front, sign); }) && positive;
  }
  return positive;
}

void forwardUnsymmetric(const Plan& plan, const TreeFronts& fronts, TreeUnknowns& unknowns) noexcept {
  double* values = unknowns.values.data();
  for (const PlanNode& node : plan.nodes) {
    if (node.kind == NodeKind::kFreedomBody) {
      forwardFreedomsUnsymmetric(plan, node, fronts, values);
      continue;
    }
    withFixedSize(node.size, [&]<int Own>() noexcept {
      forward<Own>(SquareFront(fronts, node), boundaryOf(plan, node), values + node.unknown, values);
    });
  }
}

void backUnsymmetric(const Plan& plan, const TreeFronts& fronts, TreeUnknowns& unknowns) noexcept {
  double* values = unknowns.values.data();
  for (auto node = plan.nodes.rbegin(); node != plan.nodes.rend(); ++node) {
    if (node->kind == NodeKind::kFreedomBody) {
      backFreedomsUnsymmetric(plan, *node, fronts, values);
      continue;
    }
    withFixedSize(node->size, [&]<int Own>() noexcept {
      back<Own>(SquareFront(fronts, *node), boundaryOf(plan, *node), values + node->unknown, values);
    });
  }
}

}  // namespace tactus::rt
