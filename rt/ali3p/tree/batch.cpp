#include "rt/ali3p/tree/batch.h"

#include "rt/ali3p/tree/batch_front.h"
#include "rt/ali3p/tree/elimination.h"
#include "rt/ali3p/tree/node_compliance.h"

#include <algorithm>

namespace tactus::rt {

namespace {

/// The metric W of four leaf bodies. Their own block, which no elimination needs, holds it for the solves.
struct Metric {
  Quad mass, xx, yx, zx, yy, zy, zz;

  TACTUS_INLINE static Metric from(const BatchFront& front) noexcept {
    return {front.own(0, 0), front.own(0, 1), front.own(0, 2), front.own(0, 3),
            front.own(0, 4), front.own(0, 5), front.own(1, 0)};
  }
  TACTUS_INLINE void keepIn(const BatchFront& front) const noexcept {
    front.setOwn(0, 0, mass);
    front.setOwn(0, 1, xx);
    front.setOwn(0, 2, yx);
    front.setOwn(0, 3, zx);
    front.setOwn(0, 4, yy);
    front.setOwn(0, 5, zy);
    front.setOwn(1, 0, zz);
  }
  TACTUS_INLINE void times(const Quad (&h)[6], Quad (&l)[6]) const noexcept {
    for (int k = 0; k < 3; ++k) l[k] = mass * h[k];
    l[3] = xx * h[3] + yx * h[4] + zx * h[5];
    l[4] = yx * h[3] + yy * h[4] + zy * h[5];
    l[5] = zx * h[3] + zy * h[4] + zz * h[5];
  }
};

/// The four lanes of one batch.
class BatchFactorization {
 public:
  BatchFactorization(const Plan& plan, const PlanBatch& batch, double scale, const Model& model, const TreeRows& rows,
                     const TreeTangent& tangent, TreeFronts& fronts) noexcept
      : plan_(plan),
        batch_(batch),
        scale_(scale),
        model_(model),
        rows_(rows),
        tangent_(tangent),
        fronts_(fronts.symmetric.data()),
        front_(plan, batch, fronts_) {}

  /// Front of bodies that go before their joints: D^-1 = W, so L^T = W H^T and U = -H W H^T, ali3p (18).
  void leaf() noexcept {
    gatherBlocks(6, true);
    const Metric metric = metricOf();
    metric.keepIn(front_);
    for (int i = 0; i < front_.boundary; ++i) {
      Quad h[6], l[6];
      for (int k = 0; k < 6; ++k) h[k] = front_.coupling(k, i);
      metric.times(h, l);
      for (int r = i; r < front_.boundary; ++r) {
        Quad sum = Quad(0.0);
        for (int k = 0; k < 6; ++k) sum -= l[k] * front_.coupling(k, r);
        front_.setUpdate(i, r, sum);
      }
      for (int k = 0; k < 6; ++k) front_.setCoupling(k, i, l[k]);
    }
  }

  template <int Own>
  bool joint() noexcept {
    front_.clear();
    for (int lane = 0; lane < kBatchLanes; ++lane) {
      forEachCompliance<false>(model_, nodeIn(lane), tangent_,
                               [&](int k, int r, double compliance) noexcept { front_.own(k, r, lane) = -compliance; });
    }
    gatherBlocks(Own, false);
    gatherChildren(plan_, batch_, fronts_);
    return isPositive(eliminate<Own, -1>(front_));
  }

  bool hub() noexcept {
    front_.clear();
    for (int lane = 0; lane < kBatchLanes; ++lane) {
      const BodyTangent& t = tangentIn(lane);
      for (int k = 0; k < 3; ++k) {
        front_.own(k, k, lane) = t.m_hat / scale_;
        for (int r = k; r < 3; ++r) front_.own(3 + k, 3 + r, lane) = t.J_hat(r, k) / scale_;
      }
    }
    gatherBlocks(6, true);
    gatherChildren(plan_, batch_, fronts_);
    return isPositive(eliminate<6, 1>(front_));
  }

 private:
  const PlanNode& nodeIn(int lane) const noexcept {
    return plan_.nodes[static_cast<std::size_t>(batch_.lanes[static_cast<std::size_t>(lane)])];
  }
  const BodyTangent& tangentIn(int lane) const noexcept {
    return tangent_.bodies[static_cast<std::size_t>(nodeIn(lane).element)];
  }

