#include "rt/ali3p/tree/solve.h"

#include "rt/ali3p/tree/batch.h"
#include "rt/ali3p/tree/freedoms.h"
#include "rt/ali3p/tree/front.h"
#include "rt/ali3p/tree/links.h"
#include "rt/ali3p/tree/lone_freedoms.h"
#include "rt/ali3p/tree/unsymmetric.h"
#include "rt/math/small_solve.h"

#include <algorithm>

namespace tactus::rt {

namespace {

/// The fronts are read only here; Front is shared with the factorization, which writes.
Front frontOf(const TreeFronts& fronts, const PlanNode& node) noexcept {
  return {const_cast<double*>(fronts.symmetric.data()), node};
}

/// The substitutions of nodes that stand alone.
class Substitution {
 public:
  Substitution(const Plan& plan, const TreeTangent& tangent, const TreeFronts& fronts, double* permuted) noexcept
      : plan_(plan), tangent_(tangent), fronts_(fronts), permuted_(permuted) {}

  /// Boundary unknowns -= L w, ali3p (19).
  template <int Own>
  TACTUS_INLINE void forward(const PlanBatch& batch, const PlanNode& node) noexcept {
    const Front front = frontOf(fronts_, node);
    Quad w[Own];
    for (int k = 0; k < Own; ++k) w[k] = spread(permuted_ + batch.offset + k);
    const BoundaryOffsets* boundary = plan_.boundary_offsets.data() + batch.first_boundary;
    forEachQuad(front, [&](int c) noexcept {
      // Two sums, which do not wait for each other.
      Quad sum[2] = {w[0] * front.coupling(0, c), Quad(0.0)};
      if constexpr (Own > 1) sum[1] = w[1] * front.coupling(1, c);
      for (int k = 2; k < Own; ++k) sum[k % 2] += w[k] * front.coupling(k, c);
      subtract(*boundary++, sum[0] + sum[1]);
    });
  }

  /// w = D^-1 w - L^T boundary, with a pivot block of the given sign, ali3p (20).
  template <int Own, int Sign>
  TACTUS_INLINE void back(const PlanBatch& batch, const PlanNode& node) noexcept {
    double w[Own];
    for (int k = 0; k < Own; ++k) w[k] = permuted_[batch.offset + k];
    solveLdlt<Own>(fronts_.symmetric.data() + node.front, Own, w);
    if constexpr (Sign < 0)
      for (int k = 0; k < Own; ++k) w[k] = -w[k];
    if constexpr (PlanNode::backWidth(Own) > 0)
      subtractBoundary(batch, node, w);
    else
      subtractBoundaryOfFew(batch, node, w);
  }

  /// back() of a leaf body, whose D^-1 is W.
  TACTUS_INLINE void backLeaf(const PlanBatch& batch, const PlanNode& node) noexcept {
    const BodyTangent& t = tangent_.bodies[static_cast<std::size_t>(node.element)];
    const double* from = permuted_ + batch.offset;
    const Vector3d rotation = t.w_J * Vector3d(from[3], from[4], from[5]);
    const double w[6] = {t.w_mass * from[0], t.w_mass * from[1], t.w_mass * from[2],
                         rotation[0],        rotation[1],        rotation[2]};
    subtractBoundary(batch, node, w);
  }

 private:
  /// Calls f(column) for each four boundary unknowns; the common widths are unrolled.
  template <class F>
  TACTUS_INLINE static void forEachQuad(const Front& front, F&& f) noexcept {
    if (front.width == 0) return;
    f(0);
    if (front.width == 4) return;
    f(4);
    for (int c = 8; c < front.width; c += 4) f(c);
  }

  TACTUS_INLINE void subtract(const BoundaryOffsets& at, const Quad& values) noexcept {
    const auto& offset = at.offset;
    double* x = permuted_;
    switch (at.kind) {
      case BoundaryOffsets::Kind::kBeside: store(load(x + offset[0]) - values, x + offset[0]); break;
      case BoundaryOffsets::Kind::kPairs:
        storePairs(loadPairs(x + offset[0], x + offset[2]) - values, x + offset[0], x + offset[2]);
        break;
      default:
        for (int k = 0; k < at.count; ++k) x[offset[static_cast<std::size_t>(k)]] -= values[k];
        break;
    }
  }

  TACTUS_INLINE Quad valuesAt(const BoundaryOffsets& at) const noexcept {
    const auto& offset = at.offset;
    const double* x = permuted_;
    switch (at.kind) {
      case BoundaryOffsets::Kind::kBeside: return load(x + offset[0]);
      case BoundaryOffsets::Kind::kPairs: return loadPairs(x + offset[0], x + offset[2]);
      default: return Quad(Quad::Vector{x[offset[0]], x[offset[1]], x[offset[2]], x[offset[3]]});
    }
  }

