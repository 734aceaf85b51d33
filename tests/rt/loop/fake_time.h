// A clock that moves only when it is read or slept on, so that pacing can be checked by exact counts.
#pragma once

#include "rt/loop/time_source.h"

#include <cstdint>
#include <functional>

namespace tactus::tests {

/// Each reading costs `reading_ns`; a sleep ends `wakeLateness()` after its time.
class FakeTime {
 public:
  std::int64_t now_ns = 1'000'000'007;
  std::int64_t reading_ns = 40;
  std::function<std::int64_t()> wakeLateness = [] { return std::int64_t{0}; };
  std::int64_t sleeps = 0;

  rt::TimeSource source() { return {now, sleepUntil, this}; }

 private:
  static std::int64_t now(void* self) noexcept {
    auto& time = *static_cast<FakeTime*>(self);
    return time.now_ns += time.reading_ns;
  }

  static void sleepUntil(void* self, std::int64_t until_ns) noexcept {
    auto& time = *static_cast<FakeTime*>(self);
    ++time.sleeps;
    if (until_ns > time.now_ns) time.now_ns = until_ns;
    time.now_ns += time.wakeLateness();
  }
};

}  // namespace tactus::tests
