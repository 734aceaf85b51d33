// Between rows of memory and lanes: pairs of neighbouring numbers of each lane's row, turned in registers.
#pragma once

#include "rt/math/lanes.h"

namespace tactus::rt {

namespace detail {

typedef double Pair __attribute__((vector_size(16)));

TACTUS_INLINE Pair loadPair(const double* from) noexcept {
  Pair pair;
  __builtin_memcpy(&pair, from, sizeof pair);
  return pair;
}

TACTUS_INLINE void storePair(Pair pair, double* to) noexcept {
  __builtin_memcpy(to, &pair, sizeof pair);
}

/// The pairs of every other row, one behind the other.
template <int W>
TACTUS_INLINE typename Register<W>::Type everyOther(const double* const (&rows)[W], int first, int at) noexcept {
  const auto low = __builtin_shufflevector(loadPair(rows[first] + at), loadPair(rows[first + 2] + at), 0, 1, 2, 3);
  if constexpr (W == 4) {
    return low;
  } else {
    const auto high =
        __builtin_shufflevector(loadPair(rows[first + 4] + at), loadPair(rows[first + 6] + at), 0, 1, 2, 3);
    return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
  }
}

/// The numbers at even places of two vectors, alternating.
template <int W, class V>
TACTUS_INLINE V evens(V a, V b) noexcept {
  if constexpr (W == 4)
    return __builtin_shufflevector(a, b, 0, 4, 2, 6);
  else
    return __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14);
}

/// Those at odd places.
template <int W, class V>
TACTUS_INLINE V odds(V a, V b) noexcept {
  if constexpr (W == 4)
    return __builtin_shufflevector(a, b, 1, 5, 3, 7);
  else
    return __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15);
}

}  // namespace detail

/// rows[lane][at] into lane `lane` of `a`, rows[lane][at + 1] into that of `b`.
template <int W>
TACTUS_INLINE void gatherPair(const double* const (&rows)[W], int at, Lanes<W>& a, Lanes<W>& b) noexcept {
  const auto even = detail::everyOther<W>(rows, 0, at), odd = detail::everyOther<W>(rows, 1, at);
  a = Lanes<W>(detail::evens<W>(even, odd));
  b = Lanes<W>(detail::odds<W>(even, odd));
}

/// The reverse.
template <int W>
TACTUS_INLINE void scatterPair(const Lanes<W>& a, const Lanes<W>& b, double* const (&rows)[W], int at) noexcept {
  const auto even = detail::evens<W>(a.vector(), b.vector()), odd = detail::odds<W>(a.vector(), b.vector());
  for (int lane = 0; lane < W; lane += 2) {
    detail::storePair(detail::Pair{even[lane], even[lane + 1]}, rows[lane] + at);
    detail::storePair(detail::Pair{odd[lane], odd[lane + 1]}, rows[lane + 1] + at);
  }
}

}  // namespace tactus::rt