  /// Own unknowns = w - L^T boundary unknowns, four own unknowns at a time: the next node waits for them, and sums
  /// across a vector would take longer than all products.
  template <int Own>
  TACTUS_INLINE void subtractBoundary(const PlanBatch& batch, const PlanNode& node, const double (&w)[Own]) noexcept {
    const Front front = frontOf(fronts_, node);
    const BoundaryOffsets* boundary = plan_.boundary_offsets.data() + batch.first_boundary;
    constexpr int kWidth = PlanNode::backWidth(Own), kQuads = kWidth / 4;
    const auto at = [&w](int k) noexcept { return k < Own ? w[k] : 0.0; };
    // Two sums, which do not wait for each other.
    Quad sum[2][kQuads];
    for (int q = 0; q < kQuads; ++q) {
      sum[0][q] = Quad(Quad::Vector{at(4 * q), at(4 * q + 1), at(4 * q + 2), at(4 * q + 3)});
      sum[1][q] = Quad(0.0);
    }
    const double* l = front.back_block;
    forEachQuad(front, [&](int) noexcept {
      for (int i = 0; i < 4; ++i, l += kWidth) {
        const Quad x = spread(permuted_ + boundary->offset[static_cast<std::size_t>(i)]);
        for (int q = 0; q < kQuads; ++q) sum[i % 2][q] -= x * load(l + 4 * q);
      }
      ++boundary;
    });
    for (int q = 0; q < kQuads; ++q) {
      const Quad own = sum[0][q] + sum[1][q];
      if (4 * q + 4 <= Own)
        store(own, permuted_ + batch.offset + 4 * q);
      else
        for (int k = 4 * q; k < Own; ++k) permuted_[batch.offset + k] = own[k - 4 * q];
    }
  }

  /// The same for one or two own unknowns: four boundary unknowns at a time.
  template <int Own>
  TACTUS_INLINE void subtractBoundaryOfFew(const PlanBatch& batch, const PlanNode& node,
                                           const double (&w)[Own]) noexcept {
    const Front front = frontOf(fronts_, node);
    const BoundaryOffsets* boundary = plan_.boundary_offsets.data() + batch.first_boundary;
    Quad sum[Own];
    for (Quad& s : sum) s = Quad(0.0);
    forEachQuad(front, [&](int c) noexcept {
      const Quad x = valuesAt(*boundary++);
      for (int k = 0; k < Own; ++k) sum[k] += x * front.coupling(k, c);
    });
    double sums[Own];
    sumsOf(sum, sums);
    for (int k = 0; k < Own; ++k) permuted_[batch.offset + k] = w[k] - sums[k];
  }

