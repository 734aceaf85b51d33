#include "rt/ali3p/disassemble.h"

#include "rt/ali3p/front.h"
#include "rt/math/small_solve.h"

#include <algorithm>

namespace tactus::rt {

namespace {

/// The sweeps over all nodes, with scratch for one boundary.
class Sweep {
 public:
  Sweep(const Plan& plan, Workspace& ws) noexcept
      : plan_(plan), ws_(ws), unknowns_(ws.unknowns.data()), x_(ws.boundary.data()) {}

  /// Boundary unknowns -= L w.
  template <int Own>
  void passUp(const PlanNode& node) noexcept {
    const Front front(ws_.fronts.data(), node);
    const double* w = unknowns_ + node.unknown;
    for (int at = 0; at < front.width; at += 4) {
      Quad sum = Quad::zero();
      for (int k = 0; k < Own; ++k) sum.v += w[k] * Quad::load(front.coupling + k * front.width + at).v;
      sum.store(x_ + at);
    }
    const int* boundary = plan_.boundary_unknowns.data() + node.first_boundary;
    for (int r = 0; r < node.boundary_size; ++r) unknowns_[boundary[r]] -= x_[r];
  }

  /// w = D^-1 w - L^T boundary, with a pivot block of the given sign.
  template <int Own, int Sign>
  void substituteBack(const PlanNode& node) noexcept {
    double* w = unknowns_ + node.unknown;
    solveLdlt<Own>(ws_.fronts.data() + node.front, Own, w);
    if constexpr (Sign < 0)
      for (int k = 0; k < Own; ++k) w[k] = -w[k];
    passDown<Own>(node);
  }

  /// The same for a leaf body, whose D^-1 is W.
  void substituteLeaf(const PlanNode& node) noexcept {
    const BodyTangent& t = ws_.tangents[static_cast<std::size_t>(node.element)];
    double* w = unknowns_ + node.unknown;
    for (int k = 0; k < 3; ++k) w[k] *= t.w_mass;
    const Vector3d rotation = t.w_J * Vector3d(w[3], w[4], w[5]);
    for (int k = 0; k < 3; ++k) w[3 + k] = rotation[k];
    passDown<6>(node);
  }

 private:
  /// w -= L^T boundary unknowns.
  template <int Own>
  void passDown(const PlanNode& node) noexcept {
    const Front front(ws_.fronts.data(), node);
    const int* boundary = plan_.boundary_unknowns.data() + node.first_boundary;
    for (int r = 0; r < node.boundary_size; ++r) x_[r] = unknowns_[boundary[r]];
    for (int r = node.boundary_size; r < front.width; ++r) x_[r] = 0;
    Quad sum[Own];
    for (Quad& s : sum) s = Quad::zero();
    for (int at = 0; at < front.width; at += 4) {
      const Quad x = Quad::load(x_ + at);
      for (int k = 0; k < Own; ++k) sum[k].v += x.v * Quad::load(front.coupling + k * front.width + at).v;
    }
    double* w = unknowns_ + node.unknown;
    for (int k = 0; k < Own; ++k) w[k] -= sum[k].sum();
  }

  const Plan& plan_;
  Workspace& ws_;
  double* unknowns_;
  double* x_;
};

}  // namespace

void solve(const Plan& plan, RightSide right_side, Workspace& ws) noexcept {
  if (right_side == RightSide::kRowsOnly) std::fill_n(ws.unknowns.data(), 6 * plan.bodies, 0.0);
  Sweep sweep(plan, ws);

  for (const PlanNode& node : plan.nodes) {
    if (node.kind != NodeKind::kJoint) {
      if (node.kind == NodeKind::kHubBody || right_side == RightSide::kBodiesAndRows) sweep.passUp<6>(node);
      continue;
    }
    switch (node.size) {
      case 1: sweep.passUp<1>(node); break;
      case 2: sweep.passUp<2>(node); break;
      case 3: sweep.passUp<3>(node); break;
      case 4: sweep.passUp<4>(node); break;
      case 5: sweep.passUp<5>(node); break;
      default: sweep.passUp<6>(node); break;
    }
  }

  for (auto it = plan.nodes.rbegin(); it != plan.nodes.rend(); ++it) {
    const PlanNode& node = *it;
    if (node.kind == NodeKind::kLeafBody) {
      sweep.substituteLeaf(node);
      continue;
    }
    if (node.kind == NodeKind::kHubBody) {
      sweep.substituteBack<6, 1>(node);
      continue;
    }
    switch (node.size) {
      case 1: sweep.substituteBack<1, -1>(node); break;
      case 2: sweep.substituteBack<2, -1>(node); break;
      case 3: sweep.substituteBack<3, -1>(node); break;
      case 4: sweep.substituteBack<4, -1>(node); break;
      case 5: sweep.substituteBack<5, -1>(node); break;
      default: sweep.substituteBack<6, -1>(node); break;
    }
  }
}

}  // namespace tactus::rt
