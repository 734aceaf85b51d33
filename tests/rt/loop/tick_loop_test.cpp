#include "rt/loop/tick_loop.h"
#include "rt/ali3p/workspace.h"
#include "rt/model/model.h"

#include "rt/error.h"
#include "rt/loop/reader_waker.h"
#include "tests/rt/loop/loop_mechanism.h"

#include <catch2/catch.hpp>

#include <immintrin.h>

#include <atomic>
#include <cstdint>
#include <limits>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace tactus::rt;
using tactus::tests::LoopMechanism;
using tactus::tests::newest;

// A step that fails at one tick, for as long as it is asked.
std::int64_t failing_tick = 0;
int steps_tried = 0;

StepReport failingStep(const Model& model, const Plan& plan, const Settings& settings, std::span<const double> input,
                       State& state, Workspace& ws) noexcept {
  ++steps_tried;
  StepReport report;
  report.status = TickStatus::kNonFinite;
  report.residual = 123;
  return state.tick + 1 == failing_tick ? report : step(model, plan, settings, input, state, ws);
}

LoopOptions failAt(std::int64_t tick) {
  failing_tick = tick;
  steps_tried = 0;
  LoopOptions options;
  options.step = failingStep;
  return options;
}

ActuatorInput input(std::uint64_t sequence, double push, double lift) {
  ActuatorInput result;
  result.sequence = sequence;
  result.values = {push, lift};
  return result;
}

}  // namespace

TEST_CASE("tick 0 is published, and tick n leaves the state of tick n", "[rt][loop]") {
  LoopMechanism m;
  TickLoop loop(m.model, m.plan, m.settings, m.initial);
  CHECK(loop.ring().newestIndex() == 1);
  CHECK(newest(loop).header.tick == 0);
  CHECK(newest(loop).state == m.initial.values());
  CHECK(newest(loop).inputs == std::vector<double>{0.25, 0.5});

  Snapshot snapshot;
  for (std::int64_t n = 1; n <= 20; ++n) {
    REQUIRE(loop.tick() == TickStatus::kOk);
    CHECK(loop.state().tick == n);
    REQUIRE(loop.ring().newest(snapshot) == static_cast<std::uint64_t>(n) + 1);
    CHECK(snapshot.header.tick == n);
    CHECK(snapshot.header.sim_time_ns == n * m.settings.period_ns);
    CHECK(snapshot.header.publish_time_ns > 0);
    CHECK_FALSE(snapshot.header.overrun);
    CHECK(snapshot.state == loop.state().values());
  }
}

TEST_CASE("a tick reports the same energy whatever the mode of its thread, and leaves that mode", "[rt][loop]") {
  constexpr unsigned kDefault = 0x1f80, kDown = 0x3f80, kFlags = 0x3f;  // MXCSR: round to nearest, round down
  LoopMechanism m;
  const auto report = [&](unsigned mode) {
    TickLoop loop(m.model, m.plan, m.settings, m.initial);
    const unsigned outer = _mm_getcsr();
    for (int i = 0; i < 100; ++i) {
      _mm_setcsr(mode);
      loop.tick();
      const unsigned left = _mm_getcsr();
      _mm_setcsr(outer);
      REQUIRE((left & ~kFlags) == mode);
    }
    return loop.energy().report();
  };
  const EnergyReport expected = report(kDefault), down = report(kDown);
  CHECK(down.scale == expected.scale);
  CHECK(down.drift == expected.drift);
  CHECK(expected.drift != 0);  // a sum of round-off: another rounding gives another one
}

TEST_CASE("the loop gives the same bits as the bare step", "[rt][loop]") {
  LoopMechanism m;
  TickLoop loop(m.model, m.plan, m.settings, m.initial);
  State state = m.initial;
  Workspace workspace(m.model, m.plan);
  loop.warmUp();
  for (int n = 1; n <= 50; ++n) {
    const ActuatorInput now = input(static_cast<std::uint64_t>(n), 0.1 * n, -1.0 / n);
    REQUIRE(loop.inputs().offer(now));
    loop.tick();
    step(m.model, m.plan, m.settings, now.values, state, workspace);
  }
  CHECK(hashState(loop.state()) == hashState(state));
}

