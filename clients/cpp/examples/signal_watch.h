// Ctrl-C and SIGTERM end a program in order: its session and its files are closed.
#pragma once

#include "clients/cpp/tick_stream.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <ctime>
#include <stop_token>
#include <thread>

namespace tactus::example {

/// Ends a stream at SIGINT, at SIGTERM, and after a maximum time. The signals must be blocked before any thread starts.
class SignalWatch {
 public:
  /// @param[in] longest  maximum time, also where no frame comes; zero: none
  explicit SignalWatch(client::TickStream& stream, std::chrono::nanoseconds longest = {})
      : thread_([this, &stream, longest, began = Clock::now()](const std::stop_token& stop) {
          const timespec patience{0, 100'000'000};
          const sigset_t signals = watched();
          while (!stop.stop_requested()) {
            const bool signalled = sigtimedwait(&signals, nullptr, &patience) > 0;
            if (!signalled && (longest.count() == 0 || Clock::now() - began <= longest)) continue;
            ended_ = true;
            return stream.cancel();
          }
        }) {}

  /// Whether the watch has ended the stream, and not the server.
  bool ended() const noexcept { return ended_; }

  static void block() {
    const sigset_t signals = watched();
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  }

 private:
  using Clock = std::chrono::steady_clock;

  static sigset_t watched() {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    return signals;
  }
  std::atomic<bool> ended_ = false;
  std::jthread thread_;  // the last member: it begins when the others exist
};

}  // namespace tactus::example
