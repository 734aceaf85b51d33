#include "rt/loop/reader_waker.h"

#include "rt/loop/futex.h"
#include "rt/loop/time_source.h"

#include <climits>

namespace tactus::rt {

namespace {

constexpr std::uint32_t kSleeper = 1;     // lowest bit of the signal
constexpr std::uint32_t kGeneration = 2;  // the other bits count wake-ups

}  // namespace

// `told` is fixed before any reader can wait here, not when the thread gets to run.
ReaderWaker::ReaderWaker(SnapshotRing& ring) : ring_(ring), thread_([this, told = ring.newestIndex()] { run(told); }) {}

void ReaderWaker::run(std::uint64_t told) noexcept {
  while (ring_.waitNewer(told, std::chrono::nanoseconds(-1)) == WaitResult::kNewer) {
    told = ring_.newestIndex();
    // Wake all sleeping readers. If there are none, rest until one wants to sleep.
    std::uint32_t before = signal_.load(std::memory_order_relaxed);
    while (!signal_.compare_exchange_weak(before, (before + kGeneration) & ~kSleeper, std::memory_order_seq_cst)) {}
    if (before & kSleeper) {
      futexWake(signal_, INT_MAX);
    } else {
      sleepUntilWanted();
    }
  }
}

void ReaderWaker::sleepUntilWanted() noexcept {
  // Either this thread sees the bit of a sleeper, or the sleeper sees that this thread rests: each side writes first,
  // then reads the word of the other.
  resting_.store(1, std::memory_order_seq_cst);
  while (!(signal_.load(std::memory_order_seq_cst) & kSleeper) && !closed_.load(std::memory_order_seq_cst) &&
         resting_.load(std::memory_order_seq_cst)) {
    futexWait(resting_, 1, kNever);
  }
  resting_.store(0, std::memory_order_seq_cst);
}

WaitResult ReaderWaker::waitNewer(std::uint64_t index, std::chrono::nanoseconds timeout) noexcept {
  const std::int64_t deadline = timeout.count() < 0 ? kNever : monotonicTime().now() + timeout.count();
  for (bool in_time = true;;) {
    std::uint32_t signal = signal_.load(std::memory_order_seq_cst);
    if (ring_.newestIndex() > index) return WaitResult::kNewer;
    if (closed_.load(std::memory_order_acquire)) return WaitResult::kClosed;
    if (!in_time) return WaitResult::kTimeout;
    if (!(signal & kSleeper)) {
      if (!signal_.compare_exchange_strong(signal, signal | kSleeper, std::memory_order_seq_cst)) continue;
      if (resting_.exchange(0, std::memory_order_seq_cst)) futexWake(resting_, 1);
    }
    in_time = futexWait(signal_, signal | kSleeper, deadline);
  }
}

void ReaderWaker::close() noexcept {
  if (!thread_.joinable()) return;
  // First the thread, out of either of its two sleeps.
  closed_.store(true, std::memory_order_seq_cst);
  ring_.close();
  if (resting_.exchange(0, std::memory_order_seq_cst)) futexWake(resting_, 1);
  thread_.join();

  // Then every reader that waits here.
  signal_.fetch_add(kGeneration, std::memory_order_seq_cst);
  futexWake(signal_, INT_MAX);
}

}  // namespace tactus::rt