TEST_CASE("the newest input is used and held, and each Snapshot has its sequence and first tick", "[rt][loop]") {
  LoopMechanism m;
  TickLoop loop(m.model, m.plan, m.settings, m.initial);
  loop.tick();
  CHECK(newest(loop).header.input_sequence == 0);
  CHECK(newest(loop).header.input_first_tick == 0);
  CHECK(newest(loop).header.input_held);

  loop.inputs().offer(input(7, 1, 2));
  loop.inputs().offer(input(8, 3, 4));
  loop.tick();
  Snapshot snapshot = newest(loop);
  CHECK(snapshot.header.input_sequence == 8);
  CHECK(snapshot.header.input_first_tick == 2);
  CHECK_FALSE(snapshot.header.input_held);
  CHECK(snapshot.inputs == std::vector<double>{3, 4});

  loop.tick();
  snapshot = newest(loop);
  CHECK(snapshot.header.tick == 3);
  CHECK(snapshot.header.input_sequence == 8);
  CHECK(snapshot.header.input_first_tick == 2);
  CHECK(snapshot.header.input_held);
  CHECK(snapshot.inputs == std::vector<double>{3, 4});

  const TickStatsReport stats = loop.stats().report();
  CHECK(stats.ticks == 3);
  CHECK(stats.inputs_used == 1);
  CHECK(stats.inputs_superseded == 1);
  CHECK(stats.held_ticks == 2);
  CHECK(stats.phases[static_cast<std::size_t>(Phase::kTurnaround)].count == 1);
  CHECK(stats.phases[static_cast<std::size_t>(Phase::kTurnaround)].worst_tick == 2);
}

TEST_CASE("an input of the wrong size is ignored", "[rt][loop]") {
  LoopMechanism m;
  TickLoop loop(m.model, m.plan, m.settings, m.initial);
  ActuatorInput wrong;
  wrong.sequence = 5;
  wrong.values = {1};
  CHECK_FALSE(loop.inputs().offer(wrong));
  loop.tick();
  CHECK(newest(loop).header.input_sequence == 0);
}

TEST_CASE("scripted inputs act from their tick on, in whatever order they are listed", "[rt][loop]") {
  LoopMechanism m;
  LoopOptions options;
  options.script = {{5, {50, 51}}, {2, {20, 21}}, {5, {55, 56}}, {3, {30, 31}}};
  TickLoop loop(m.model, m.plan, m.settings, m.initial, options);

  const std::vector<double> push = {0.25, 20, 30, 30, 55, 55, 55};
  const std::vector<std::int64_t> since = {0, 2, 3, 3, 5, 5, 5};
  for (std::size_t n = 1; n <= push.size(); ++n) {
    loop.tick();
    const Snapshot snapshot = newest(loop);
    CHECK(snapshot.inputs[0] == push[n - 1]);
    CHECK(snapshot.header.input_first_tick == since[n - 1]);
    CHECK(snapshot.header.input_held == (since[n - 1] != static_cast<std::int64_t>(n)));
  }
}

TEST_CASE("a scripted input takes precedence in its tick, a client input later", "[rt][loop]") {
  LoopMechanism m;
  LoopOptions options;
  options.script = {{2, {20, 21}}};
  TickLoop loop(m.model, m.plan, m.settings, m.initial, options);
  loop.inputs().offer(input(1, 1, 1));
  loop.tick();
  CHECK(newest(loop).inputs[0] == 1);

  loop.inputs().offer(input(2, 2, 2));
  loop.tick();
  CHECK(newest(loop).inputs[0] == 20);
  CHECK(newest(loop).header.input_sequence == 0);

  loop.tick();
  CHECK(newest(loop).inputs[0] == 20);
  loop.inputs().offer(input(3, 3, 3));
  loop.tick();
  CHECK(newest(loop).inputs[0] == 3);
  CHECK(loop.stats().report().inputs_used == 2);
  CHECK(loop.stats().report().inputs_superseded == 1);
}