  const Plan& plan_;
  const TreeTangent& tangent_;
  const TreeFronts& fronts_;
  double* permuted_;
};

/// From the order of the unknowns into that of a solve.
template <int Count>
TACTUS_INLINE void bring(const PlanMove& move, const double* values, double* to) noexcept {
  if (!move.in_lanes) {
    std::copy_n(values + move.unknowns[0], Count, to);
    return;
  }
  static constexpr double kEmptyLane[Count] = {};
  const double* rows[kBatchLanes];
  for (std::size_t lane = 0; lane < kBatchLanes; ++lane)
    rows[lane] = move.unknowns[lane] < 0 ? kEmptyLane : values + move.unknowns[lane];
  if constexpr (Count >= kBatchLanes) {
    Quad turned[Count];
    gather(rows, turned);
    for (int k = 0; k < Count; ++k) store(turned[k], to + kBatchLanes * k);
  } else {
    for (int k = 0; k < Count; ++k)
      for (int lane = 0; lane < kBatchLanes; ++lane) to[kBatchLanes * k + lane] = rows[lane][k];
  }
}

/// The reverse of bring().
template <int Count>
TACTUS_INLINE void take(const PlanMove& move, const double* from, double* values) noexcept {
  if (!move.in_lanes) {
    std::copy_n(from, Count, values + move.unknowns[0]);
    return;
  }
  double empty_lane[Count];  // never read
  double* rows[kBatchLanes];
  for (std::size_t lane = 0; lane < kBatchLanes; ++lane)
    rows[lane] = move.unknowns[lane] < 0 ? empty_lane : values + move.unknowns[lane];
  if constexpr (Count >= kBatchLanes) {
    Quad turned[Count];
    for (int k = 0; k < Count; ++k) turned[k] = load(from + kBatchLanes * k);
    scatter(turned, rows);
  } else {
    for (int k = 0; k < Count; ++k)
      for (int lane = 0; lane < kBatchLanes; ++lane) rows[lane][k] = from[kBatchLanes * k + lane];
  }
}

/// @param permuted  the same as `values` where the plan solves in place
void bringAll(const PlanMove* first, int count, RightSide right_side, const double* values, double* permuted) noexcept {
  for (const PlanMove* move = first; move != first + count; ++move) {
    double* to = permuted + move->offset;
    if (move->of_body && right_side != RightSide::kBodiesAndRows)
      std::fill_n(to, (move->in_lanes ? kBatchLanes : 1) * move->count, 0.0);
    else if (values != permuted)
      withFixedSize(move->count, [&]<int Count>() noexcept { bring<Count>(*move, values, to); });
  }
}

void takeAll(const PlanMove* first, int count, Solution solution, const double* permuted, double* values) noexcept {
  for (const PlanMove* move = first; move != first + count; ++move) {
    if (solution == (move->of_body ? Solution::kRowsOnly : Solution::kBodiesOnly)) continue;
    withFixedSize(move->count, [&]<int Count>() noexcept { take<Count>(*move, permuted + move->offset, values); });
  }
}

/// Where the unknowns are while a solve goes on.
double* permutedOf(const Plan& plan, TreeUnknowns& unknowns) noexcept {
  return plan.in_place ? unknowns.values.data() : unknowns.permuted.data();
}

void forward(Substitution& at, const Plan& plan, const PlanBatch& batch, RightSide right_side, const TreeFronts& fronts,
             double* permuted) noexcept {
  const PlanNode& node = plan.nodes[static_cast<std::size_t>(batch.lanes[0])];
  if (node.kind == NodeKind::kFreedomBody) {
    if (right_side != RightSide::kNodeRowsOnly) forwardFreedoms(plan, batch, fronts, permuted);
    return;
  }
  if (!batch.alone()) return forwardBatch(plan, batch, right_side, fronts, permuted);
  if (node.kind != NodeKind::kJoint) {
    if (node.kind == NodeKind::kHubBody || right_side == RightSide::kBodiesAndRows) at.forward<6>(batch, node);
    return;
  }
  withFixedSize(node.size, [&]<int Own>() noexcept { at.forward<Own>(batch, node); });
}

void back(Substitution& at, const Plan& plan, const PlanBatch& batch, Solution solution, const TreeFronts& fronts,
          double* permuted) noexcept {
  const PlanNode& node = plan.nodes[static_cast<std::size_t>(batch.lanes[0])];
  if (node.kind == NodeKind::kLeafBody && solution == Solution::kRowsOnly) return;
  if (node.kind == NodeKind::kFreedomBody) {
    // Rows that are nodes are eliminated later: they do not need these bodies.
    if (solution == Solution::kRowsOnly) return;
    return backFreedoms(plan, batch, solution == Solution::kBodiesAndRows, fronts, permuted);
  }
  if (!batch.alone()) return backBatch(plan, batch, fronts, permuted);
  if (node.kind == NodeKind::kLeafBody) return at.backLeaf(batch, node);
  if (node.kind == NodeKind::kHubBody) return at.back<6, 1>(batch, node);
  withFixedSize(node.size, [&]<int Own>() noexcept { at.back<Own, -1>(batch, node); });
}

}  // namespace

void bringPart(const Plan& plan, const PlanPart& part, RightSide right_side, TreeUnknowns& unknowns) noexcept {
  double* permuted = permutedOf(plan, unknowns);
  if (right_side != RightSide::kBodiesAndRows || !plan.in_place)
    bringAll(plan.moves.data() + part.first_move, part.move_count, right_side, unknowns.values.data(), permuted);
  std::fill_n(permuted + part.port_offset, part.port_count, 0.0);
}

void clearUnused(const Plan& plan, TreeUnknowns& unknowns) noexcept {
  double* permuted = permutedOf(plan, unknowns);
  for (int offset : plan.unused) permuted[offset] = 0;
}

void forwardPart(const Plan& plan, const PlanPart& part, RightSide right_side, const TreeTangent& tangent,
                 const TreeFronts& fronts, TreeUnknowns& unknowns) noexcept {
  double* permuted = permutedOf(plan, unknowns);
  Substitution substitution(plan, tangent, fronts, permuted);
  const PlanRun* const first = plan.runs.data() + part.first_run;
  for (const PlanRun* run = first; run != first + part.run_count; ++run) {
    switch (run->kind) {
      case PlanRun::Kind::kLinks: forwardLinks(plan, *run, fronts, permuted); break;
      case PlanRun::Kind::kLinkBodies:
        if (right_side == RightSide::kBodiesAndRows) forwardLinkBodies(plan, *run, tangent, fronts, permuted);
        break;
      case PlanRun::Kind::kLone:
        if (right_side != RightSide::kNodeRowsOnly) forwardLone(plan, *run, fronts, permuted);
        break;
      case PlanRun::Kind::kBatches:
        for (int i = run->first; i < run->first + run->count; ++i)
          forward(substitution, plan, plan.batches[static_cast<std::size_t>(i)], right_side, fronts, permuted);
        break;
    }
  }
}

const double* portsOf(const Plan& plan, const PlanPart& unit, const TreeUnknowns& unknowns) noexcept {
  return (plan.in_place ? unknowns.values : unknowns.permuted).data() + unit.port_offset;
}

void addPorts(const Plan& plan, const PlanPart& unit, const double* ports, TreeUnknowns& unknowns) noexcept {
  double* permuted = permutedOf(plan, unknowns);
  const int* offsets = plan.ports.data() + unit.first_port;
  for (int k = 0; k < unit.port_count; ++k) permuted[offsets[k]] += ports[k];
}

void backPart(const Plan& plan, const PlanPart& part, const TreeTangent& tangent, const TreeFronts& fronts,
              TreeUnknowns& unknowns, Solution solution) noexcept {
  double* permuted = permutedOf(plan, unknowns);
  const int* offsets = plan.ports.data() + part.first_port;
  for (int k = 0; k < part.port_count; ++k) permuted[part.port_offset + k] = permuted[offsets[k]];
  Substitution substitution(plan, tangent, fronts, permuted);
  const PlanRun* const first = plan.runs.data() + part.first_run;
  for (const PlanRun* run = first + part.run_count; run-- != first;) {
    switch (run->kind) {
      case PlanRun::Kind::kLinks: backLinks(plan, *run, fronts, permuted); break;
      case PlanRun::Kind::kLinkBodies:
        if (solution != Solution::kRowsOnly) backLinkBodies(plan, *run, fronts, permuted);
        break;
      case PlanRun::Kind::kLone:
        if (solution != Solution::kRowsOnly)
          backLone(plan, *run, solution == Solution::kBodiesAndRows, fronts, permuted);
        break;
      case PlanRun::Kind::kBatches:
        for (int i = run->first + run->count - 1; i >= run->first; --i)
          back(substitution, plan, plan.batches[static_cast<std::size_t>(i)], solution, fronts, permuted);
        break;
    }
  }
}

void takePart(const Plan& plan, const PlanPart& part, Solution solution, TreeUnknowns& unknowns) noexcept {
  if (plan.in_place) return;
  takeAll(plan.moves.data() + part.first_move, part.move_count, solution, unknowns.permuted.data(),
          unknowns.values.data());
}

void substituteForward(const Plan& plan, RightSide right_side, const TreeTangent& tangent, const TreeFronts& fronts,
                       TreeUnknowns& unknowns) noexcept {
  if (right_side != RightSide::kBodiesAndRows && (tangent.unsymmetric || plan.in_place))
    std::fill_n(unknowns.values.data(), 6 * plan.bodies, 0.0);
  if (tangent.unsymmetric) return forwardUnsymmetric(plan, fronts, unknowns);
  double* permuted = permutedOf(plan, unknowns);
  if (!plan.in_place)
    bringAll(plan.moves.data(), static_cast<int>(plan.moves.size()), right_side, unknowns.values.data(), permuted);
  clearUnused(plan, unknowns);
  for (int u = 0; u < plan.units(); ++u) {
    const PlanPart& unit = plan.parts[static_cast<std::size_t>(u)];
    std::fill_n(permuted + unit.port_offset, unit.port_count, 0.0);
    forwardPart(plan, unit, right_side, tangent, fronts, unknowns);
    addPorts(plan, unit, permuted + unit.port_offset, unknowns);
  }
  forwardPart(plan, plan.trunk(), right_side, tangent, fronts, unknowns);
}

void substituteBack(const Plan& plan, const TreeTangent& tangent, const TreeFronts& fronts, TreeUnknowns& unknowns,
                    Solution solution) noexcept {
  if (tangent.unsymmetric) return backUnsymmetric(plan, fronts, unknowns);
  for (auto part = plan.parts.rbegin(); part != plan.parts.rend(); ++part)
    backPart(plan, *part, tangent, fronts, unknowns, solution);
  if (!plan.in_place)
    takeAll(plan.moves.data(), static_cast<int>(plan.moves.size()), solution, unknowns.permuted.data(),
            unknowns.values.data());
}

}  // namespace tactus::rt
