// Waking readers costs the tick at most one system call per publication, and none if no reader sleeps.
// Covers: rt/loop/futex.cpp
#include "rt/loop/reader_waker.h"
#include "tests/support/no_alloc_guard.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

namespace {

using namespace tactus::rt;
using namespace tactus::tests;

Snapshot shape() {
  Snapshot snapshot;
  snapshot.state.resize(19);
  return snapshot;
}

std::uint64_t callsToPublish(SnapshotRing& ring, const Snapshot& snapshot) {
  NoAllocGuard guard;
  ring.publish(snapshot.header, snapshot.state, snapshot.inputs);
  return guard.counts().system_calls;
}

}  // namespace

TEST_CASE("a publication without a waiting reader makes no system call", "[realtime]") {
  SnapshotRing ring(shape(), 8);
  const Snapshot snapshot = shape();
  for (int i = 0; i < 1000; ++i) REQUIRE(callsToPublish(ring, snapshot) == 0);
}

TEST_CASE("a sleeping reader costs one system call, once", "[realtime]") {
  SnapshotRing ring(shape(), 8);
  const Snapshot snapshot = shape();
  // A wait that timed out leaves its mark: the next publication calls, the one after does not.
  CHECK(ring.waitNewer(0, std::chrono::milliseconds(1)) == WaitResult::kTimeout);
  CHECK(callsToPublish(ring, snapshot) == 1);
  CHECK(callsToPublish(ring, snapshot) == 0);
}

TEST_CASE("sixteen sleeping readers behind a waker cost at most one system call per publication", "[realtime]") {
  constexpr std::uint64_t kRounds = 200;
  constexpr int kReaders = 16;
  SnapshotRing ring(shape(), 8);
  ReaderWaker waker(ring);
  std::atomic<std::uint64_t> woken{0};
  std::vector<std::thread> readers;
  for (int r = 0; r < kReaders; ++r) {
    readers.emplace_back([&] {
      for (std::uint64_t index = 0; index < kRounds; ++index) {
        if (waker.waitNewer(index, std::chrono::nanoseconds(-1)) != WaitResult::kNewer) return;
        woken.fetch_add(1);
      }
    });
  }
  const Snapshot snapshot = shape();
  std::uint64_t most = 0;
  for (std::uint64_t i = 1; i <= kRounds; ++i) {
    most = std::max(most, callsToPublish(ring, snapshot));
    while (woken.load() < i * kReaders) std::this_thread::yield();
  }
  for (std::thread& reader : readers) reader.join();
  CHECK(most <= 1);
  CHECK(woken.load() == kRounds * kReaders);
}

TEST_CASE("a waker without readers costs no further system call", "[realtime]") {
  SnapshotRing ring(shape(), 8);
  ReaderWaker waker(ring);
  const Snapshot snapshot = shape();
  // One that never rested would sleep on the ring again and again, and this would not end.
  for (int quiet = 0; quiet < 1000; std::this_thread::yield()) {
    quiet = callsToPublish(ring, snapshot) == 0 ? quiet + 1 : 0;
  }
  CHECK(callsToPublish(ring, snapshot) == 0);
}
