#include "rt/loop/scheduled_inputs.h"

#include <catch2/catch.hpp>

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

using namespace tactus::rt;

namespace {

const auto kAll = [](int) { return true; };

}  // namespace

TEST_CASE("a scheduled value is taken at its tick, the last of several for one tick, and never later", "[rt][loop]") {
  ScheduledInputs<int> waiting(0);
  for (const auto& [tick, value] : {std::pair{3, 30}, {3, 31}, {5, 50}, {6, 60}})
    REQUIRE(waiting.offer(tick, value) == ScheduleResult::kKept);
  CHECK(waiting.offer(4, 40) == ScheduleResult::kOutOfOrder);
  CHECK(waiting.take(2, kAll).value == nullptr);
  const auto third = waiting.take(3, kAll);
  REQUIRE(third.value);
  CHECK(*third.value == 31);
  CHECK(third.superseded == 1);
  const auto sixth = waiting.take(6, kAll);  // no tick 5 took its value
  REQUIRE(sixth.value);
  CHECK(*sixth.value == 60);
  CHECK(sixth.late == 1);

  // A value that is no longer valid is neither used nor late.
  REQUIRE(waiting.offer(7, 70) == ScheduleResult::kKept);
  const auto none = waiting.take(8, [](int) { return false; });
  CHECK(none.value == nullptr);
  CHECK(none.late == 0);
}

TEST_CASE("no more values wait than the capacity allows", "[rt][loop]") {
  ScheduledInputs<int> waiting(0);
  const int capacity = static_cast<int>(ScheduledInputs<int>::kCapacity);
  for (int i = 0; i < capacity; ++i) REQUIRE(waiting.offer(i, i) == ScheduleResult::kKept);
  CHECK(waiting.offer(capacity, 0) == ScheduleResult::kFull);
  CHECK(waiting.take(0, kAll).value != nullptr);
  CHECK(waiting.offer(capacity, 0) == ScheduleResult::kKept);
  waiting.clear();
  CHECK(waiting.take(capacity, kAll).value == nullptr);
}

TEST_CASE("a writer and a reader of scheduled values need no lock", "[rt][loop]") {
  ScheduledInputs<std::vector<std::int64_t>> waiting(std::vector<std::int64_t>(8));
  constexpr std::int64_t kTicks = 20000;
  std::thread writer([&] {
    for (std::int64_t tick = 1; tick <= kTicks;) {
      if (waiting.offer(tick, std::vector<std::int64_t>(8, tick)) == ScheduleResult::kKept)
        ++tick;
      else
        std::this_thread::yield();
    }
  });
  bool whole = true;
  for (std::int64_t tick = 1; tick <= kTicks;) {
    const auto due = waiting.take(tick, [](const auto&) { return true; });
    whole = whole && due.late == 0 && due.superseded == 0;
    if (!due.value) {
      std::this_thread::yield();
      continue;
    }
    whole = whole && *due.value == std::vector<std::int64_t>(8, tick);
    ++tick;
  }
  writer.join();
  CHECK(whole);
}

TEST_CASE("values are cleared by one thread while others write and take them", "[rt][loop]") {
  ScheduledInputs<std::vector<std::int64_t>> waiting(std::vector<std::int64_t>(8));
  constexpr std::int64_t kTicks = 20000;
  std::atomic<bool> done{false};
  std::thread writer([&] {
    for (std::int64_t tick = 1; tick <= kTicks;) {
      if (waiting.offer(tick, std::vector<std::int64_t>(8, tick)) == ScheduleResult::kKept)
        ++tick;
      else
        std::this_thread::yield();
    }
    done = true;
  });
  std::thread clearer([&] {
    while (!done) {
      waiting.clear();
      std::this_thread::yield();
    }
  });
  // What is taken was offered for the tick, whole; none of a tick twice.
  bool whole = true;
  std::int64_t last = 0;
  for (std::int64_t tick = 1; !done; ++tick) {
    const auto due = waiting.take(tick, [](const auto&) { return true; });
    if (!due.value) continue;
    whole = whole && *due.value == std::vector<std::int64_t>(8, tick) && tick > last;
    last = tick;
  }
  writer.join();
  clearer.join();
  CHECK(whole);
  waiting.clear();
  CHECK(waiting.offer(1, std::vector<std::int64_t>(8, 1)) == ScheduleResult::kKept);
  CHECK(waiting.take(1, [](const auto&) { return true; }).value != nullptr);
}
