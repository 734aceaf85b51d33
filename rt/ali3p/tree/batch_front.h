// The fronts of a batch: four of one shape, lane beside lane.
#pragma once

#include "rt/ali3p/tree/front.h"

namespace tactus::rt {

/// As Front, for all lanes at once: numbers stand kBatchLanes apart, with those of the other lanes between them. Rows
/// over the boundary have just the boundary.
class BatchFront {
 public:
  using Pivot = Quad;
  static constexpr int kColumns = 1;  ///< boundary unknowns in a vector, one of each lane

  BatchFront(const Plan& plan, const PlanBatch& batch, double* fronts) noexcept
      : BatchFront(plan.nodes[static_cast<std::size_t>(batch.lanes[0])], fronts) {}

  const int size, boundary, width;

  /// A loop of its own: a call to fill memory costs more than the few numbers of most fronts.
  TACTUS_INLINE void clear() const noexcept {
    const Quad zero(0.0);
    for (double* to = own_; to != update_ + kBatchLanes * boundary * boundary; to += kBatchLanes) store(zero, to);
  }

  // Column k of the own block, row r of its lower triangle.
  TACTUS_INLINE Quad own(int k, int r) const noexcept { return load(own_ + kBatchLanes * (k * size + r)); }
  TACTUS_INLINE double& own(int k, int r, int lane) const noexcept { return own_[kBatchLanes * (k * size + r) + lane]; }
  TACTUS_INLINE void setOwn(int k, int r, const Quad& v) const noexcept {
    store(v, own_ + kBatchLanes * (k * size + r));
  }

  // Own unknown k, boundary unknown c.
  TACTUS_INLINE Quad coupling(int k, int c) const noexcept {
    return load(coupling_ + kBatchLanes * (k * boundary + c));
  }
  TACTUS_INLINE Quad couplingOf(int k, int c) const noexcept { return coupling(k, c); }
  TACTUS_INLINE void setCoupling(int k, int c, const Quad& v) const noexcept {
    store(v, coupling_ + kBatchLanes * (k * boundary + c));
  }

  // Boundary unknowns i and c >= i.
  TACTUS_INLINE Quad update(int i, int c) const noexcept { return load(update_ + kBatchLanes * (i * boundary + c)); }
  TACTUS_INLINE void setUpdate(int i, int c, const Quad& v) const noexcept {
    store(v, update_ + kBatchLanes * (i * boundary + c));
  }

  static constexpr int firstColumn(int i) noexcept { return i; }

 private:
  BatchFront(const PlanNode& node, double* fronts) noexcept
      : size(node.size),
        boundary(node.boundary_size),
        width(node.boundary_size),
        // Lane 0, whichever lane the node is in.
        own_(fronts + node.front / kBatchLanes * kBatchLanes),
        coupling_(own_ + kBatchLanes * size * size),
        update_(coupling_ + kBatchLanes * size * boundary) {}

  double* const own_;
  double* const coupling_;
  double* const update_;
};

}  // namespace tactus::rt
