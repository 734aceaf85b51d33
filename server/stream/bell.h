// Bell: wakes the one thread that sends a stream's frames.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

namespace tactus::server {

class Bell {
 public:
  void ring() {
    {
      std::lock_guard lock(mutex_);
      rung_ = true;
    }
    changed_.notify_one();
  }

  /// Returns at once if it has rung since the last wait; false if the timeout came first.
  bool wait(std::chrono::nanoseconds timeout) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, timeout, [this] { return rung_; });
    return std::exchange(rung_, false);
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool rung_ = false;
};

}  // namespace tactus::server