TEST_CASE("an invalid script is refused with its tick", "[rt][loop]") {
  LoopMechanism m;
  const auto make = [&m](ScriptedInput scripted) {
    LoopOptions options;
    options.script = {{1, {0, 0}}, std::move(scripted)};
    TickLoop loop(m.model, m.plan, m.settings, m.initial, options);
  };
  CHECK_THROWS_WITH(make({0, {1, 2}}), Catch::Contains("tick 0"));
  CHECK_THROWS_WITH(make({4, {1}}), Catch::Contains("tick 4") && Catch::Contains("1 values"));
  CHECK_THROWS_AS(make({4, {1, std::numeric_limits<double>::infinity()}}), tactus::Error);
  CHECK_THROWS_AS(make({4, {std::numeric_limits<double>::quiet_NaN(), 1}}), tactus::Error);
}

TEST_CASE("a failed step leaves the last good state, is published once and stops the loop", "[rt][loop]") {
  LoopMechanism m;
  TickLoop loop(m.model, m.plan, m.settings, m.initial, failAt(4));
  for (int n = 1; n <= 3; ++n) CHECK(loop.tick() == TickStatus::kOk);
  const State good = loop.state();
  CHECK_FALSE(loop.faulted());

  loop.inputs().offer(input(9, 8, 7));
  CHECK(loop.tick() == TickStatus::kNonFinite);
  CHECK(loop.faulted());
  CHECK(loop.fault() == TickStatus::kNonFinite);
  CHECK(hashState(loop.state()) == hashState(good));
  const Snapshot snapshot = newest(loop);
  CHECK(snapshot.header.faulted);
  CHECK(snapshot.header.tick == 3);
  CHECK(snapshot.header.report.status == TickStatus::kNonFinite);
  CHECK(snapshot.header.report.residual == 123);
  CHECK(snapshot.state == good.values());
  // The inputs that the failed step was given.
  CHECK(snapshot.header.input_sequence == 9);
  CHECK(snapshot.inputs == std::vector<double>{8, 7});

  const std::uint64_t published = loop.ring().newestIndex();
  CHECK(loop.tick() == TickStatus::kNonFinite);
  CHECK(loop.tick() == TickStatus::kNonFinite);
  CHECK(steps_tried == 4);
  CHECK(loop.ring().newestIndex() == published);
}

TEST_CASE("a real divergence faults the loop", "[rt][loop]") {
  LoopMechanism m;
  TickLoop loop(m.model, m.plan, m.settings, m.initial);
  loop.tick();
  const std::uint64_t good = hashState(loop.state());
  loop.inputs().offer(input(1, std::numeric_limits<double>::max(), std::numeric_limits<double>::max()));
  TickStatus status = TickStatus::kOk;
  for (int n = 0; n < 5 && status == TickStatus::kOk; ++n) status = loop.tick();
  CHECK(status != TickStatus::kOk);
  CHECK(loop.faulted());
  for (const double value : loop.state().values()) CHECK(std::isfinite(value));
  if (loop.state().tick == 1) CHECK(hashState(loop.state()) == good);
}

TEST_CASE("a run after a reset has the same bits", "[rt][loop]") {
  LoopMechanism m;
  LoopOptions options = failAt(9);
  options.script = {{2, {3, 1}}, {6, {-2, 4}}};
  TickLoop loop(m.model, m.plan, m.settings, m.initial, options);
  for (int n = 1; n <= 8; ++n) loop.tick();
  const std::uint64_t first = hashState(loop.state());
  loop.inputs().offer(input(11, 100, 100));
  loop.tick();
  REQUIRE(loop.faulted());

  // An input that no tick took, too, is gone.
  loop.inputs().offer(input(12, 200, 200));
  const std::uint64_t published = loop.ring().newestIndex();
  loop.reset(m.initial);
  CHECK_FALSE(loop.faulted());
  CHECK(loop.state().tick == 0);
  CHECK(loop.ring().newestIndex() == published + 1);
  CHECK(newest(loop).header.tick == 0);
  CHECK(newest(loop).header.input_sequence == 0);
  CHECK(newest(loop).inputs == std::vector<double>{0.25, 0.5});

  for (int n = 1; n <= 8; ++n) CHECK(loop.tick() == TickStatus::kOk);
  CHECK(hashState(loop.state()) == first);
}

