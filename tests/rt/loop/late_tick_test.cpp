// Covers: rt/loop/time_source.cpp
#include "rt/loop/late_tick.h"

#include "rt/loop/time_source.h"

#include <catch2/catch.hpp>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <thread>

#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

namespace {

using namespace tactus::rt;

constexpr std::int64_t kLost = 1'000'000;

ThreadUsage spent(std::int64_t cpu_ns, std::int64_t run_queue_ns, std::int64_t minor = 0, std::int64_t major = 0) {
  return {minor, major, 0, cpu_ns, run_queue_ns};
}

volatile std::uint64_t sink = 0;

}  // namespace

TEST_CASE("the cause of a late tick explains at least half of the lost time", "[rt][loop]") {
  CHECK(causeOf(kLost, spent(20'000, 0), spent(20'000, 0), false) == LateCause::kHostStall);
  CHECK(causeOf(kLost, spent(20'000, 499'999), spent(20'000, 0), false) == LateCause::kHostStall);
  CHECK(causeOf(kLost, spent(20'000, 500'000), spent(20'000, 0), false) == LateCause::kPreemption);
  CHECK(causeOf(kLost, spent(519'999, 0), spent(20'000, 0), false) == LateCause::kHostStall);
  CHECK(causeOf(kLost, spent(520'000, 0), spent(20'000, 0), false) == LateCause::kOwnWork);
  // No more work than always, and yet it ran: a hypervisor had the core, or the work itself was slow.
  CHECK(causeOf(kLost, spent(520'000, 0), spent(20'000, 0), true) == LateCause::kSlowRun);
  CHECK(causeOf(kLost, spent(519'999, 0), spent(20'000, 0), true) == LateCause::kHostStall);
  CHECK(causeOf(kLost, spent(20'000, 0, 0, 1), spent(20'000, 0), false) == LateCause::kPageFault);
  CHECK(causeOf(kLost, spent(20'000, 0, 60), spent(20'000, 0), false) == LateCause::kPageFault);
  CHECK(causeOf(kLost, spent(20'000, 0, 3), spent(20'000, 0), false) == LateCause::kHostStall);

  // Preemption and page faults are reported before the thread's own work and before a slow run.
  for (const bool ordinary : {false, true}) {
    CAPTURE(ordinary);
    CHECK(causeOf(kLost, spent(600'000, 600'000), spent(20'000, 0), ordinary) == LateCause::kPreemption);
    CHECK(causeOf(kLost, spent(600'000, 0, 0, 1), spent(20'000, 0), ordinary) == LateCause::kPageFault);
  }
}

TEST_CASE("what a thread always waits, works and faults explains no late tick", "[rt][loop]") {
  const ThreadUsage usual = spent(3'000'000, 2'000'000, 500);
  CHECK(causeOf(kLost, spent(3'000'000, 2'000'000, 500), usual, true) == LateCause::kHostStall);
  CHECK(causeOf(kLost, spent(3'000'000, 2'500'000, 500), usual, true) == LateCause::kPreemption);
  CHECK(causeOf(kLost, spent(3'000'000, 2'000'000, 550), usual, true) == LateCause::kPageFault);
  CHECK(causeOf(kLost, spent(3'500'000, 2'000'000, 500), usual, true) == LateCause::kSlowRun);
}

TEST_CASE("the usual use of a thread is known from the first ticks of each run on", "[rt][loop]") {
  constexpr std::int64_t kBefore = 5300, kSecond = 1000;
  const LateTickAnalyzer analyzer(kBefore);
  for (const std::int64_t tick : {1, 2, 4, 8, 512}) CHECK(analyzer.isBaselineDue(kBefore + tick, kSecond));
  for (const std::int64_t tick : {3, 5, 511, 699}) CHECK_FALSE(analyzer.isBaselineDue(kBefore + tick, kSecond));
  CHECK(analyzer.isBaselineDue(6000, kSecond));
}

TEST_CASE("own work is the cause only for a tick with more work than ticks on time", "[rt][loop]") {
  const auto spin = [](std::int64_t ns) {
    const UsageReader reader;
    const ThreadUsage before = reader.read();
    while (reader.read().cpu_ns - before.cpu_ns < ns) sink = sink + 1;
  };
  LateTickAnalyzer analyzer(0);
  spin(3'000'000);
  CHECK(analyzer.classify(1, 3'000'000, {1, 1}).cause != LateCause::kHostStall);  // none has been on time yet
  analyzer.recordOnTime({1, 2});
  analyzer.sampleBaseline(2);
  spin(3'000'000);
  // The usual work took longer: a slow run, unless others had the core for as long as it took.
  const LateTickAnalyzer::Finding slow = analyzer.classify(3, 3'000'000, {1, 2});
  CHECK(slow.spent.cpu_ns >= 3'000'000);
  CHECK(slow.cause != LateCause::kOwnWork);
  CHECK(slow.cause != LateCause::kHostStall);
  spin(3'000'000);
  CHECK(analyzer.classify(4, 3'000'000, {2, 2}).cause != LateCause::kHostStall);
  spin(3'000'000);
  CHECK(analyzer.classify(5, 3'000'000, {1, 3}).cause != LateCause::kHostStall);
}

TEST_CASE("the usage of a thread shows its work, its page faults and its sleep", "[rt][loop]") {
  const UsageReader reader;
  const TimeSource time = monotonicTime();

  // Work: as long as the kernel has counted 5 ms of it.
  ThreadUsage before = reader.read();
  while (reader.read().cpu_ns - before.cpu_ns < 5'000'000) {
    for (int i = 0; i < 10'000; ++i) sink = sink + 1;
  }
  ThreadUsage used = reader.read() - before;
  CHECK(causeOf(5'000'000, {0, 0, 0, used.cpu_ns, 0}, {}, false) == LateCause::kOwnWork);

  // Fresh pages.
  const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  constexpr std::size_t kPages = 64;
  void* memory = mmap(nullptr, kPages * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  REQUIRE(memory != MAP_FAILED);
  madvise(memory, kPages * page, MADV_NOHUGEPAGE);
  before = reader.read();
  for (std::size_t i = 0; i < kPages; ++i) static_cast<volatile char*>(memory)[i * page] = 1;
  used = reader.read() - before;
  munmap(memory, kPages * page);
  CHECK(used.minor_faults >= static_cast<std::int64_t>(kPages));

  // Sleep: neither work nor waiting for a core accounts for all of it.
  before = reader.read();
  const std::int64_t begin = time.now();
  time.sleepUntil(begin + 20'000'000);
  used = reader.read() - before;
  CHECK(used.cpu_ns < time.now() - begin);
}

TEST_CASE("the usage of two threads on one core shows their waits for each other", "[rt][loop]") {
  // Both on the core that this one is on; each spins until the other has run for 20 ms of its own.
  cpu_set_t all, one;
  CPU_ZERO(&all);
  REQUIRE(sched_getaffinity(0, sizeof all, &all) == 0);
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  if (sched_setaffinity(0, sizeof one, &one) != 0) {
    std::puts("SKIPPED: no right to choose a core");
    return;
  }
  const UsageReader reader;
  if (reader.read().run_queue_ns == 0 && access("/proc/thread-self/schedstat", R_OK) != 0) {
    sched_setaffinity(0, sizeof all, &all);
    std::puts("SKIPPED: the kernel does not say how long a thread waited");
    return;
  }
  const ThreadUsage before = reader.read();
  std::atomic<bool> done{false};
  std::thread rival([&] {
    const UsageReader own;
    const std::int64_t begin = own.read().cpu_ns;
    while (own.read().cpu_ns - begin < 20'000'000) {}
    done = true;
  });
  while (!done) {}
  rival.join();
  sched_setaffinity(0, sizeof all, &all);
  const ThreadUsage used = reader.read() - before;
  CHECK(used.run_queue_ns > 0);
  CHECK(causeOf(used.run_queue_ns, used, {0, 0, 0, used.cpu_ns, 0}, false) == LateCause::kPreemption);
}