  Metric metricOf() const noexcept {
    Metric m;
    for (int lane = 0; lane < kBatchLanes; ++lane) {
      const BodyTangent& t = tangentIn(lane);
      m.mass.set(lane, t.w_mass);
      m.xx.set(lane, t.w_J(0, 0));
      m.yx.set(lane, t.w_J(1, 0));
      m.zx.set(lane, t.w_J(2, 0));
      m.yy.set(lane, t.w_J(1, 1));
      m.zy.set(lane, t.w_J(2, 1));
      m.zz.set(lane, t.w_J(2, 2));
    }
    return m;
  }

  /// The Jacobian between the own unknowns and the boundary: own unknowns are those of a body, or the rows of a joint.
  void gatherBlocks(int own, bool body) noexcept {
    for (int i = 0; i < nodeIn(0).block_count; ++i) {
      const PlanBlock* block[kBatchLanes];
      for (int lane = 0; lane < kBatchLanes; ++lane) block[lane] = plan_.blocks.data() + nodeIn(lane).first_block + i;
      const int at = block[0]->position - own;
      for (int row = 0; row < block[0]->rows; ++row) {
        const double* h[kBatchLanes];
        for (int lane = 0; lane < kBatchLanes; ++lane)
          h[lane] = rows_.jacobian[static_cast<std::size_t>(block[lane]->first_row + row * block[lane]->step)]
                        .h[block[lane]->side];
        Quad columns[6];
        gather(h, columns);
        for (int k = 0; k < 6; ++k)
          body ? front_.setCoupling(k, at + row, columns[k]) : front_.setCoupling(row, at + k, columns[k]);
      }
    }
  }

  bool isPositive(const Quad& min_pivot) const noexcept {
    bool positive = true;
    for (int lane = 0; lane < kBatchLanes; ++lane) positive = (!batch_.has(lane) || min_pivot[lane] > 0) && positive;
    return positive;
  }