TEST_CASE("the loop finishes at its stop tick", "[rt][loop]") {
  LoopMechanism m;
  LoopOptions options;
  options.stop_tick = 5;
  TickLoop loop(m.model, m.plan, m.settings, m.initial, options);
  int ticks = 0;
  for (; !loop.finished(); ++ticks) loop.tick();
  CHECK(ticks == 5);
  CHECK(loop.tick() == TickStatus::kOk);
  CHECK(loop.state().tick == 5);
  CHECK(loop.ring().newestIndex() == 6);
  loop.reset(m.initial);
  CHECK_FALSE(loop.finished());
}

TEST_CASE("a paced run, a free run and single ticks end in the same state", "[rt][loop]") {
  LoopMechanism m;
  LoopOptions options;
  options.stop_tick = 60;
  options.script = {{1, {1, 0}}, {20, {-1, 30}}, {41, {2, 19}}};
  const std::atomic<bool> stop{false};

  TickLoop single(m.model, m.plan, m.settings, m.initial, options);
  while (!single.finished()) single.tick();

  TickLoop free(m.model, m.plan, m.settings, m.initial, options);
  TickClock free_clock(m.settings.period_ns, {ClockMode::kFreeRun, 1, -1});
  CHECK(free.run(free_clock, stop) == TickLoop::End::kFinished);

  TickLoop paced(m.model, m.plan, m.settings, m.initial, options);
  TickClock paced_clock(m.settings.period_ns, {ClockMode::kScaled, 4, 20'000});
  CHECK(paced.run(paced_clock, stop) == TickLoop::End::kFinished);

  CHECK(hashState(free.state()) == hashState(single.state()));
  CHECK(hashState(paced.state()) == hashState(single.state()));
}

TEST_CASE("a run beside writers and readers stops on request, and all inputs are counted", "[rt][loop]") {
  LoopMechanism m;
  TickLoop loop(m.model, m.plan, m.settings, m.initial);
  ReaderWaker waker(loop.ring());
  std::atomic<bool> stop{false};
  TickClock clock(m.settings.period_ns, {ClockMode::kFreeRun, 1, -1});
  TickLoop::End end = TickLoop::End::kFaulted;
  std::thread ticker([&] { end = loop.run(clock, stop); });

  // Each state must carry the values of the input that it names.
  std::atomic<std::uint64_t> wrong{0}, read{0};
  std::thread reader([&] {
    Snapshot snapshot;
    for (std::uint64_t index = 0; waker.waitNewer(index, std::chrono::nanoseconds(-1)) == WaitResult::kNewer;) {
      index = loop.ring().newest(snapshot);
      const auto sequence = static_cast<double>(snapshot.header.input_sequence);
      if (sequence > 0 && (snapshot.inputs[0] != sequence || snapshot.inputs[1] != -sequence)) ++wrong;
      if (snapshot.header.sim_time_ns != snapshot.header.tick * 1'000'000) ++wrong;
      loop.stats().report();
      ++read;
    }
  });
  constexpr std::uint64_t kInputs = 5'000;
  for (std::uint64_t i = 1; i <= kInputs; ++i) {
    loop.inputs().offer(input(i, static_cast<double>(i), -static_cast<double>(i)));
  }
  while (read.load() < 100) std::this_thread::yield();
  // The last input must have reached a tick before the stop.
  Snapshot snapshot;
  while (loop.ring().newest(snapshot), snapshot.header.input_sequence != kInputs) std::this_thread::yield();
  stop = true;
  ticker.join();
  waker.close();
  reader.join();

  CHECK(end == TickLoop::End::kStopped);
  CHECK(wrong.load() == 0);
  const TickStatsReport stats = loop.stats().report();
  CHECK(stats.inputs_used + stats.inputs_superseded == kInputs);
  CHECK(stats.ticks == loop.state().tick);
  CHECK(stats.held_ticks + stats.inputs_used == static_cast<std::uint64_t>(stats.ticks));
}
