#include "rt/loop/time_source.h"

#include <cerrno>
#include <ctime>

namespace tactus::rt {

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

std::int64_t read(clockid_t clock) noexcept {
  timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec * kSecond + time.tv_nsec;
}

std::int64_t monotonicNow(void*) noexcept {
  return read(CLOCK_MONOTONIC);
}

void monotonicSleepUntil(void*, std::int64_t time_ns) noexcept {
  timespec time;
  time.tv_sec = time_ns / kSecond;
  time.tv_nsec = time_ns % kSecond;
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nullptr) == EINTR) {}
}

}  // namespace

TimeSource monotonicTime() noexcept {
  return {monotonicNow, monotonicSleepUntil, nullptr};
}

std::int64_t wallClockNs() noexcept {
  return read(CLOCK_REALTIME);
}

}  // namespace tactus::rt
