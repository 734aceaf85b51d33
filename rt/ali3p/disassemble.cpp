#include "rt/ali3p/disassemble.h"

#include "rt/math/small_solve.h"

#include <algorithm>

namespace tactus::rt {

namespace {

/// Boundary unknowns -= L w.
template <int Own>
void passUp(const PlanNode& node, const double* front, const int* boundary, double* unknowns) noexcept {
  const int side = node.side();
  const double* w = unknowns + node.unknown;
  for (int r = 0; r < node.boundary_size; ++r) {
    const double* l = front + (Own + r) * side;
    double sum = 0;
    for (int k = 0; k < Own; ++k) sum += l[k] * w[k];
    unknowns[boundary[r]] -= sum;
  }
}

/// w -= L^T boundary unknowns.
template <int Own>
void passDown(const PlanNode& node, const double* front, const int* boundary, double* unknowns) noexcept {
  const int side = node.side();
  double* w = unknowns + node.unknown;
  for (int r = 0; r < node.boundary_size; ++r) {
    const double* l = front + (Own + r) * side;
    const double x = unknowns[boundary[r]];
    for (int k = 0; k < Own; ++k) w[k] -= l[k] * x;
  }
}

/// w = D^-1 w - L^T boundary, with a pivot block of the given sign.
template <int Own, int Sign>
void substituteBack(const PlanNode& node, const double* front, const int* boundary, double* unknowns) noexcept {
  double* w = unknowns + node.unknown;
  solveLdlt<Own>(front, node.side(), w);
  if constexpr (Sign < 0)
    for (int k = 0; k < Own; ++k) w[k] = -w[k];
  passDown<Own>(node, front, boundary, unknowns);
}

/// The same for a leaf body, whose D^-1 is W.
void substituteLeaf(const PlanNode& node, const BodyTangent& t, const double* front, const int* boundary,
                    double* unknowns) noexcept {
  double* w = unknowns + node.unknown;
  for (int k = 0; k < 3; ++k) w[k] *= t.w_mass;
  const Vector3d rotation = t.w_J * Vector3d(w[3], w[4], w[5]);
  for (int k = 0; k < 3; ++k) w[3 + k] = rotation[k];
  passDown<6>(node, front, boundary, unknowns);
}

}  // namespace

void solve(const Plan& plan, RightSide right_side, Workspace& ws) noexcept {
  double* x = ws.unknowns.data();
  if (right_side == RightSide::kRowsOnly) std::fill_n(x, 6 * plan.bodies, 0.0);

  for (const PlanNode& node : plan.nodes) {
    const double* front = ws.fronts.data() + node.front;
    const int* boundary = plan.boundary_unknowns.data() + node.first_boundary;
    if (node.kind != NodeKind::kJoint) {
      if (node.kind == NodeKind::kHubBody || right_side == RightSide::kBodiesAndRows)
        passUp<6>(node, front, boundary, x);
      continue;
    }
    switch (node.size) {
      case 1: passUp<1>(node, front, boundary, x); break;
      case 2: passUp<2>(node, front, boundary, x); break;
      case 3: passUp<3>(node, front, boundary, x); break;
      case 4: passUp<4>(node, front, boundary, x); break;
      case 5: passUp<5>(node, front, boundary, x); break;
      default: passUp<6>(node, front, boundary, x); break;
    }
  }

  for (auto it = plan.nodes.rbegin(); it != plan.nodes.rend(); ++it) {
    const PlanNode& node = *it;
    const double* front = ws.fronts.data() + node.front;
    const int* boundary = plan.boundary_unknowns.data() + node.first_boundary;
    if (node.kind == NodeKind::kLeafBody) {
      substituteLeaf(node, ws.tangents[static_cast<std::size_t>(node.element)], front, boundary, x);
      continue;
    }
    if (node.kind == NodeKind::kHubBody) {
      substituteBack<6, 1>(node, front, boundary, x);
      continue;
    }
    switch (node.size) {
      case 1: substituteBack<1, -1>(node, front, boundary, x); break;
      case 2: substituteBack<2, -1>(node, front, boundary, x); break;
      case 3: substituteBack<3, -1>(node, front, boundary, x); break;
      case 4: substituteBack<4, -1>(node, front, boundary, x); break;
      case 5: substituteBack<5, -1>(node, front, boundary, x); break;
      default: substituteBack<6, -1>(node, front, boundary, x); break;
    }
  }
}

}  // namespace tactus::rt
