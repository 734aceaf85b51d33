// Functions of four lanes from the vector library of the GNU C library (libmvec, a part of libc6). A result is at most
// 4 units in the last place off, and has the same bits in every lane and on every processor with AVX2. No allocation,
// no lock.
#pragma once

#include "rt/math/lanes.h"

#include <immintrin.h>

// The name by the vector ABI of x86-64: d is AVX2, N4 are four lanes, each v is an argument in a vector.
extern "C" __m256d _ZGVdN4vv_atan2(__m256d y, __m256d x) noexcept;

namespace tactus::rt {

/// The angle of (x, y) in each lane, in (-pi, pi].
TACTUS_INLINE Lanes<4> atan2(const Lanes<4>& y, const Lanes<4>& x) noexcept {
  return Lanes<4>(Lanes<4>::Vector(_ZGVdN4vv_atan2(y.vector(), x.vector())));
}

}  // namespace tactus::rt
