// The order in which gRPC calls the reactions of a call, made visible to ThreadSanitizer.
#pragma once

#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace tactus::server {

/// What one reaction of a call has written is visible to the next one, in any thread of gRPC. The library keeps that
/// order but is not instrumented. Without ThreadSanitizer this does nothing.
class CallOrder {
 public:
  /// A reaction, while it runs.
  class Reaction {
   public:
    explicit Reaction(CallOrder& order) noexcept : order_(order) { order.acquire(); }
    ~Reaction() { order_.release(); }
    Reaction(const Reaction&) = delete;
    Reaction& operator=(const Reaction&) = delete;

   private:
    CallOrder& order_;
  };

#if defined(__SANITIZE_THREAD__)
  void acquire() noexcept {
    __tsan_acquire(this);
  }
  void release() noexcept {
    __tsan_release(this);
  }
#else
  void acquire() noexcept {}
  void release() noexcept {}
#endif
};

}  // namespace tactus::server
