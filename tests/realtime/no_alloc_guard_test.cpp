// The guard detects every kind of allocation and lock: a guard that detects nothing would pass every tick.
#include "tests/support/no_alloc_guard.h"

#include "rt/loop/futex.h"

#include <catch2/catch.hpp>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>
#include <vector>

using tactus::tests::GuardCounts;
using tactus::tests::NoAllocGuard;

namespace {

// Keeps the compiler from removing an unused allocation.
void* volatile sink;

template <class Action>
GuardCounts watch(Action&& action) {
  NoAllocGuard guard;
  action();
  return guard.counts();
}

}  // namespace

TEST_CASE("the guard counts nothing in code that neither allocates nor locks", "[realtime]") {
  double sum = 0;
  const GuardCounts counts = watch([&sum] {
    for (int i = 0; i < 100; ++i) sum += i;
  });
  CHECK(sum == 4950);
  CHECK(counts.forbidden() == 0);
  CHECK(counts.system_calls == 0);
}

TEST_CASE("the guard detects a planted allocation of every kind", "[realtime]") {
  const GuardCounts news = watch([] {
    int* one = new int(3);
    sink = one;
    delete one;
  });
  CHECK(news.allocations == 1);
  CHECK(news.releases == 1);

  const GuardCounts c_family = watch([] {
    void* block = std::malloc(8);
    block = std::realloc(block, 1 << 20);
    sink = block;
    std::free(block);
    sink = block = std::calloc(3, 5);
    std::free(block);
  });
  CHECK(c_family.allocations >= 3);
  CHECK(c_family.releases >= 2);

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  // The hooks of the sanitizers leave these out.
  const GuardCounts aligned = watch([] {
    void* block = std::aligned_alloc(64, 128);
    sink = block;
    std::free(block);
    if (posix_memalign(&block, 64, 128) == 0) std::free(block);
  });
  CHECK(aligned.allocations == 2);
#endif

  std::vector<double> grown(4);
  CHECK(watch([&grown] { grown.resize(1000); }).allocations == 1);
  CHECK(watch([] { sink = std::make_shared<int>(4).get(); }).allocations == 1);
  CHECK(watch([] { sink = std::string(100, 'x').data(); }).allocations == 1);
}

TEST_CASE("the guard detects a planted lock of every kind", "[realtime]") {
  std::mutex mutex;
  std::shared_mutex shared;
  std::condition_variable condition;
  CHECK(watch([&] { const std::lock_guard lock(mutex); }).locks == 1);
  CHECK(watch([&] { const std::lock_guard lock(shared); }).locks == 1);
  CHECK(watch([&] { const std::shared_lock lock(shared); }).locks == 1);
  CHECK(watch([&] {
          std::unique_lock lock(mutex);
          condition.wait_for(lock, std::chrono::nanoseconds(1));
        }).locks >= 2);
}

TEST_CASE("the guard detects a planted futex call", "[realtime]") {
  std::atomic<std::uint32_t> word{0};
  CHECK(watch([&word] { tactus::rt::futexWake(word, 1); }).system_calls == 1);
}

TEST_CASE("the guard counts calls of its own thread only, and only during its lifetime", "[realtime]") {
  std::atomic<bool> go{false}, done{false};
  std::thread other([&] {
    while (!go.load()) std::this_thread::yield();
    for (int i = 0; i < 100; ++i) sink = std::make_unique<int>(i).get();
    done = true;
  });
  const GuardCounts counts = watch([&] {
    go = true;
    while (!done.load()) std::this_thread::yield();
  });
  other.join();
  CHECK(counts.forbidden() == 0);

  // What happened after one guard is not in the next.
  sink = std::make_unique<int>(1).get();
  CHECK(watch([] {}).forbidden() == 0);
}
