// ReaderWaker: a thread that wakes all sleeping readers of a SnapshotRing, so that the tick wakes at most one thread,
// however many readers there are.
#pragma once

#include "rt/loop/snapshot_ring.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

namespace tactus::rt {

/// Its thread sleeps on the ring and wakes the readers that wait here. While no reader waits here, the thread does not
/// wait on the ring, and a publication costs the tick no system call.
class ReaderWaker {
 public:
  /// Starts the thread, in the scheduling class of the caller: create it before raising that class. The ring must
  /// outlive this object.
  explicit ReaderWaker(SnapshotRing& ring);
  ~ReaderWaker() { close(); }

  ReaderWaker(const ReaderWaker&) = delete;
  ReaderWaker& operator=(const ReaderWaker&) = delete;

  /// As SnapshotRing::waitNewer, for any number of threads.
  WaitResult waitNewer(std::uint64_t index, std::chrono::nanoseconds timeout) noexcept;

  /// Closes the ring, ends every wait and the thread. From one thread; a second call does nothing.
  void close() noexcept;

 private:
  void run(std::uint64_t told) noexcept;
  void sleepUntilWanted() noexcept;

  SnapshotRing& ring_;
  std::atomic<std::uint32_t> signal_{0};   ///< changes with each wake-up; lowest bit: a reader sleeps
  std::atomic<std::uint32_t> resting_{0};  ///< 1 while the thread waits for a sleeping reader
  std::atomic<bool> closed_{false};
  std::thread thread_;
};

}  // namespace tactus::rt
