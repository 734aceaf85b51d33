// Ctrl-C during a long run: the run ends early and keeps its results.
#pragma once

#include <atomic>

namespace tactus::server {

/// While it lives, SIGINT sets a flag and does not end the process. One at a time.
class InterruptFlag {
 public:
  InterruptFlag();
  ~InterruptFlag();
  InterruptFlag(const InterruptFlag&) = delete;
  InterruptFlag& operator=(const InterruptFlag&) = delete;

  /// Set by SIGINT.
  const std::atomic<bool>& flag() const noexcept;

 private:
  void (*previous_)(int);
};

}  // namespace tactus::server
