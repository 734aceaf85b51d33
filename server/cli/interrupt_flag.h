// Ctrl-C during a long run: the run ends early and keeps its results.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace tactus::server {

/// While it lives, SIGINT sets a flag and does not end the process. One at a time.
class InterruptFlag {
 public:
  InterruptFlag();
  /// For work whose steps may take seconds in a library: if this still lives `grace` after the signal, calls `last`
  /// from another thread, and ends the process with kExitUsage: there is no result. `last` must not touch what the work
  /// uses.
  InterruptFlag(std::chrono::milliseconds grace, std::function<void()> last);
  ~InterruptFlag();
  InterruptFlag(const InterruptFlag&) = delete;
  InterruptFlag& operator=(const InterruptFlag&) = delete;

  /// Set by SIGINT.
  const std::atomic<bool>& flag() const noexcept;

 private:
  void (*previous_)(int);
  std::mutex mutex_;
  std::condition_variable changed_;
  bool closed_ = false;
  std::thread watcher_;
};

}  // namespace tactus::server
