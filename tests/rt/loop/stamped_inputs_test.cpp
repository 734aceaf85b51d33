#include "rt/loop/stamped_inputs.h"

#include "rt/loop/tick_loop.h"
#include "tests/rt/loop/loop_mechanism.h"

#include <catch2/catch.hpp>

#include <cstdint>
#include <thread>
#include <vector>

using namespace tactus::rt;
using tactus::tests::LoopMechanism;

namespace {

const auto kAll = [](int) { return true; };

ActuatorInput push(std::uint64_t sequence, double value) {
  ActuatorInput input;
  input.sequence = sequence;
  input.values = {value, 0};
  return input;
}

Snapshot newest(const TickLoop& loop) {
  Snapshot snapshot;
  loop.ring().newest(snapshot);
  return snapshot;
}

}  // namespace

TEST_CASE("a scheduled value is taken at its tick, the last of several for one tick, and never later", "[rt][loop]") {
  StampedInputs<int> waiting(0);
  for (const auto& [tick, value] : {std::pair{3, 30}, {3, 31}, {5, 50}, {6, 60}})
    REQUIRE(waiting.offer(tick, value) == Stamping::kKept);
  CHECK(waiting.offer(4, 40) == Stamping::kFalling);
  CHECK(waiting.take(2, kAll).value == nullptr);
  const auto third = waiting.take(3, kAll);
  REQUIRE(third.value);
  CHECK(*third.value == 31);
  CHECK(third.superseded == 1);
  const auto sixth = waiting.take(6, kAll);  // nobody asked at tick 5
  REQUIRE(sixth.value);
  CHECK(*sixth.value == 60);
  CHECK(sixth.late == 1);

  // What has lost its right is neither used nor late.
  REQUIRE(waiting.offer(7, 70) == Stamping::kKept);
  const auto none = waiting.take(8, [](int) { return false; });
  CHECK(none.value == nullptr);
  CHECK(none.late == 0);
}

TEST_CASE("the number of queued scheduled values is limited", "[rt][loop]") {
  StampedInputs<int> waiting(0);
  const int capacity = static_cast<int>(StampedInputs<int>::kCapacity);
  for (int i = 0; i < capacity; ++i) REQUIRE(waiting.offer(i, i) == Stamping::kKept);
  CHECK(waiting.offer(capacity, 0) == Stamping::kFull);
  CHECK(waiting.take(0, kAll).value != nullptr);
  CHECK(waiting.offer(capacity, 0) == Stamping::kKept);
  waiting.clear();
  CHECK(waiting.take(capacity, kAll).value == nullptr);
}

TEST_CASE("a writer and a reader exchange scheduled values without a lock", "[rt][loop]") {
  StampedInputs<std::vector<std::int64_t>> waiting(std::vector<std::int64_t>(8));
  constexpr std::int64_t kTicks = 20000;
  std::thread writer([&] {
    for (std::int64_t tick = 1; tick <= kTicks;) {
      if (waiting.offer(tick, std::vector<std::int64_t>(8, tick)) == Stamping::kKept)
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

TEST_CASE("an input that names its tick is used in that tick, before one without a name", "[rt][loop]") {
  LoopMechanism m;
  TickLoop loop(m.model, m.plan, m.settings, m.initial);
  CHECK(loop.offerInputAt(2, push(1, 2)) == Stamping::kKept);
  CHECK(loop.offerInputAt(4, push(2, 4)) == Stamping::kKept);
  loop.tick();
  CHECK(newest(loop).inputs[0] == 0.25);
  loop.offerInput(push(3, 9));
  loop.tick();
  CHECK(newest(loop).inputs[0] == 2);
  CHECK(newest(loop).header.input_sequence == 1);
  CHECK(newest(loop).header.input_first_tick == 2);
  loop.tick();
  CHECK(newest(loop).inputs[0] == 2);
  loop.tick();
  CHECK(newest(loop).inputs[0] == 4);

  // A tick that is over leaves its input unused.
  CHECK(loop.offerInputAt(4, push(4, 5)) == Stamping::kKept);
  loop.tick();
  CHECK(newest(loop).inputs[0] == 4);
  const TickStatsReport report = loop.stats().report();
  CHECK(report.inputs_late == 1);
  CHECK(report.inputs_used == 2);
  CHECK(report.inputs_superseded == 1);
}

TEST_CASE("queued inputs are discarded by a reset and with the lease of their sender", "[rt][loop]") {
  LoopMechanism m;
  TickLoop loop(m.model, m.plan, m.settings, m.initial);
  loop.offerInputAt(1, push(1, 1));
  loop.reset(m.initial);
  loop.tick();
  CHECK(newest(loop).inputs[0] == 0.25);
  loop.offerInputAt(2, push(2, 2));
  loop.allow(0, kAllGroups);  // another holder
  loop.offerInputAt(3, push(3, 3));
  loop.tick();
  CHECK(newest(loop).inputs[0] == 0.25);
  loop.tick();
  CHECK(newest(loop).inputs[0] == 3);
  CHECK(loop.stats().report().inputs_late == 0);
}
