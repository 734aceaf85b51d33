// Covers: rt/loop/futex.cpp
#include "rt/loop/snapshot_ring.h"

#include "rt/error.h"

#include <catch2/catch.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

namespace {

using namespace tactus::rt;
using namespace std::chrono_literals;

constexpr std::size_t kStateSize = 61, kInputsSize = 3;

Snapshot shape() {
  Snapshot snapshot;
  snapshot.state.resize(kStateSize);
  snapshot.inputs.resize(kInputsSize);
  return snapshot;
}

/// Every number follows from the publication index, so a torn copy shows.
void fill(Snapshot& snapshot, std::uint64_t index) {
  const auto n = static_cast<std::int64_t>(index);
  snapshot.header.tick = n;
  snapshot.header.sim_time_ns = 3 * n;
  snapshot.header.input_sequence = 7 * index;
  snapshot.header.report.residual = static_cast<double>(n) + 0.5;
  for (std::size_t i = 0; i < kStateSize; ++i) snapshot.state[i] = static_cast<double>(n) * 64 + static_cast<double>(i);
  for (std::size_t i = 0; i < kInputsSize; ++i) snapshot.inputs[i] = -static_cast<double>(n) - static_cast<double>(i);
}

bool isWhole(const Snapshot& snapshot, std::uint64_t index) {
  Snapshot wanted = shape();
  fill(wanted, index);
  return snapshot.header.tick == wanted.header.tick && snapshot.header.sim_time_ns == wanted.header.sim_time_ns &&
         snapshot.header.input_sequence == wanted.header.input_sequence &&
         snapshot.header.report.residual == wanted.header.report.residual && snapshot.state == wanted.state &&
         snapshot.inputs == wanted.inputs;
}

void publish(SnapshotRing& ring, Snapshot& scratch, std::uint64_t index) {
  fill(scratch, index);
  ring.publish(scratch.header, scratch.state, scratch.inputs);
}

}  // namespace

TEST_CASE("a ring returns each publication by its index", "[rt][loop]") {
  SnapshotRing ring(shape(), 4);
  Snapshot scratch = shape(), out;
  CHECK(ring.newestIndex() == 0);
  CHECK(ring.newest(out) == 0);
  CHECK(ring.read(0, out).result == ReadResult::kNotYet);
  CHECK(ring.read(1, out).result == ReadResult::kNotYet);

  for (std::uint64_t i = 1; i <= 3; ++i) publish(ring, scratch, i);
  ring.prefetchNext();  // changes nothing
  CHECK(ring.newest(out) == 3);
  CHECK(isWhole(out, 3));
  for (std::uint64_t i = 1; i <= 3; ++i) {
    CHECK(ring.read(i, out).result == ReadResult::kOk);
    CHECK(isWhole(out, i));
  }
  CHECK(ring.read(4, out).result == ReadResult::kNotYet);
  CHECK(ring.read(5, out).result == ReadResult::kNotYet);
}

TEST_CASE("reading an overwritten publication reports how many are lost", "[rt][loop]") {
  SnapshotRing ring(shape(), 4);
  Snapshot scratch = shape(), out;
  for (std::uint64_t i = 1; i <= 10; ++i) publish(ring, scratch, i);

  // 7 to 10 are there.
  const auto read = ring.read(1, out);
  CHECK(read.result == ReadResult::kOverwritten);
  CHECK(read.lost == 6);
  CHECK(ring.read(6, out).lost == 1);
  CHECK(ring.read(7, out).result == ReadResult::kOk);
  CHECK(isWhole(out, 7));
}

TEST_CASE("a ring of one slot is refused", "[rt][loop]") {
  CHECK_THROWS_AS(SnapshotRing(shape(), 1), tactus::Error);
}

