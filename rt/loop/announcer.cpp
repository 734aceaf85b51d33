#include "rt/loop/announcer.h"

#include "rt/loop/futex.h"
#include "rt/loop/time_source.h"

#include <climits>

namespace tactus::rt {

namespace {

constexpr std::uint32_t kSleeper = 1;     // lowest bit of the bell
constexpr std::uint32_t kGeneration = 2;  // the rest counts announcements

}  // namespace

// What counts as told is settled before anybody can wait here, not when the thread gets to run.
Announcer::Announcer(SnapshotRing& ring)
    : ring_(ring), thread_([this, told = ring.newestIndex()] { announce(told); }) {}

void Announcer::announce(std::uint64_t told) noexcept {
  while (ring_.waitNewer(told, std::chrono::nanoseconds(-1)) == WaitResult::kNewer) {
    told = ring_.newestIndex();
    // Tell all who sleep. If nobody does, rest until somebody wants to.
    std::uint32_t before = bell_.load(std::memory_order_relaxed);
    while (!bell_.compare_exchange_weak(before, (before + kGeneration) & ~kSleeper, std::memory_order_seq_cst)) {}
    if (before & kSleeper) {
      futexWake(bell_, INT_MAX);
    } else {
      sleepUntilWanted();
    }
  }
}

void Announcer::sleepUntilWanted() noexcept {
  // Either this sees the sleeper's bit, or the sleeper sees that this rests: both sides write, then read the other.
  resting_.store(1, std::memory_order_seq_cst);
  while (!(bell_.load(std::memory_order_seq_cst) & kSleeper) && !closed_.load(std::memory_order_seq_cst) &&
         resting_.load(std::memory_order_seq_cst)) {
    futexWait(resting_, 1, kNever);
  }
  resting_.store(0, std::memory_order_seq_cst);
}

WaitResult Announcer::waitNewer(std::uint64_t index, std::chrono::nanoseconds timeout) noexcept {
  const std::int64_t deadline = timeout.count() < 0 ? kNever : monotonicTime().now() + timeout.count();
  for (bool in_time = true;;) {
    std::uint32_t bell = bell_.load(std::memory_order_seq_cst);
    if (ring_.newestIndex() > index) return WaitResult::kNewer;
    if (closed_.load(std::memory_order_acquire)) return WaitResult::kClosed;
    if (!in_time) return WaitResult::kTimeout;
    if (!(bell & kSleeper)) {
      if (!bell_.compare_exchange_strong(bell, bell | kSleeper, std::memory_order_seq_cst)) continue;
      if (resting_.exchange(0, std::memory_order_seq_cst)) futexWake(resting_, 1);
    }
    in_time = futexWait(bell_, bell | kSleeper, deadline);
  }
}

void Announcer::close() noexcept {
  if (!thread_.joinable()) return;
  // The thread first, out of either of its two sleeps.
  closed_.store(true, std::memory_order_seq_cst);
  ring_.close();
  if (resting_.exchange(0, std::memory_order_seq_cst)) futexWake(resting_, 1);
  thread_.join();

  // Then everybody who waits here.
  bell_.fetch_add(kGeneration, std::memory_order_seq_cst);
  futexWake(bell_, INT_MAX);
}

}  // namespace tactus::rt
