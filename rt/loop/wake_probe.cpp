#include "rt/loop/wake_probe.h"

#include "rt/loop/time_source.h"

#include <cstdint>

namespace tactus::rt {

namespace {

// A hundred times a second, out of step with the usual periods of ticks.
constexpr std::int64_t kInterval = 9'730'000;

}  // namespace

WakeProbe::WakeProbe(const ThreadRequest& request) : thread_([this, request] { run(request); }) {}

WakeProbe::~WakeProbe() {
  stop_ = true;
  thread_.join();
}

void WakeProbe::run(const ThreadRequest& request) {
  enterRealtime(request);
  const TimeSource time = monotonicTime();
  std::int64_t due = time.now();
  for (std::int64_t wake = 1; !stop_.load(std::memory_order_relaxed); ++wake) {
    // A late wake-up does not shift the next one into the past.
    const std::int64_t now = time.now();
    while (due <= now) due += kInterval;
    time.sleepUntil(due);
    const std::int64_t lateness = time.now() - due;
    if (reset_requested_.exchange(false, std::memory_order_acquire)) histogram_.clear();
    histogram_.record(lateness, wake);
  }
}

}  // namespace tactus::rt
