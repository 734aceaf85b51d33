// Functions of four lanes from the vector library of the GNU C library (libmvec, a part of libc6). A result is at most
// 4 units in the last place off, and has the same bits in every lane and on every processor with AVX2. No allocation,
// no lock.
//
// Comparisons and choices below are the same for one number and for lanes, so that a formula is written once for both.
#pragma once

#include "rt/math/lanes.h"

#include <immintrin.h>

// The names by the vector ABI of x86-64: d is AVX2, N4 are four lanes, each v is an argument in a vector.
extern "C" __m256d _ZGVdN4vv_atan2(__m256d y, __m256d x) noexcept;
extern "C" __m256d _ZGVdN4v_sin(__m256d x) noexcept;
extern "C" __m256d _ZGVdN4v_cos(__m256d x) noexcept;
extern "C" __m256d _ZGVdN4v_tan(__m256d x) noexcept;
extern "C" __m256d _ZGVdN4v_asin(__m256d x) noexcept;
extern "C" __m256d _ZGVdN4v_atan(__m256d x) noexcept;
extern "C" __m256d _ZGVdN4v_exp(__m256d x) noexcept;

namespace tactus::rt {

/// The angle of (x, y) in each lane, in (-pi, pi].
TACTUS_INLINE Lanes<4> atan2(const Lanes<4>& y, const Lanes<4>& x) noexcept {
  return Lanes<4>(Lanes<4>::Vector(_ZGVdN4vv_atan2(y.vector(), x.vector())));
}
TACTUS_INLINE Lanes<4> sin(const Lanes<4>& x) noexcept {
  return Lanes<4>(Lanes<4>::Vector(_ZGVdN4v_sin(x.vector())));
}
TACTUS_INLINE Lanes<4> cos(const Lanes<4>& x) noexcept {
  return Lanes<4>(Lanes<4>::Vector(_ZGVdN4v_cos(x.vector())));
}
TACTUS_INLINE Lanes<4> tan(const Lanes<4>& x) noexcept {
  return Lanes<4>(Lanes<4>::Vector(_ZGVdN4v_tan(x.vector())));
}
TACTUS_INLINE Lanes<4> asin(const Lanes<4>& x) noexcept {
  return Lanes<4>(Lanes<4>::Vector(_ZGVdN4v_asin(x.vector())));
}
TACTUS_INLINE Lanes<4> atan(const Lanes<4>& x) noexcept {
  return Lanes<4>(Lanes<4>::Vector(_ZGVdN4v_atan(x.vector())));
}
TACTUS_INLINE Lanes<4> exp(const Lanes<4>& x) noexcept {
  return Lanes<4>(Lanes<4>::Vector(_ZGVdN4v_exp(x.vector())));
}

/// Of each lane, whether a comparison holds.
using LaneMask = decltype(Lanes<4>::Vector{} < Lanes<4>::Vector{});

/// a > b; false where one of them is not a number.
TACTUS_INLINE LaneMask isAbove(const Lanes<4>& a, const Lanes<4>& b) noexcept {
  return a.vector() > b.vector();
}
inline bool isAbove(double a, double b) noexcept {
  return a > b;
}

/// `a` where the condition holds, else `b`.
TACTUS_INLINE Lanes<4> where(const LaneMask& condition, const Lanes<4>& a, const Lanes<4>& b) noexcept {
  return Lanes<4>(Lanes<4>::Vector(condition ? a.vector() : b.vector()));
}
inline double where(bool condition, double a, double b) noexcept {
  return condition ? a : b;
}

TACTUS_INLINE bool isAny(const LaneMask& condition) noexcept {
  return _mm256_movemask_pd(_mm256_castsi256_pd(__m256i(condition))) != 0;
}
inline bool isAny(bool condition) noexcept {
  return condition;
}

/// The absolute value.
TACTUS_INLINE Lanes<4> size(const Lanes<4>& a) noexcept {
  return where(isAbove(Lanes<4>(0.0), a), -a, a);
}
inline double size(double a) noexcept {
  return a < 0 ? -a : a;
}

}  // namespace tactus::rt
