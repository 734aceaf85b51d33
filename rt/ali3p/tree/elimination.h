// The elimination of the own unknowns of a symmetric front: one formula for a front that stands alone and for a batch.
//
// Two eliminations do not come from here, because they are other formulas. Unsymmetric fronts (unsymmetric.cpp) have an
// LU in place of the LDL^T, and rows and columns of their own. Joints of a chain (rt/ali3p/chain/sweep_up.h,
// interfaces.cpp) have 3 x 3 blocks, whose inverses are cheaper by cofactors than by pivots.
#pragma once

#include "rt/ali3p/tree/front.h"
#include "rt/math/small_solve.h"

namespace tactus::rt {

/// y <- L^-1 y, with the factors of factorLdlt() as at(column, row).
template <int Own, class At, class T>
TACTUS_INLINE void substituteLower(At&& at, T (&y)[Own]) noexcept {
  TACTUS_UNROLL
  for (int k = 0; k < Own; ++k) TACTUS_UNROLL
  for (int i = k + 1; i < Own; ++i) y[i] -= at(k, i) * y[k];
}

/// z <- L^-T z.
template <int Own, class At, class T>
TACTUS_INLINE void substituteUpper(At&& at, T (&z)[Own]) noexcept {
  TACTUS_UNROLL
  for (int k = Own - 1; k >= 0; --k) TACTUS_UNROLL
  for (int i = k + 1; i < Own; ++i) z[k] -= at(k, i) * z[i];
}

/// Eliminates the own unknowns of a gathered front. With M = Sign own = L1 D L1^T and Y = L1^-1 F^T:
/// U -= Sign Y^T D^-1 Y, and L^T = Sign L1^-T D^-1 Y. A pass takes Front::kColumns boundary unknowns at a time.
/// @tparam Sign   -1 where the pivot block is negative definite (rows), else 1
/// @tparam AnyFront  Front or BatchFront
/// @returns the smallest pivot, or one that is not a number; the front is unspecified unless it is above zero
template <int Own, int Sign, class AnyFront>
TACTUS_INLINE typename AnyFront::Pivot eliminate(const AnyFront& front) noexcept {
  constexpr double kSign = Sign;
  typename AnyFront::Pivot m[Own * Own];
  const auto at = [&m](int k, int r) noexcept { return m[k * Own + r]; };
  TACTUS_UNROLL
  for (int k = 0; k < Own; ++k) TACTUS_UNROLL
  for (int r = k; r < Own; ++r) m[k * Own + r] = kSign * front.own(k, r);
  const typename AnyFront::Pivot min_pivot = factorLdlt<Own>(m, Own);
  TACTUS_UNROLL
  for (int k = 0; k < Own; ++k) TACTUS_UNROLL
  for (int r = k; r < Own; ++r) front.setOwn(k, r, m[k * Own + r]);
  // Y, and with it D and L^T of ali3p (17)
  for (int c = 0; c < front.width; c += AnyFront::kColumns) {
    Quad y[Own];
    for (int k = 0; k < Own; ++k) y[k] = front.coupling(k, c);
    substituteLower<Own>(at, y);
    for (int k = 0; k < Own; ++k) front.setCoupling(k, c, y[k]);
  }
  // U of ali3p (17), row by row, from its diagonal on
  for (int i = 0; i < front.boundary; ++i) {
    Quad l[Own];
    for (int k = 0; k < Own; ++k) l[k] = (kSign * m[k * Own + k]) * front.couplingOf(k, i);
    for (int c = AnyFront::firstColumn(i); c < front.width; c += AnyFront::kColumns) {
      Quad sum = front.update(i, c);
      for (int k = 0; k < Own; ++k) sum -= l[k] * front.coupling(k, c);
      front.setUpdate(i, c, sum);
    }
    // L^T: no later row needs this column of Y.
    if constexpr (AnyFront::kColumns == 1) {
      substituteUpper<Own>(at, l);
      for (int k = 0; k < Own; ++k) front.setCoupling(k, i, l[k]);
    }
  }
  // L^T: a vector holds columns of Y that later rows need.
  for (int c = 0; c < front.width && AnyFront::kColumns > 1; c += AnyFront::kColumns) {
    Quad z[Own];
    for (int k = 0; k < Own; ++k) z[k] = (kSign * m[k * Own + k]) * front.coupling(k, c);
    substituteUpper<Own>(at, z);
    for (int k = 0; k < Own; ++k) front.setCoupling(k, c, z[k]);
    if constexpr (AnyFront::kColumns == 4) front.setBack(c, z);
  }
  return min_pivot;
}

}  // namespace tactus::rt