  const Plan& plan_;
  const PlanBatch& batch_;
  const double scale_;
  const Model& model_;
  const TreeRows& rows_;
  const TreeTangent& tangent_;
  double* const fronts_;
  const BatchFront front_;
};

const PlanNode& firstOf(const Plan& plan, const PlanBatch& batch) noexcept {
  return plan.nodes[static_cast<std::size_t>(batch.lanes[0])];
}

/// The fronts are read only here; BatchFront is shared with the factorization, which writes.
BatchFront frontOf(const Plan& plan, const PlanBatch& batch, const TreeFronts& fronts) noexcept {
  return {plan, batch, const_cast<double*>(fronts.symmetric.data())};
}

/// Boundary unknowns -= L w, ali3p (19).
template <int Own>
void forward(const Plan& plan, const PlanBatch& batch, const TreeFronts& fronts, double* permuted) noexcept {
  const BatchFront front = frontOf(plan, batch, fronts);
  Quad w[Own];
  for (int k = 0; k < Own; ++k) w[k] = load(permuted + batch.offset + kBatchLanes * k);
  const BoundaryOffsets* boundary = plan.boundary_offsets.data() + batch.first_boundary;
  for (int r = 0; r < front.boundary; ++r) {
    Quad x = w[0] * front.coupling(0, r);
    for (int k = 1; k < Own; ++k) x += w[k] * front.coupling(k, r);
    const auto& offset = boundary[r].offset;
    switch (boundary[r].kind) {
      case BoundaryOffsets::Kind::kBeside: store(load(permuted + offset[0]) - x, permuted + offset[0]); break;
      case BoundaryOffsets::Kind::kShared: permuted[offset[0]] -= sumOf(x); break;
      case BoundaryOffsets::Kind::kHalves:
        permuted[offset[0]] = permuted[offset[0]] - x[0] - x[1];
        permuted[offset[2]] = permuted[offset[2]] - x[2] - x[3];
        break;
      default:
        for (int lane = 0; lane < kBatchLanes; ++lane)
          if (batch.has(lane)) permuted[offset[static_cast<std::size_t>(lane)]] -= x[lane];
        break;
    }
  }
}

TACTUS_INLINE Quad boundaryUnknown(const BoundaryOffsets& from, const double* permuted) noexcept {
  const auto& s = from.offset;
  switch (from.kind) {
    case BoundaryOffsets::Kind::kBeside: return load(permuted + s[0]);
    case BoundaryOffsets::Kind::kShared: return Quad(permuted[s[0]]);
    case BoundaryOffsets::Kind::kHalves: {
      const __m128d low = _mm_loaddup_pd(permuted + s[0]), high = _mm_loaddup_pd(permuted + s[2]);
      return Quad(_mm256_insertf128_pd(_mm256_castpd128_pd256(low), high, 1));
    }
    default: return Quad(Quad::Vector{permuted[s[0]], permuted[s[1]], permuted[s[2]], permuted[s[3]]});
  }
}

/// Own unknowns w, times D^-1 already, -= L^T boundary unknowns, ali3p (20).
template <int Own>
TACTUS_INLINE void subtractBoundary(const Plan& plan, const PlanBatch& batch, const BatchFront& front, Quad (&w)[Own],
                                    double* permuted) noexcept {
  const BoundaryOffsets* boundary = plan.boundary_offsets.data() + batch.first_boundary;
  for (int r = 0; r < front.boundary; ++r) {
    const Quad x = boundaryUnknown(boundary[r], permuted);
    for (int k = 0; k < Own; ++k) w[k] -= x * front.coupling(k, r);
  }
  for (int k = 0; k < Own; ++k) store(w[k], permuted + batch.offset + kBatchLanes * k);
}

template <int Own, int Sign>
void back(const Plan& plan, const PlanBatch& batch, const TreeFronts& fronts, double* permuted) noexcept {
  const BatchFront front = frontOf(plan, batch, fronts);
  Quad w[Own];
  for (int k = 0; k < Own; ++k) w[k] = load(permuted + batch.offset + kBatchLanes * k);
  const auto at = [&front](int k, int r) noexcept { return front.own(k, r); };
  substituteLower<Own>(at, w);
  for (int k = 0; k < Own; ++k) w[k] *= Quad(double(Sign)) * front.own(k, k);
  substituteUpper<Own>(at, w);
  subtractBoundary<Own>(plan, batch, front, w, permuted);
}

void backLeaf(const Plan& plan, const PlanBatch& batch, const TreeFronts& fronts, double* permuted) noexcept {
  const BatchFront front = frontOf(plan, batch, fronts);
  Quad own[6], w[6];
  for (int k = 0; k < 6; ++k) own[k] = load(permuted + batch.offset + kBatchLanes * k);
  Metric::from(front).times(own, w);
  subtractBoundary<6>(plan, batch, front, w, permuted);
}

}  // namespace

bool factorBatch(const Plan& plan, const PlanBatch& batch, double scale, const Model& model, const TreeRows& rows,
                 const TreeTangent& tangent, TreeFronts& fronts) noexcept {
  BatchFactorization factorization(plan, batch, scale, model, rows, tangent, fronts);
  const PlanNode& node = firstOf(plan, batch);
  if (node.kind == NodeKind::kLeafBody) return factorization.leaf(), true;
  if (node.kind == NodeKind::kHubBody) return factorization.hub();
  return withFixedSize(node.size, [&]<int Own>() noexcept { return factorization.joint<Own>(); });
}

void forwardBatch(const Plan& plan, const PlanBatch& batch, RightSide right_side, const TreeFronts& fronts,
                  double* permuted) noexcept {
  const PlanNode& node = firstOf(plan, batch);
  // A leaf body has no right side but its own.
  if (node.kind == NodeKind::kLeafBody && right_side != RightSide::kBodiesAndRows) return;
  withFixedSize(node.size, [&]<int Own>() noexcept { forward<Own>(plan, batch, fronts, permuted); });
}

void backBatch(const Plan& plan, const PlanBatch& batch, const TreeFronts& fronts, double* permuted) noexcept {
  const PlanNode& node = firstOf(plan, batch);
  if (node.kind == NodeKind::kLeafBody) return backLeaf(plan, batch, fronts, permuted);
  if (node.kind == NodeKind::kHubBody) return back<6, 1>(plan, batch, fronts, permuted);
  withFixedSize(node.size, [&]<int Own>() noexcept { back<Own, -1>(plan, batch, fronts, permuted); });
}

}  // namespace tactus::rt