TEST_CASE("readers of a fast producer get whole snapshots in order, and count what they lost", "[rt][loop]") {
  constexpr std::uint64_t kPublications = 60'000;
  SnapshotRing ring(shape(), 4);
  std::atomic<int> ready{0};

  struct Tally {
    std::uint64_t read = 0, lost = 0, torn = 0;
  };
  const auto follow = [&](Tally& tally) {
    Snapshot out = shape();
    ready.fetch_add(1);
    for (std::uint64_t index = 1; index <= kPublications;) {
      const auto result = ring.read(index, out);
      if (result.result == ReadResult::kOk) {
        ++tally.read;
        tally.torn += isWhole(out, index) ? 0u : 1u;
        ++index;
      } else if (result.result == ReadResult::kOverwritten) {
        tally.lost += result.lost;
        index += result.lost;
      } else {
        ring.waitNewer(index - 1, -1ns);
      }
    }
  };
  const auto sample = [&](Tally& tally) {
    Snapshot out = shape();
    ready.fetch_add(1);
    for (std::uint64_t last = 0; last < kPublications;) {
      const std::uint64_t index = ring.newest(out);
      if (index == 0) continue;
      tally.torn += index >= last && isWhole(out, index) ? 0u : 1u;
      last = index;
      ++tally.read;
    }
  };

  Tally followers[2], sampler;
  std::vector<std::thread> threads;
  for (Tally& tally : followers) threads.emplace_back(follow, std::ref(tally));
  threads.emplace_back(sample, std::ref(sampler));
  while (ready.load() < 3) std::this_thread::yield();

  Snapshot scratch = shape();
  for (std::uint64_t i = 1; i <= kPublications; ++i) publish(ring, scratch, i);
  for (std::thread& thread : threads) thread.join();

  for (const Tally& tally : followers) {
    CHECK(tally.torn == 0);
    CHECK(tally.read + tally.lost == kPublications);
  }
  CHECK(sampler.torn == 0);
  CHECK(sampler.read > 0);
}

TEST_CASE("no reader sleeps through a publication", "[rt][loop]") {
  // The producer continues only when the reader has woken: a lost wake-up hangs the test.
  constexpr std::uint64_t kRounds = 20'000;
  SnapshotRing ring(shape(), 4);
  std::atomic<std::uint64_t> seen{0};
  std::thread reader([&] {
    for (std::uint64_t index = 0; index < kRounds; ++index) {
      if (ring.waitNewer(index, -1ns) != WaitResult::kNewer) break;
      seen.store(index + 1);
    }
  });
  Snapshot scratch = shape();
  for (std::uint64_t i = 1; i <= kRounds; ++i) {
    publish(ring, scratch, i);
    while (seen.load() < i) std::this_thread::yield();
  }
  reader.join();
  CHECK(seen.load() == kRounds);
}

TEST_CASE("a wait ends by timeout, by an existing publication, and by closing", "[rt][loop]") {
  SnapshotRing ring(shape(), 4);
  CHECK(ring.waitNewer(0, 0ns) == WaitResult::kTimeout);
  CHECK(ring.waitNewer(0, 1ms) == WaitResult::kTimeout);

  Snapshot scratch = shape();
  publish(ring, scratch, 1);
  CHECK(ring.waitNewer(0, -1ns) == WaitResult::kNewer);
  CHECK(ring.waitNewer(1, 0ns) == WaitResult::kTimeout);

  std::vector<WaitResult> results(3, WaitResult::kTimeout);
  std::vector<std::thread> waiters;
  for (WaitResult& result : results) waiters.emplace_back([&ring, &result] { result = ring.waitNewer(1, -1ns); });
  ring.close();
  for (std::thread& waiter : waiters) waiter.join();
  for (const WaitResult result : results) CHECK(result == WaitResult::kClosed);

  // What was published before is still there to be read.
  CHECK(ring.waitNewer(0, -1ns) == WaitResult::kNewer);
  CHECK(ring.waitNewer(1, -1ns) == WaitResult::kClosed);
}
