#include "rt/ali3p/tree/factor_batch.h"

#include "rt/ali3p/tree/batch_front.h"
#include "rt/math/small_solve.h"

#include <algorithm>

namespace tactus::rt {

namespace {

/// The four lanes of one batch.
class BatchAssembly {
 public:
  BatchAssembly(const Plan& plan, const PlanBatch& batch, double scale, const Model& model, Workspace& ws) noexcept
      : plan_(plan), batch_(batch), scale_(scale), model_(model), ws_(ws), front_(plan, batch, ws.fronts.data()) {}

  /// Front of bodies that go before their joints: D^-1 = W, so L^T = W H^T and U = -H W H^T.
  void leaf() noexcept {
    gatherBlocks(6, true);
    const Metric metric = metricOf();
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
      const PlanNode& node = nodeIn(lane);
      const Joint& joint = model_.joints[static_cast<std::size_t>(node.element)];
      const auto first_row = static_cast<std::size_t>(node.unknown - 6 * plan_.bodies);
      for (int k = 0; k < Own; ++k) {
        if (joint.compliant())
          for (int r = k; r < Own; ++r)
            front_.own(k, r, lane) = -ws_.compliance[static_cast<std::size_t>(joint.law_index)](r, k);
        else
          front_.own(k, k, lane) = -ws_.epsilon[first_row + static_cast<std::size_t>(k)];
      }
    }
    gatherBlocks(Own, false);
    gatherChildren(plan_, batch_, ws_.fronts.data());
    return eliminate<Own, -1>();
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
    gatherChildren(plan_, batch_, ws_.fronts.data());
    return eliminate<6, 1>();
  }

 private:
  /// The metric W of four bodies.
  struct Metric {
    Quad mass, xx, yx, zx, yy, zy, zz;

    TACTUS_INLINE void times(const Quad (&h)[6], Quad (&l)[6]) const noexcept {
      for (int k = 0; k < 3; ++k) l[k] = mass * h[k];
      l[3] = xx * h[3] + yx * h[4] + zx * h[5];
      l[4] = yx * h[3] + yy * h[4] + zy * h[5];
      l[5] = zx * h[3] + zy * h[4] + zz * h[5];
    }
  };

  const PlanNode& nodeIn(int lane) const noexcept {
    return plan_.nodes[static_cast<std::size_t>(batch_.lanes[static_cast<std::size_t>(lane)])];
  }
  const BodyTangent& tangentIn(int lane) const noexcept {
    return ws_.tangents[static_cast<std::size_t>(nodeIn(lane).element)];
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
          h[lane] = ws_.jacobian[static_cast<std::size_t>(block[lane]->first_row + row)].h[block[lane]->side];
        for (int k = 0; k < 6; ++k) {
          const Quad column = Quad(Quad::Vector{h[0][k], h[1][k], h[2][k], h[3][k]});
          body ? front_.setCoupling(k, at + row, column) : front_.setCoupling(row, at + k, column);
        }
      }
    }
  }

  /// Eliminates the own unknowns of gathered fronts. Sign: -1 where the pivot block is negative definite (rows).
  /// With M = Sign own = L1 D L1^T and Y = L1^-1 F^T: U -= Sign Y^T D^-1 Y, and L^T = Sign L1^-T D^-1 Y.
  template <int Own, int Sign>
  bool eliminate() noexcept {
    Quad m[Own * Own];
    for (int k = 0; k < Own; ++k)
      for (int r = k; r < Own; ++r) m[k * Own + r] = Quad(double(Sign)) * front_.own(k, r);
    const Quad least_pivot = factorLdlt<Own>(m, Own);
    for (int k = 0; k < Own; ++k)
      for (int r = k; r < Own; ++r) front_.setOwn(k, r, m[k * Own + r]);
    for (int i = 0; i < front_.boundary; ++i) {
      Quad y[Own];
      for (int k = 0; k < Own; ++k) y[k] = front_.coupling(k, i);
      for (int k = 0; k < Own; ++k)
        for (int r = k + 1; r < Own; ++r) y[r] -= m[k * Own + r] * y[k];
      for (int k = 0; k < Own; ++k) front_.setCoupling(k, i, y[k]);
    }
    for (int i = 0; i < front_.boundary; ++i) {
      Quad l[Own];
      for (int k = 0; k < Own; ++k) l[k] = Quad(double(Sign)) * m[k * Own + k] * front_.coupling(k, i);
      for (int r = i; r < front_.boundary; ++r) {
        Quad sum = front_.update(i, r);
        for (int k = 0; k < Own; ++k) sum -= l[k] * front_.coupling(k, r);
        front_.setUpdate(i, r, sum);
      }
      for (int k = Own - 1; k >= 0; --k)
        for (int r = k + 1; r < Own; ++r) l[k] -= m[k * Own + r] * l[r];
      for (int k = 0; k < Own; ++k) front_.setCoupling(k, i, l[k]);
    }
    bool positive = true;
    for (int lane = 0; lane < kBatchLanes; ++lane) positive = (!batch_.has(lane) || least_pivot[lane] > 0) && positive;
    return positive;
  }

  const Plan& plan_;
  const PlanBatch& batch_;
  const double scale_;
  const Model& model_;
  Workspace& ws_;
  BatchFront front_;
};

}  // namespace

bool assembleBatch(const Plan& plan, const PlanBatch& batch, double scale, const Model& model, Workspace& ws) noexcept {
  BatchAssembly assembly(plan, batch, scale, model, ws);
  const PlanNode& node = plan.nodes[static_cast<std::size_t>(batch.lanes[0])];
  if (node.kind == NodeKind::kLeafBody) return assembly.leaf(), true;
  if (node.kind == NodeKind::kHubBody) return assembly.hub();
  return withOwn(node.size, [&]<int Own>() noexcept { return assembly.joint<Own>(); });
}

}  // namespace tactus::rt
