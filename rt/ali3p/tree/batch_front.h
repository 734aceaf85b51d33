// The fronts of a batch: four of one shape, lane beside lane.
#pragma once

#include "rt/ali3p/tree/front.h"

#include <algorithm>

namespace tactus::rt {

/// As Front, for all lanes at once.
class BatchFront {
 public:
  BatchFront(const Plan& plan, const PlanBatch& batch, double* fronts) noexcept
      : BatchFront(plan.nodes[static_cast<std::size_t>(batch.lanes[0])], fronts) {}

  const int size;      ///< own unknowns
  const int boundary;  ///< boundary unknowns

  void clear() noexcept { std::fill(own_, update_ + kBatchLanes * boundary * boundary, 0.0); }

  // Column k of the own block, row r of its lower triangle.
  TACTUS_INLINE Quad own(int k, int r) const noexcept { return load(own_ + kBatchLanes * (k * size + r)); }
  TACTUS_INLINE double& own(int k, int r, int lane) noexcept { return own_[kBatchLanes * (k * size + r) + lane]; }
  TACTUS_INLINE void setOwn(int k, int r, const Quad& v) noexcept { store(v, own_ + kBatchLanes * (k * size + r)); }
  TACTUS_INLINE void addOwn(int k, int r, const Quad& v) noexcept { setOwn(k, r, own(k, r) + v); }

  // Own unknown k, boundary unknown r.
  TACTUS_INLINE Quad coupling(int k, int r) const noexcept {
    return load(coupling_ + kBatchLanes * (k * boundary + r));
  }
  TACTUS_INLINE void setCoupling(int k, int r, const Quad& v) noexcept {
    store(v, coupling_ + kBatchLanes * (k * boundary + r));
  }
  TACTUS_INLINE void addCoupling(int k, int r, const Quad& v) noexcept { setCoupling(k, r, coupling(k, r) + v); }

  // Boundary unknowns c and r >= c.
  TACTUS_INLINE Quad update(int c, int r) const noexcept { return load(update_ + kBatchLanes * (c * boundary + r)); }
  TACTUS_INLINE void setUpdate(int c, int r, const Quad& v) noexcept {
    store(v, update_ + kBatchLanes * (c * boundary + r));
  }
  TACTUS_INLINE void addUpdate(int c, int r, const Quad& v) noexcept { setUpdate(c, r, update(c, r) + v); }

 private:
  BatchFront(const PlanNode& node, double* fronts) noexcept
      : size(node.size),
        boundary(node.boundary_size),
        // Lane 0, whichever lane the node is in.
        own_(fronts + node.front / kBatchLanes * kBatchLanes),
        coupling_(own_ + kBatchLanes * size * size),
        update_(coupling_ + kBatchLanes * size * boundary) {}

  double* own_;
  double* coupling_;
  double* update_;
};

}  // namespace tactus::rt
