#include "rt/loop/reader_waker.h"

#include <catch2/catch.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

namespace {

using namespace tactus::rt;
using namespace std::chrono_literals;

Snapshot shape() {
  Snapshot snapshot;
  snapshot.state.resize(5);
  return snapshot;
}

}  // namespace

TEST_CASE("a waker wakes every reader at every publication", "[rt][loop]") {
  // The producer continues only when all readers have woken: a lost wake-up hangs the test.
  constexpr std::uint64_t kRounds = 3'000;
  constexpr int kReaders = 5;
  SnapshotRing ring(shape(), 8);
  ReaderWaker waker(ring);

  std::atomic<std::uint64_t> woken{0};
  std::vector<std::thread> readers;
  for (int r = 0; r < kReaders; ++r) {
    readers.emplace_back([&] {
      for (std::uint64_t index = 0; index < kRounds; ++index) {
        if (waker.waitNewer(index, -1ns) != WaitResult::kNewer) return;
        woken.fetch_add(1);
      }
    });
  }

  const Snapshot snapshot = shape();
  for (std::uint64_t i = 1; i <= kRounds; ++i) {
    ring.publish(snapshot.header, snapshot.state, snapshot.inputs);
    while (woken.load() < i * kReaders) std::this_thread::yield();
  }
  for (std::thread& reader : readers) reader.join();
  CHECK(woken.load() == kRounds * kReaders);
}

TEST_CASE("the first publication after a waker was made wakes its readers", "[rt][loop]") {
  // Its thread may get to run only after the reader sleeps and the publication is there.
  const Snapshot snapshot = shape();
  for (int round = 0; round < 300; ++round) {
    SnapshotRing ring(shape(), 8);
    const std::uint64_t before = round % 2 == 0 ? 0 : ring.publish(snapshot.header, snapshot.state, snapshot.inputs);
    ReaderWaker waker(ring);
    WaitResult result = WaitResult::kTimeout;
    std::thread reader([&] { result = waker.waitNewer(before, -1ns); });
    ring.publish(snapshot.header, snapshot.state, snapshot.inputs);
    reader.join();
    REQUIRE(result == WaitResult::kNewer);
  }
}

TEST_CASE("a waker that rested serves the next reader", "[rt][loop]") {
  SnapshotRing ring(shape(), 8);
  ReaderWaker waker(ring);
  const Snapshot snapshot = shape();
  std::uint64_t index = 0;
  for (int round = 0; round < 300; ++round) {
    // Publications without a waiting reader send the waker to rest.
    for (int i = 0; i < round % 5; ++i) index = ring.publish(snapshot.header, snapshot.state, snapshot.inputs);

    std::atomic<bool> asleep_soon{false};
    WaitResult result = WaitResult::kTimeout;
    std::thread reader([&] {
      asleep_soon.store(true);
      result = waker.waitNewer(index, -1ns);
    });
    while (!asleep_soon.load()) std::this_thread::yield();
    const std::uint64_t published = ring.publish(snapshot.header, snapshot.state, snapshot.inputs);
    reader.join();
    REQUIRE(result == WaitResult::kNewer);
    index = published;
  }
}

TEST_CASE("closing a waker releases all readers, even while it rests", "[rt][loop]") {
  const bool publish_first = GENERATE(false, true);
  SnapshotRing ring(shape(), 8);
  ReaderWaker waker(ring);
  std::uint64_t index = 0;
  const Snapshot snapshot = shape();
  if (publish_first) index = ring.publish(snapshot.header, snapshot.state, snapshot.inputs);

  CHECK(waker.waitNewer(index, 1ms) == WaitResult::kTimeout);
  std::vector<WaitResult> results(4, WaitResult::kTimeout);
  std::vector<std::thread> readers;
  for (WaitResult& result : results) {
    readers.emplace_back([&, index] { result = waker.waitNewer(index, -1ns); });
  }
  waker.close();
  waker.close();
  for (std::thread& reader : readers) reader.join();
  for (const WaitResult result : results) CHECK(result == WaitResult::kClosed);
  CHECK(waker.waitNewer(index, -1ns) == WaitResult::kClosed);
}

TEST_CASE("a waker that no reader has used ends", "[rt][loop]") {
  // A thread that missed its end would hang the destructor.
  const Snapshot snapshot = shape();
  for (std::uint64_t round = 0; round < 50; ++round) {
    SnapshotRing ring(shape(), 8);
    {
      ReaderWaker waker(ring);
      for (std::uint64_t i = 0; i < round % 3; ++i) ring.publish(snapshot.header, snapshot.state, snapshot.inputs);
    }
    CHECK(ring.newestIndex() == round % 3);
    CHECK(ring.waitNewer(round % 3, -1ns) == WaitResult::kClosed);
  }
}
