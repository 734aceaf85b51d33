#include "rt/ali3p/tree/factor.h"

#include "rt/ali3p/tree/batch.h"
#include "rt/ali3p/tree/elimination.h"
#include "rt/ali3p/tree/freedoms.h"
#include "rt/ali3p/tree/front.h"
#include "rt/ali3p/tree/unsymmetric.h"
#include "rt/math/six.h"

#include <algorithm>

namespace tactus::rt {

namespace {

/// Front of a body that goes before its joints: D^-1 = W, so L^T = W H^T and U = -H W H^T, ali3p (18).
void factorLeaf(const Plan& plan, const PlanNode& node, const TreeRows& rows, const TreeTangent& tangent,
                TreeFronts& fronts) noexcept {
  const Front front(fronts.symmetric.data(), node);
  const BodyTangent& t = tangent.bodies[static_cast<std::size_t>(node.element)];
  const double* jacobian = rows.jacobian.front().h[0];
  const int* offsets = plan.row_offsets.data() + node.first_row_offset;
  const Quad mass(t.w_mass);
  for (int c = 0; c < front.width; c += 4) {
    const double* const sides[4] = {jacobian + offsets[c], jacobian + offsets[c + 1], jacobian + offsets[c + 2],
                                    jacobian + offsets[c + 3]};
    Quad h[6];
    gather(sides, h);
    for (int k = 0; k < 3; ++k) {
      front.setCoupling(k, c, mass * h[k]);
      front.setCoupling(3 + k, c, t.w_J(k, 0) * h[3] + t.w_J(k, 1) * h[4] + t.w_J(k, 2) * h[5]);
    }
  }
  for (int i = 0; i < front.boundary; ++i) {
    Quad h[6];
    for (int k = 0; k < 6; ++k) h[k] = spread(jacobian + offsets[i] + k);
    for (int c = Front::firstColumn(i); c < front.width; c += 4) {
      Quad sum(0.0);
      for (int k = 0; k < 6; ++k) sum -= h[k] * front.coupling(k, c);
      front.setUpdate(i, c, sum);
    }
  }
}

/// Front of a link, see PlanNode::link_body: factorJoint() with all sizes known, from where the children left their
/// updates. A function of its own: within factor() it would take registers from the other kinds.
[[gnu::noinline]] bool factorLink(const Plan& plan, const PlanNode& node, const Model& model,
                                  const TreeTangent& tangent, TreeFronts& fronts) noexcept {
  constexpr int kRows = 6, kWidth = 8;
  const auto nodeAt = [&plan](int index) -> const PlanNode& { return plan.nodes[static_cast<std::size_t>(index)]; };
  const Front front(fronts.symmetric.data(), node), body(fronts.symmetric.data(), nodeAt(node.link_body));
  constexpr int kBodyWidth = 2 * kRows;
  // Minus the own block, a column after the other; what lies above the diagonal has no meaning.
  alignas(32) double m[kRows * kRows] = {};
  forEachCompliance<false>(model, node, tangent,
                           [&](int k, int r, double compliance) noexcept { m[k * kRows + r] = compliance; });
  const auto subtract = [&m](const double* update, int width) noexcept {
    TACTUS_UNROLL
    for (int k = 0; k < kRows; ++k) {
      Six column = Six::load(m + k * kRows);
      column -= Six::load(update + k * width);
      column.store(m + k * kRows);
    }
  };
  subtract(body.update_block, kBodyWidth);
  if (node.link_joint >= 0) subtract(Front(fronts.symmetric.data(), nodeAt(node.link_joint)).update_block, kWidth);
  const double min_pivot = factorLdlt<kRows>(m, kRows);
  const auto at = [&m](int k, int r) noexcept { return m[k * kRows + r]; };
  // The coupling and the update of the body: in its rows, behind those of this joint.
  const auto fromBody = [&body](int row, int c) noexcept {
    const double* from = body.update_block + row * kBodyWidth + kRows + c;
    return c == 0 ? load(from) : Quad(_mm256_zextpd128_pd256(_mm_loadu_pd(from)));
  };
  alignas(32) double Y[kRows * kWidth];
  for (int c = 0; c < kWidth; c += 4) {
    Quad y[kRows];
    for (int k = 0; k < kRows; ++k) y[k] = fromBody(k, c);
    substituteLower<kRows>(at, y);
    for (int k = 0; k < kRows; ++k) store(y[k], Y + k * kWidth + c);
  }
  // U and L^T of ali3p (17)
  TACTUS_UNROLL
  for (int i = 0; i < kRows; ++i) {
    Quad l[kRows];
    for (int k = 0; k < kRows; ++k) l[k] = -m[k * kRows + k] * spread(Y + k * kWidth + i);
    TACTUS_UNROLL
    for (int c = Front::firstColumn(i); c < kWidth; c += 4) {
      Quad sum = fromBody(kRows + i, c);
      for (int k = 0; k < kRows; ++k) sum -= l[k] * load(Y + k * kWidth + c);
      store(sum, front.update_block + i * kWidth + c);
    }
  }
  for (int c = 0; c < kWidth; c += 4) {
    Quad z[kRows];
    for (int k = 0; k < kRows; ++k) z[k] = -m[k * kRows + k] * load(Y + k * kWidth + c);
    substituteUpper<kRows>(at, z);
    for (int k = 0; k < kRows; ++k) store(z[k], front.coupling_block + k * kWidth + c);
  }
  std::copy_n(m, kRows * kRows, front.own_block);
  return min_pivot > 0;
}

bool factorJoint(const Plan& plan, const PlanBatch& batch, const PlanNode& node, const Model& model,
                 const TreeRows& rows, const TreeTangent& tangent, TreeFronts& fronts) noexcept {
  if (node.link_body >= 0) return factorLink(plan, node, model, tangent, fronts);
  const Front front(fronts.symmetric.data(), node);
  std::fill_n(front.own_block, node.frontDoubles(), 0.0);
  forEachCompliance<false>(model, node, tangent,
                           [&](int k, int r, double compliance) noexcept { front.setOwn(k, r, -compliance); });
  for (int i = 0; i < node.block_count; ++i) {
    const PlanBlock& block = plan.blocks[static_cast<std::size_t>(node.first_block + i)];
    for (int row = 0; row < block.rows; ++row)
      for (int c = 0; c < 6; ++c)
        front.coupling_block[row * front.width + block.position - node.size + c] =
            rows.jacobian[static_cast<std::size_t>(block.first_row + row * block.step)].h[block.side][c];
  }
  gatherChildren(plan, batch, fronts.symmetric.data());
  return withOwn(node.size, [&]<int Own>() noexcept { return eliminate<Own, -1>(front) > 0; });
}

bool factorHub(const Plan& plan, const PlanBatch& batch, const PlanNode& node, double scale, const TreeRows& rows,
               const TreeTangent& tangent, TreeFronts& fronts) noexcept {
  const Front front(fronts.symmetric.data(), node);
  std::fill_n(front.own_block, node.frontDoubles(), 0.0);
  const BodyTangent& t = tangent.bodies[static_cast<std::size_t>(node.element)];
  const double inverse = 1.0 / scale;
  for (int k = 0; k < 3; ++k) {
    front.setOwn(k, k, t.m_hat * inverse);
    for (int r = k; r < 3; ++r) front.setOwn(3 + k, 3 + r, t.J_hat(r, k) * inverse);
  }
  for (int i = 0; i < node.block_count; ++i) {
    const PlanBlock& block = plan.blocks[static_cast<std::size_t>(node.first_block + i)];
    for (int row = 0; row < block.rows; ++row)
      for (int k = 0; k < 6; ++k)
        front.coupling_block[k * front.width + block.position - 6 + row] =
            rows.jacobian[static_cast<std::size_t>(block.first_row + row * block.step)].h[block.side][k];
  }
  gatherChildren(plan, batch, fronts.symmetric.data());
  return eliminate<6, 1>(front) > 0;
}

}  // namespace

bool factor(const Plan& plan, double scale, const Model& model, const TreeRows& rows, const TreeTangent& tangent,
            TreeFronts& fronts) noexcept {
  if (tangent.unsymmetric) return factorUnsymmetric(plan, scale, model, rows, tangent, fronts);
  bool positive = true;
  for (const PlanBatch& batch : plan.batches) {
    if (plan.nodes[static_cast<std::size_t>(batch.lanes[0])].kind == NodeKind::kFreedomBody) {
      positive = factorFreedoms(plan, batch, scale, model, rows, tangent, fronts) && positive;
      continue;
    }
    if (!batch.alone()) {
      positive = factorBatch(plan, batch, scale, model, rows, tangent, fronts) && positive;
      continue;
    }
    const PlanNode& node = plan.nodes[static_cast<std::size_t>(batch.lanes[0])];
    switch (node.kind) {
      case NodeKind::kLeafBody: factorLeaf(plan, node, rows, tangent, fronts); break;
      case NodeKind::kJoint: positive = factorJoint(plan, batch, node, model, rows, tangent, fronts) && positive; break;
      case NodeKind::kFreedomBody: break;
      case NodeKind::kHubBody: positive = factorHub(plan, batch, node, scale, rows, tangent, fronts) && positive; break;
    }
  }
  return positive;
}

int countTinyPivots(const Model& model, const Plan& plan, const TreeTangent& tangent, const TreeFronts& fronts,
                    double threshold) {
  int count = 0;
  for (const PlanNode& node : plan.nodes) {
    if (node.kind != NodeKind::kJoint || model.joints[static_cast<std::size_t>(node.element)].compliant()) continue;
    const double* own = fronts.symmetric.data() + node.front;
    for (int k = 0; k < node.size; ++k) {
      const double compliance = tangent.compliance_scale[static_cast<std::size_t>(node.unknown - 6 * plan.bodies + k)];
      const double pivot = 1.0 / own[(k * node.size + k) * node.stride];
      if (!(pivot > threshold * compliance)) ++count;
    }
  }
  return count;
}

}  // namespace tactus::rt
