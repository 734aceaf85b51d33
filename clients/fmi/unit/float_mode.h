// The rounding mode and the treatment of denormal numbers that the tick has in every thread.
#pragma once

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace tactus::fmi {

/// The default mode of the processor during its life, whatever the importer has chosen for its thread: the same bits.
class DefaultFloatMode {
 public:
#if defined(__SSE2__)
  DefaultFloatMode() noexcept : before_(_mm_getcsr()) {
    _mm_setcsr(kDefault);
  }
  ~DefaultFloatMode() {
    _mm_setcsr(before_);
  }
  DefaultFloatMode(const DefaultFloatMode&) = delete;
  DefaultFloatMode& operator=(const DefaultFloatMode&) = delete;

 private:
  static constexpr unsigned kDefault = 0x1f80;  // exceptions masked, round to nearest, no flushing to zero
  const unsigned before_;
#else
  DefaultFloatMode() noexcept {}
#endif
};

}  // namespace tactus::fmi
