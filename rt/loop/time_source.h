// TimeSource: the clock that the loop reads. Tests replace it by a fake clock.
#pragma once

#include <cstdint>

namespace tactus::rt {

/// Nanoseconds from an arbitrary origin. now() must advance between calls, or a spin would not end.
struct TimeSource {
  std::int64_t (*now_function)(void* self) noexcept;
  void (*sleep_until_function)(void* self, std::int64_t time_ns) noexcept;
  void* self = nullptr;

  std::int64_t now() const noexcept { return now_function(self); }

  /// Sleeps until `time_ns` or later.
  void sleepUntil(std::int64_t time_ns) const noexcept { sleep_until_function(self, time_ns); }
};

/// CLOCK_MONOTONIC, with absolute clock_nanosleep.
TimeSource monotonicTime() noexcept;

/// CLOCK_REALTIME, ns since 1970: for time stamps that leave the machine, never for pacing.
std::int64_t wallClockNs() noexcept;

}  // namespace tactus::rt
