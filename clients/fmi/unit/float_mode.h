// The rounding mode and the treatment of denormal numbers that the tick has in every thread.
#pragma once

#include <utility>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace tactus::fmi {

#if defined(__SSE2__)

/// The default mode of the processor during its life, whatever the importer has chosen for its thread: the same bits.
class DefaultFloatMode {
 public:
  DefaultFloatMode() noexcept : outer_(std::exchange(importer_, _mm_getcsr())) { _mm_setcsr(kDefault); }
  ~DefaultFloatMode() { _mm_setcsr(std::exchange(importer_, outer_)); }
  DefaultFloatMode(const DefaultFloatMode&) = delete;
  DefaultFloatMode& operator=(const DefaultFloatMode&) = delete;

 private:
  friend class ImporterFloatMode;
  static constexpr unsigned kDefault = 0x1f80;  // exceptions masked, round to nearest, no flushing to zero
  static inline constinit thread_local unsigned importer_ = kDefault;  ///< what the innermost one returns to
  const unsigned outer_;
};

/// Within a DefaultFloatMode: the mode of the importer, for a call of one of its functions.
class ImporterFloatMode {
 public:
  ImporterFloatMode() noexcept : own_(_mm_getcsr()) { _mm_setcsr(DefaultFloatMode::importer_); }
  ~ImporterFloatMode() {
    DefaultFloatMode::importer_ = _mm_getcsr();
    _mm_setcsr(own_);
  }
  ImporterFloatMode(const ImporterFloatMode&) = delete;
  ImporterFloatMode& operator=(const ImporterFloatMode&) = delete;

 private:
  const unsigned own_;
};

#else

struct DefaultFloatMode {
  DefaultFloatMode() noexcept {}
};
struct ImporterFloatMode {
  ImporterFloatMode() noexcept {}
};

#endif

}  // namespace tactus::fmi
