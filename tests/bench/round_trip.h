// The interface of every lane of a round-trip benchmark.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

namespace tactus::bench {

struct MessageBytes {
  std::size_t request = 0, response = 0;
};

/// An open stream on its own connection; at most one message is in flight.
class RoundTripClient {
 public:
  virtual ~RoundTripClient() = default;

  /// Sends `count` messages, each after the answer to the one before and, if `period` is not zero, not before its
  /// grid point. Appends to `samples` the ns from before a message is filled in until the code of the caller has its
  /// answer.
  /// @throws Error if the stream ends early or answers another message
  virtual void run(int count, std::chrono::nanoseconds period, std::vector<std::int64_t>& samples) = 0;

  /// Size of the newest messages on the wire, without the framing of gRPC; zero if unknown.
  virtual MessageBytes messageBytes() const = 0;
};

/// The deadlines at which messages may leave; the first one is now.
class Pacer {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Pacer(std::chrono::nanoseconds period) : period_(period), next_(Clock::now()) {}

  void wait() {
    if (period_.count() == 0) return;
    std::this_thread::sleep_until(next_);
    // A late round trip skips deadlines; it never causes a burst.
    do next_ += period_;
    while (next_ <= Clock::now());
  }

 private:
  std::chrono::nanoseconds period_;
  Clock::time_point next_;
};

}  // namespace tactus::bench
