// The front of a node of the tree: where its parts lie, and the vectors that its kernels work in.
#pragma once

#include "rt/math/lane_transpose.h"
#include "rt/plan/plan.h"

#include <immintrin.h>

namespace tactus::rt {

/// Four numbers: neighbours in a row of a front, or one of each lane of a batch.
using Quad = Lanes<4>;
static_assert(kBatchLanes == 4);

/// Wherever they begin.
TACTUS_INLINE Quad load(const double* from) noexcept {
  Quad::Vector v;
  __builtin_memcpy(&v, from, sizeof v);
  return Quad(v);
}
TACTUS_INLINE void store(const Quad& value, double* to) noexcept {
  __builtin_memcpy(to, &value.vector(), sizeof(Quad::Vector));
}
/// One number in all four places. Loaded as such: as part of a vector, of which the compiler thinks, it would wait for
/// the stores of its neighbours.
TACTUS_INLINE Quad spread(const double* from) noexcept {
  return Quad(_mm256_broadcast_sd(from));
}
TACTUS_INLINE double sumOf(const Quad& q) noexcept {
  return (q[0] + q[2]) + (q[1] + q[3]);
}

/// Calls f.template operator()<Own>() for the own unknowns of a node, 1 to 6: the kernels are of fixed size.
template <class F>
TACTUS_INLINE auto withOwn(int size, F&& f) noexcept {
  switch (size) {
    case 1: return f.template operator()<1>();
    case 2: return f.template operator()<2>();
    case 3: return f.template operator()<3>();
    case 4: return f.template operator()<4>();
    case 5: return f.template operator()<5>();
    default: return f.template operator()<6>();
  }
}

/// Parts of a front in Workspace::fronts. Of a node that stands alone, rows have `width` numbers, a multiple of four,
/// and what lies beyond the boundary is zero. Of a node in a batch, rows have just the boundary, and its numbers stand
/// `stride` apart, with those of the other lanes between them.
struct Front {
  double* own;       ///< size x size, column-major; lower triangle
  double* coupling;  ///< [own unknown][boundary unknown]: before elimination the coupling block, then L^T
  double* update;    ///< [boundary unknown][boundary unknown]: row i from the diagonal on
  int width;

  Front(double* fronts, const PlanNode& node) noexcept
      : own(fronts + node.front), coupling(fronts + node.coupling), update(fronts + node.update), width(node.width) {}
};

/// Adds the updates of a batch's children to its fronts.
inline void gatherChildren(const Plan& plan, const PlanBatch& batch, double* fronts) noexcept {
  const FrontAddition* addition = plan.additions.data() + batch.first_addition;
  for (const FrontAddition* end = addition + batch.quads; addition != end; ++addition)
    store(load(fronts + addition->to) + load(fronts + addition->from), fronts + addition->to);
  for (const FrontAddition* end = addition + batch.singles; addition != end; ++addition)
    fronts[addition->to] += fronts[addition->from];
}

/// What the four numbers of each of some vectors add up to.
template <int N>
TACTUS_INLINE void sumsOf(const Quad (&q)[N], double (&sums)[N]) noexcept {
  int k = 0;
  for (; k + 4 <= N; k += 4) {
    Quad::Vector square[4] = {q[k].vector(), q[k + 1].vector(), q[k + 2].vector(), q[k + 3].vector()};
    transpose(square);
    const Quad sum((square[0] + square[2]) + (square[1] + square[3]));
    for (int i = 0; i < 4; ++i) sums[k + i] = sum[i];
  }
  for (; k < N; ++k) sums[k] = sumOf(q[k]);
}

}  // namespace tactus::rt
