// Between rows of memory and lanes: numbers that stand one behind the other in each lane's row, turned in registers.
#pragma once

#include "rt/math/lanes.h"

namespace tactus::rt {

/// Row i of a square of registers becomes column i; of eight lanes, in each half of the registers.
TACTUS_INLINE void transposeQuarters(Register<8>::Type (&x)[4]) noexcept {
  using V = Register<8>::Type;
  const V a = __builtin_shufflevector(x[0], x[1], 0, 8, 2, 10, 4, 12, 6, 14);
  const V b = __builtin_shufflevector(x[0], x[1], 1, 9, 3, 11, 5, 13, 7, 15);
  const V c = __builtin_shufflevector(x[2], x[3], 0, 8, 2, 10, 4, 12, 6, 14);
  const V d = __builtin_shufflevector(x[2], x[3], 1, 9, 3, 11, 5, 13, 7, 15);
  x[0] = __builtin_shufflevector(a, c, 0, 1, 8, 9, 4, 5, 12, 13);
  x[1] = __builtin_shufflevector(b, d, 0, 1, 8, 9, 4, 5, 12, 13);
  x[2] = __builtin_shufflevector(a, c, 2, 3, 10, 11, 6, 7, 14, 15);
  x[3] = __builtin_shufflevector(b, d, 2, 3, 10, 11, 6, 7, 14, 15);
}
TACTUS_INLINE void transposeQuarters(Register<4>::Type (&x)[4]) noexcept {
  using V = Register<4>::Type;
  const V a = __builtin_shufflevector(x[0], x[1], 0, 4, 2, 6), b = __builtin_shufflevector(x[0], x[1], 1, 5, 3, 7);
  const V c = __builtin_shufflevector(x[2], x[3], 0, 4, 2, 6), d = __builtin_shufflevector(x[2], x[3], 1, 5, 3, 7);
  x[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
  x[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
  x[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
  x[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

TACTUS_INLINE void transpose(Register<4>::Type (&x)[4]) noexcept {
  transposeQuarters(x);
}

namespace detail {

/// Pairs of four registers: quarter i of register j goes to quarter j of register i.
template <class V>
TACTUS_INLINE void transposePairs(const V& a, const V& b, const V& c, const V& d, V& first, V& second, V& third,
                                  V& fourth) noexcept {
  const V ab_even = __builtin_shufflevector(a, b, 0, 1, 4, 5, 8, 9, 12, 13);
  const V ab_odd = __builtin_shufflevector(a, b, 2, 3, 6, 7, 10, 11, 14, 15);
  const V cd_even = __builtin_shufflevector(c, d, 0, 1, 4, 5, 8, 9, 12, 13);
  const V cd_odd = __builtin_shufflevector(c, d, 2, 3, 6, 7, 10, 11, 14, 15);
  first = __builtin_shufflevector(ab_even, cd_even, 0, 1, 4, 5, 8, 9, 12, 13);
  second = __builtin_shufflevector(ab_odd, cd_odd, 0, 1, 4, 5, 8, 9, 12, 13);
  third = __builtin_shufflevector(ab_even, cd_even, 2, 3, 6, 7, 10, 11, 14, 15);
  fourth = __builtin_shufflevector(ab_odd, cd_odd, 2, 3, 6, 7, 10, 11, 14, 15);
}

}  // namespace detail

TACTUS_INLINE void transpose(Register<8>::Type (&x)[8]) noexcept {
  using V = Register<8>::Type;
  V even[4], odd[4];
  for (int i = 0; i < 4; ++i) {
    even[i] = __builtin_shufflevector(x[2 * i], x[2 * i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
    odd[i] = __builtin_shufflevector(x[2 * i], x[2 * i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
  }
  detail::transposePairs(even[0], even[1], even[2], even[3], x[0], x[2], x[4], x[6]);
  detail::transposePairs(odd[0], odd[1], odd[2], odd[3], x[1], x[3], x[5], x[7]);
}

/// rows[lane][k] into lane `lane` of values[k], for k below N, which is at least W.
template <int N, int W>
TACTUS_INLINE void gather(const double* const (&rows)[W], Lanes<W> (&values)[N]) noexcept {
  // The last square ends with the row: it may overlap the one before.
  for (int k = 0; k < N; k += W) {
    const int at = k + W <= N ? k : N - W;
    typename Register<W>::Type square[W];
    for (int lane = 0; lane < W; ++lane) square[lane] = Lanes<W>::from(rows[lane] + at).vector();
    transpose(square);
    for (int i = 0; i < W; ++i) values[at + i] = Lanes<W>(square[i]);
  }
}

namespace detail {

/// Four rows of memory, in each half those of other lanes.
TACTUS_INLINE void takeRow(const double* const (&rows)[4], int i, Register<4>::Type& to) noexcept {
  to = Lanes<4>::from(rows[i]).vector();
}
TACTUS_INLINE void takeRow(const double* const (&rows)[8], int i, Register<8>::Type& to) noexcept {
  const auto low = Lanes<4>::from(rows[i]).vector(), high = Lanes<4>::from(rows[i + 4]).vector();
  to = __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
}

}  // namespace detail

/// The first three numbers of each lane's row. Reads a fourth, whatever it is.
template <int W>
TACTUS_INLINE void gatherThree(const double* const (&rows)[W], Lanes<W> (&values)[3]) noexcept {
  typename Register<W>::Type square[4];
  for (int i = 0; i < 4; ++i) detail::takeRow(rows, i, square[i]);
  transposeQuarters(square);
  for (int k = 0; k < 3; ++k) values[k] = Lanes<W>(square[k]);
}

/// Three numbers into each lane's row.
template <int W>
TACTUS_INLINE void scatterThree(const Lanes<W> (&values)[3], double* const (&rows)[W]) noexcept {
  for (int lane = 0; lane < W; ++lane)
    for (int k = 0; k < 3; ++k) rows[lane][k] = values[k][lane];
}

/// The reverse of gather().
template <int N, int W>
TACTUS_INLINE void scatter(const Lanes<W> (&values)[N], double* const (&rows)[W]) noexcept {
  for (int k = 0; k < N; k += W) {
    const int at = k + W <= N ? k : N - W;
    typename Register<W>::Type square[W];
    for (int i = 0; i < W; ++i) square[i] = values[at + i].vector();
    transpose(square);
    for (int lane = 0; lane < W; ++lane) Lanes<W>(square[lane]).to(rows[lane] + at);
  }
}

}  // namespace tactus::rt
