// The order that a parallel region brings about, made visible to ThreadSanitizer.
#pragma once

#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
/// Before a function that opens a region: between beforeRegion() and the region the compiler writes down for the team
/// where the function's variables are, and the team reads that before regionBegins(). What the function calls is
/// looked at.
#define TACTUS_OPENS_REGION __attribute__((no_sanitize("thread")))
#else
#define TACTUS_OPENS_REGION
#endif

namespace tactus::rt {

/// What the calling thread has written is seen by the team when a region begins, and what the team has written is seen
/// when it ends. The library of OpenMP does so, but is not instrumented; without ThreadSanitizer these do nothing.
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
