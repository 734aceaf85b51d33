#include "rt/ali3p/tree/factor.h"

#include "rt/ali3p/tree/batch.h"
#include "rt/ali3p/tree/elimination.h"
#include "rt/ali3p/tree/freedoms.h"
#include "rt/ali3p/tree/front.h"
#include "rt/ali3p/tree/links.h"
#include "rt/ali3p/tree/lone_freedoms.h"
#include "rt/ali3p/tree/node_compliance.h"
#include "rt/ali3p/tree/unsymmetric.h"
#include "rt/model/model.h"

#include <algorithm>

namespace tactus::rt {

namespace {

/// Front of a body that goes before its joints: D^-1 = W, so L^T = W H^T and U = -H W H^T, ali3p (18).
void factorLeaf(const Plan& plan, const PlanNode& node, const TreeRows& rows, const TreeTangent& tangent,
                TreeFronts& fronts) noexcept {
  if (node.link > 0) return factorLinkBody(plan, node, rows, tangent, fronts);
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
    Quad l[6];
    for (int k = 0; k < 3; ++k) {
      l[k] = mass * h[k];
      l[3 + k] = t.w_J(k, 0) * h[3] + t.w_J(k, 1) * h[4] + t.w_J(k, 2) * h[5];
    }
    for (int k = 0; k < 6; ++k) front.setCoupling(k, c, l[k]);
    front.setBack(c, l);
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

bool factorJoint(const Plan& plan, const PlanBatch& batch, const PlanNode& node, const Model& model,
                 const TreeRows& rows, const TreeTangent& tangent, TreeFronts& fronts) noexcept {
  if (node.link > 0) return factorLink(plan, node, model, tangent, fronts);
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
  return withFixedSize(node.size, [&]<int Own>() noexcept { return eliminate<Own, -1>(front) > 0; });
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

bool factorPart(const Plan& plan, const PlanPart& part, double scale, const Model& model, const TreeRows& rows,
                const TreeTangent& tangent, TreeFronts& fronts) noexcept {
  bool positive = true;
  setLoneMasses(plan, part, scale, tangent, fronts);
  const LoneFreedoms* lone = plan.lone.data() + part.first_lone;
  const PlanBatch* const first = plan.batches.data() + part.first_batch;
  for (const PlanBatch* at = first; at != first + part.batch_count; ++at) {
    const PlanBatch& batch = *at;
    const PlanNode& node = plan.nodes[static_cast<std::size_t>(batch.lanes[0])];
    if (node.isLone()) {
      positive = factorLone(plan, *lone++, rows, fronts) && positive;
      continue;
    }
    if (node.kind == NodeKind::kFreedomBody) {
      positive = factorFreedoms(plan, batch, scale, rows, tangent, fronts) && positive;
      continue;
    }
    if (!batch.alone()) {
      positive = factorBatch(plan, batch, scale, model, rows, tangent, fronts) && positive;
      continue;
    }
    switch (node.kind) {
      case NodeKind::kLeafBody: factorLeaf(plan, node, rows, tangent, fronts); break;
      case NodeKind::kJoint: positive = factorJoint(plan, batch, node, model, rows, tangent, fronts) && positive; break;
      case NodeKind::kFreedomBody: break;
      case NodeKind::kHubBody: positive = factorHub(plan, batch, node, scale, rows, tangent, fronts) && positive; break;
    }
  }
  return positive;
}

bool factor(const Plan& plan, double scale, const Model& model, const TreeRows& rows, const TreeTangent& tangent,
            TreeFronts& fronts) noexcept {
  if (tangent.unsymmetric) return factorUnsymmetric(plan, scale, model, rows, tangent, fronts);
  bool positive = true;
  for (const PlanPart& part : plan.parts)
    positive = factorPart(plan, part, scale, model, rows, tangent, fronts) && positive;
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
