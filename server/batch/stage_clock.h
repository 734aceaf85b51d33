// The end of a stage of an analysis: its time is over, or the user interrupts.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace tactus::server {

/// Sets one flag at an interrupt and at the end of the time of a stage, from a thread of its own, so that a step of
/// seconds that looks at the flag ends, too.
class StageClock {
 public:
  explicit StageClock(const std::atomic<bool>& interrupt) : interrupt_(interrupt), watcher_([this] { watch(); }) {}
  ~StageClock() {
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
    }
    changed_.notify_all();
    watcher_.join();
  }
  StageClock(const StageClock&) = delete;
  StageClock& operator=(const StageClock&) = delete;

  /// Begins a stage of so many seconds and takes back the end of the last one; an interrupt stays.
  void begin(double seconds) {
    const std::lock_guard lock(mutex_);
    end_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    over_ = interrupt_.load() || seconds <= 0;
  }

  const std::atomic<bool>& over() const noexcept { return over_; }

 private:
  using Clock = std::chrono::steady_clock;

  void watch() {
    constexpr std::chrono::milliseconds kInterval{20};
    std::unique_lock lock(mutex_);
    while (!changed_.wait_for(lock, kInterval, [this] { return closed_; }))
      if (interrupt_.load() || Clock::now() >= end_) over_ = true;
  }

  const std::atomic<bool>& interrupt_;
  std::atomic<bool> over_{false};
  std::mutex mutex_;
  std::condition_variable changed_;
  bool closed_ = false;
  Clock::time_point end_ = Clock::time_point::max();
  std::thread watcher_;  ///< last: it reads all the others
};

}  // namespace tactus::server
