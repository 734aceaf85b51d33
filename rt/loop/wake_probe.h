// WakeProbe: measures, beside a running session, how late this host wakes a thread without work.
#pragma once

#include "rt/loop/latency_histogram.h"
#include "rt/loop/realtime_thread.h"

#include <atomic>
#include <thread>

namespace tactus::rt {

/// A thread in the class and on the cores of the tick thread that sleeps, wakes and records its lateness: the lateness
/// of ticks without work. It sleeps without the spin of a TickClock, as cyclictest does.
class WakeProbe {
 public:
  explicit WakeProbe(const ThreadRequest& request);
  ~WakeProbe();

  WakeProbe(const WakeProbe&) = delete;
  WakeProbe& operator=(const WakeProbe&) = delete;

  /// Lateness of the wake-ups so far; `worst_tick` is the number of the worst.
  LatencySummary summary() const noexcept { return histogram_.summary(); }

  /// Counts from zero from the next wake-up.
  void requestReset() noexcept { reset_requested_.store(true, std::memory_order_release); }

 private:
  void run(const ThreadRequest& request);

  LatencyHistogram histogram_;
  std::atomic<bool> stop_{false}, reset_requested_{false};
  std::thread thread_;
};

}  // namespace tactus::rt
