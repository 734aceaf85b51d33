// SendNotifier: wakes the one thread that sends the frames of a stream.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

namespace tactus::server {

class SendNotifier {
 public:
  void notify() {
    {
      std::lock_guard lock(mutex_);
      notified_ = true;
    }
    changed_.notify_one();
  }

  /// Returns at once if notify() was called since the last wait.
  /// @returns false if the timeout came first
  bool wait(std::chrono::nanoseconds timeout) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, timeout, [this] { return notified_; });
    return std::exchange(notified_, false);
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool notified_ = false;
};

}  // namespace tactus::server
