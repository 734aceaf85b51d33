// Announcer: one thread that tells all sleeping readers of a SnapshotRing of a publication, so that the tick wakes
// one thread at most, however many readers there are.
#pragma once

#include "rt/loop/snapshot_ring.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

namespace tactus::rt {

/// Sleeps on the ring and wakes its own waiters. While nobody waits here it does not wait on the ring either, and a
/// publication costs the tick no system call at all.
class Announcer {
 public:
  /// Starts the thread, in the class of the caller: create it before raising that. The ring must outlive this object.
  explicit Announcer(SnapshotRing& ring);
  ~Announcer() { close(); }

  Announcer(const Announcer&) = delete;
  Announcer& operator=(const Announcer&) = delete;

  /// As SnapshotRing::waitNewer, for any number of threads.
  WaitResult waitNewer(std::uint64_t index, std::chrono::nanoseconds timeout) noexcept;

  /// Closes the ring, ends every wait and the thread. From one thread; a second call does nothing.
  void close() noexcept;

 private:
  void announce(std::uint64_t told) noexcept;
  void sleepUntilWanted() noexcept;

  SnapshotRing& ring_;
  std::atomic<std::uint32_t> bell_{0};     ///< changes with each announcement; lowest bit: somebody sleeps
  std::atomic<std::uint32_t> resting_{0};  ///< 1 while the thread waits for somebody to want it
  std::atomic<bool> closed_{false};
  std::thread thread_;
};

}  // namespace tactus::rt
