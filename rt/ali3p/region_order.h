// Makes the order of memory accesses around a parallel region visible to ThreadSanitizer.
#pragma once

#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
/// Marks a function that opens a region. Between beforeRegion() and the region the compiler stores the addresses of the
/// function's variables for the team, and the team reads them before regionBegins(). Functions that the marked function
/// calls stay instrumented.
#define TACTUS_OPENS_REGION __attribute__((no_sanitize("thread")))
#else
#define TACTUS_OPENS_REGION
#endif

namespace tactus::rt {

/// Writes of the calling thread are visible to the team when a region begins, and writes of the team to the calling
/// thread when it ends. The OpenMP library guarantees this, but is not instrumented. Without ThreadSanitizer these
/// functions do nothing.
class RegionOrder {
 public:
#if defined(__SANITIZE_THREAD__)
  static void beforeRegion() noexcept {
    __tsan_release(&begins_);
  }
  static void regionBegins() noexcept {
    __tsan_acquire(&begins_);
  }
  static void regionEnds() noexcept {
    __tsan_release(&ends_);
  }
  static void afterRegion() noexcept {
    __tsan_acquire(&ends_);
  }

 private:
  static inline char begins_ = 0, ends_ = 0;
#else
  static void beforeRegion() noexcept {}
  static void regionBegins() noexcept {}
  static void regionEnds() noexcept {}
  static void afterRegion() noexcept {}
#endif
};

}  // namespace tactus::rt
