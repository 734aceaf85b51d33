#include "rt/loop/input_writers.h"

#include "rt/loop/tick_loop.h"
#include "tests/rt/loop/loop_mechanism.h"

#include <catch2/catch.hpp>

#include <cstdint>

using namespace tactus::rt;
using tactus::tests::LoopMechanism;
using tactus::tests::newest;

namespace {

ActuatorInput push(std::uint64_t sequence, double value) {
  ActuatorInput input;
  input.sequence = sequence;
  input.values = {value, 0};
  return input;
}

}  // namespace

TEST_CASE("an offered input is taken once, with the groups that its writer may drive", "[rt][loop]") {
  const LoopMechanism m;
  InputWriters writers(m.model, monotonicTime());
  REQUIRE(writers.count() == 2);
  CHECK(writers.take(0, 1).input == nullptr);

  CHECK(writers.offer(push(7, 3)));
  const InputWriters::Taken first = writers.take(0, 1);
  REQUIRE(first.input);
  CHECK(first.input->sequence == 7);
  CHECK(first.groups == kAllGroups);
  CHECK(writers.take(0, 2).input == nullptr);

  // At first only writer 0 drives; another one drives what it is given.
  writers.offer(push(8, 4), 1);
  CHECK(writers.take(1, 3).groups == 0);
  writers.allow(1, 1);
  writers.offer(push(9, 5), 1);
  CHECK(writers.take(1, 4).groups == 1);
}

TEST_CASE("an input with the wrong number of values is ignored", "[rt][loop]") {
  const LoopMechanism m;
  InputWriters writers(m.model, monotonicTime());
  ActuatorInput wrong = push(1, 1);
  wrong.values.push_back(0);
  CHECK_FALSE(writers.offer(wrong));
  CHECK(writers.take(0, 1).input == nullptr);
}

TEST_CASE("a writer counts what newer inputs replace", "[rt][loop]") {
  const LoopMechanism m;
  InputWriters writers(m.model, monotonicTime());
  for (std::uint64_t n = 1; n <= 3; ++n) writers.offer(push(n, 1));
  CHECK(writers.take(0, 1).superseded == 2);
  writers.offer(push(4, 1));
  writers.offerAt(2, push(5, 1));
  const InputWriters::Taken taken = writers.take(0, 2);
  REQUIRE(taken.input);
  CHECK(taken.input->sequence == 5);
  CHECK(taken.superseded == 1);
  writers.offer(push(6, 1));
  writers.clear();
  CHECK(writers.take(0, 3).input == nullptr);
}

TEST_CASE("a scheduled input is used in its tick and takes precedence over an unscheduled one", "[rt][loop]") {
  LoopMechanism m;
  TickLoop loop(m.model, m.plan, m.settings, m.initial);
  CHECK(loop.inputs().offerAt(2, push(1, 2)) == ScheduleResult::kKept);
  CHECK(loop.inputs().offerAt(4, push(2, 4)) == ScheduleResult::kKept);
  loop.tick();
  CHECK(newest(loop).inputs[0] == 0.25);
  loop.inputs().offer(push(3, 9));
  loop.tick();
  CHECK(newest(loop).inputs[0] == 2);
  CHECK(newest(loop).header.input_sequence == 1);
  CHECK(newest(loop).header.input_first_tick == 2);
  loop.tick();
  CHECK(newest(loop).inputs[0] == 2);
  loop.tick();
  CHECK(newest(loop).inputs[0] == 4);

  // A tick that is over leaves its input unused.
  CHECK(loop.inputs().offerAt(4, push(4, 5)) == ScheduleResult::kKept);
  loop.tick();
  CHECK(newest(loop).inputs[0] == 4);
  const TickStatsReport report = loop.stats().report();
  CHECK(report.inputs_late == 1);
  CHECK(report.inputs_used == 2);
  CHECK(report.inputs_superseded == 1);
}

TEST_CASE("a reset and a new holder void the inputs that wait for their tick", "[rt][loop]") {
  LoopMechanism m;
  TickLoop loop(m.model, m.plan, m.settings, m.initial);
  loop.inputs().offerAt(1, push(1, 1));
  loop.reset(m.initial);
  loop.tick();
  CHECK(newest(loop).inputs[0] == 0.25);
  loop.inputs().offerAt(2, push(2, 2));
  loop.inputs().allow(0, kAllGroups);  // another holder
  loop.inputs().offerAt(3, push(3, 3));
  loop.tick();
  CHECK(newest(loop).inputs[0] == 0.25);
  loop.tick();
  CHECK(newest(loop).inputs[0] == 3);
  CHECK(loop.stats().report().inputs_late == 0);
}

TEST_CASE("a writer that is given groups takes them from another one, whose inputs for them are void", "[rt][loop]") {
  LoopMechanism m;
  TickLoop loop(m.model, m.plan, m.settings, m.initial);
  // Writer 0 has ended. As long as nobody follows its last inputs count.
  loop.inputs().offer(push(1, 1));
  loop.inputs().offerAt(4, push(2, 7));
  loop.tick();
  CHECK(newest(loop).inputs[0] == 1);
  loop.inputs().offer(push(3, 8));

  loop.inputs().allow(1, kAllGroups);
  loop.inputs().offer(push(4, 2), 1);
  for (int tick = 2; tick <= 5; ++tick) {
    loop.tick();
    CHECK(newest(loop).inputs[0] == 2);
    CHECK(newest(loop).header.input_sequence == 4);
  }
  const TickStatsReport report = loop.stats().report();
  CHECK(report.inputs_used == 2);
  CHECK(report.inputs_superseded == 0);
  CHECK(report.inputs_late == 0);
  CHECK(report.inputs_left_aside == 0);  // no safe state has ignored them
}

TEST_CASE("an input that was discarded does not come back under a later holder", "[rt][loop]") {
  const LoopMechanism m;
  InputWriters writers(m.model, monotonicTime());
  writers.offer(push(1, 7));
  writers.allow(0, 0);
  writers.allow(0, kAllGroups);
  CHECK(writers.take(0, 1).input == nullptr);

  // discard() leaves the groups.
  writers.offer(push(2, 7));
  writers.offerAt(2, push(3, 8));
  writers.discard(0);
  CHECK(writers.take(0, 2).input == nullptr);
  writers.offer(push(4, 9));
  const InputWriters::Taken taken = writers.take(0, 3);
  REQUIRE(taken.input);
  CHECK(taken.input->sequence == 4);
  CHECK(taken.groups == kAllGroups);
}

TEST_CASE("scheduled inputs of a former holder leave room and order to those of the next one, without a tick between",
          "[rt][loop]") {
  const LoopMechanism m;
  InputWriters writers(m.model, monotonicTime());
  constexpr std::int64_t kFar = 1'000'000;
  for (std::int64_t tick = kFar; writers.offerAt(tick, push(1, 7)) == ScheduleResult::kKept;) ++tick;
  CHECK(writers.offerAt(kFar + 1000, push(1, 7)) == ScheduleResult::kFull);
  writers.allow(0, kAllGroups);
  CHECK(writers.offerAt(5, push(2, 2)) == ScheduleResult::kKept);
  CHECK(writers.take(0, 4).input == nullptr);
  const InputWriters::Taken fifth = writers.take(0, 5);
  REQUIRE(fifth.input);
  CHECK(fifth.input->sequence == 2);
  CHECK(writers.take(0, kFar).input == nullptr);
}
