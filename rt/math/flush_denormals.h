// The treatment of denormal numbers and the rounding of a tick, whatever its thread is set to.
#pragma once

#include <xmmintrin.h>

namespace tactus::rt {

/// While it lives, this thread takes denormal numbers for zero, those that it reads and those that it would write,
/// rounds to nearest and masks floating-point exceptions; then the thread has its own mode again. An operation with a
/// denormal number takes a processor many times as long as any other, and a motion that spreads along a chain begins
/// with such numbers: with them a step can take several times as long.
///
/// The functions that compute must not be inlined into the one that holds it: the compiler knows no dependence between
/// the mode and an operation.
///
/// @rt two changes of the mode, no call
class FlushDenormals {
 public:
  FlushDenormals() noexcept : outer_(_mm_getcsr()) { _mm_setcsr(kMode); }
  ~FlushDenormals() { _mm_setcsr(outer_); }
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;

 private:
  /// MXCSR: exceptions masked (0x1f80), round to nearest, flush to zero (0x8000), denormals are zeros (0x40).
  static constexpr unsigned kMode = 0x9fc0;
  const unsigned outer_;
};

}  // namespace tactus::rt
