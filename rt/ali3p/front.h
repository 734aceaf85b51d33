// The front of a node of the tree: where its parts lie, and the vectors that its kernels work in.
#pragma once

#include "rt/math/lanes.h"
#include "rt/plan/plan.h"

namespace tactus::rt {

/// Four neighbouring numbers of a row of a front, wherever they begin.
struct Quad {
  using Vector = Register<4>::Type;
  Vector v;

  TACTUS_INLINE static Quad load(const double* from) noexcept {
    Quad q;
    __builtin_memcpy(&q.v, from, sizeof q.v);
    return q;
  }
  TACTUS_INLINE static Quad zero() noexcept { return {Vector{0, 0, 0, 0}}; }
  TACTUS_INLINE void store(double* to) const noexcept { __builtin_memcpy(to, &v, sizeof v); }
  TACTUS_INLINE double sum() const noexcept { return (v[0] + v[2]) + (v[1] + v[3]); }
};

/// Parts of a front in Workspace::fronts. Of a node that stands alone, rows have `width` numbers, a multiple of four,
/// and what lies beyond the boundary is zero. Of a node in a batch, rows have just the boundary, and its numbers stand
/// `stride` apart, with those of the other lanes between them.
struct Front {
  double* own;       ///< size x size, column-major; lower triangle
  double* coupling;  ///< [own unknown][boundary unknown]: before elimination the coupling block, then L^T
  double* update;    ///< [boundary unknown][boundary unknown]: row i from the diagonal on
  int width;
  int stride;

  Front(double* fronts, const PlanNode& node) noexcept
      : own(fronts + node.front),
        coupling(own + node.stride * node.ownDoubles()),
        update(coupling + node.stride * node.size * node.width()),
        width(node.width()),
        stride(node.stride) {}
};

}  // namespace tactus::rt
