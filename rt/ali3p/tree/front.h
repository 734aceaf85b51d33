// The front of a node of the tree: where its parts lie, and the vectors that its kernels work in.
#pragma once

#include "rt/ali3p/tree/workspace.h"
#include "rt/math/fixed_size.h"
#include "rt/math/lane_transpose.h"
#include "rt/plan/plan.h"

#include <immintrin.h>

namespace tactus::rt {

/// Four numbers: neighbors in a row of a front, or one of each lane of a batch.
using Quad = Lanes<4>;
static_assert(kBatchLanes == 4);

/// Four neighbors in memory, wherever they begin.
TACTUS_INLINE Quad load(const double* from) noexcept {
  Quad::Vector v;
  __builtin_memcpy(&v, from, sizeof v);
  return Quad(v);
}
TACTUS_INLINE void store(const Quad& value, double* to) noexcept {
  __builtin_memcpy(to, &value.vector(), sizeof(Quad::Vector));
}
/// One number in all four places. The broadcast is explicit: a compiler may otherwise load the vector around the number
/// and wait for the stores of its neighbors.
TACTUS_INLINE Quad spread(const double* from) noexcept {
  return Quad(_mm256_broadcast_sd(from));
}
/// Two neighbors and two others.
TACTUS_INLINE Quad loadPairs(const double* low, const double* high) noexcept {
  return Quad(_mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(low)), _mm_loadu_pd(high), 1));
}
TACTUS_INLINE void storePairs(const Quad& value, double* low, double* high) noexcept {
  _mm_storeu_pd(low, _mm256_castpd256_pd128(value.vector()));
  _mm_storeu_pd(high, _mm256_extractf128_pd(value.vector(), 1));
}
TACTUS_INLINE double sumOf(const Quad& q) noexcept {
  return (q[0] + q[2]) + (q[1] + q[3]);
}

/// The front of a node that stands alone, in TreeFronts::symmetric. Rows over the boundary have `width` numbers, a
/// multiple of four; beyond the boundary they are zero.
struct Front {
  using Pivot = double;
  static constexpr int kColumns = 4;  ///< boundary unknowns in a vector

  const int size, boundary, width;
  double* const own_block;       ///< size x size, column-major; lower triangle
  double* const coupling_block;  ///< [own unknown][boundary unknown]: before elimination the coupling, then L^T
  double* const update_block;    ///< [boundary unknown][boundary unknown]: row i from the diagonal on
  double* const back_block;      ///< [boundary unknown][own unknown]: L of ali3p (17), if PlanNode::backWidth() > 0

  Front(double* fronts, const PlanNode& node) noexcept
      : size(node.size),
        boundary(node.boundary_size),
        width(node.width),
        own_block(fronts + node.front),
        coupling_block(fronts + node.coupling),
        update_block(fronts + node.update),
        back_block(fronts + node.back) {}

  // Column k of the own block, row r of its lower triangle.
  TACTUS_INLINE double own(int k, int r) const noexcept { return own_block[k * size + r]; }
  TACTUS_INLINE void setOwn(int k, int r, double value) const noexcept { own_block[k * size + r] = value; }

  // Own unknown k, boundary unknowns c to c + 3; of one boundary unknown, the same number four times.
  TACTUS_INLINE Quad coupling(int k, int c) const noexcept { return load(coupling_block + k * width + c); }
  TACTUS_INLINE void setCoupling(int k, int c, const Quad& v) const noexcept {
    store(v, coupling_block + k * width + c);
  }
  TACTUS_INLINE Quad couplingOf(int k, int i) const noexcept { return spread(coupling_block + k * width + i); }

  // Row i of the update, columns c to c + 3.
  TACTUS_INLINE Quad update(int i, int c) const noexcept { return load(update_block + i * width + c); }
  TACTUS_INLINE void setUpdate(int i, int c, const Quad& v) const noexcept { store(v, update_block + i * width + c); }

  /// Columns c to c + 3 of L^T into rows of back_block, if the node has one.
  template <int Own>
  TACTUS_INLINE void setBack(int c, const Quad (&l)[Own]) const noexcept {
    constexpr int kWidth = PlanNode::backWidth(Own);
    for (int k = 0; k < kWidth; k += 4) {
      Quad::Vector square[4];
      for (int i = 0; i < 4; ++i) square[i] = k + i < Own ? l[k + i].vector() : Quad(0.0).vector();
      transpose(square);
      for (int i = 0; i < 4; ++i) store(Quad(square[i]), back_block + (c + i) * kWidth + k);
    }
  }

  /// Where the vector begins that holds the diagonal of row i.
  static constexpr int firstColumn(int i) noexcept { return i / 4 * 4; }
};

/// Adds the updates of a batch's children to its fronts.
inline void gatherChildren(const Plan& plan, const PlanBatch& batch, double* fronts) noexcept {
  const FrontAddition* addition = plan.additions.data() + batch.first_addition;
  for (const FrontAddition* end = addition + batch.quads; addition != end; ++addition)
    store(load(fronts + addition->to) + load(fronts + addition->from), fronts + addition->to);
  for (const FrontAddition* end = addition + batch.singles; addition != end; ++addition)
    fronts[addition->to] += fronts[addition->from];
}

/// The sum of the four numbers of each vector.
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
