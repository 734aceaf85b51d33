// Two threads that pass a token on: the cost in a server where a tick thread and a writer thread work between reading
// the input and sending the frame.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>

namespace tactus::bench {

/// Every pass() runs `work` once on a third thread: caller -> tick thread -> writer thread, each woken by a futex.
/// At most one token is under way.
class HandOff {
 public:
  explicit HandOff(std::function<void()> work)
      : work_(std::move(work)),
        tick_thread_([this] { forward(to_tick_, [this] { post(to_writer_); }); }),
        writer_thread_([this] { forward(to_writer_, work_); }) {}

  ~HandOff() {
    stopping_ = true;
    post(to_tick_);
    post(to_writer_);
  }

  HandOff(const HandOff&) = delete;
  HandOff& operator=(const HandOff&) = delete;

  void pass() { post(to_tick_); }

 private:
  static void post(std::atomic<std::uint32_t>& counter) {
    counter.fetch_add(1, std::memory_order_release);
    counter.notify_one();
  }

  // Waits for each count in turn and runs `action` for it.
  template <class Action>
  void forward(std::atomic<std::uint32_t>& counter, const Action& action) {
    for (std::uint32_t seen = 0;; ++seen) {
      counter.wait(seen, std::memory_order_acquire);
      if (stopping_) return;
      action();
    }
  }

  std::function<void()> work_;
  std::atomic<bool> stopping_ = false;
  std::atomic<std::uint32_t> to_tick_ = 0, to_writer_ = 0;
  std::jthread tick_thread_, writer_thread_;
};

}  // namespace tactus::bench
