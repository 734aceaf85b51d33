// TickLoop::run on a fake clock: exact counts of ticks, missed deadlines and overruns.
#include "rt/loop/tick_loop.h"
#include "tests/rt/loop/fake_time.h"
#include "tests/rt/loop/loop_mechanism.h"
#include "tests/rt/loop/phase_of.h"

#include <catch2/catch.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

namespace {

using namespace tactus::rt;
using tactus::tests::FakeTime;
using tactus::tests::LoopMechanism;
using tactus::tests::phaseOf;

// What a step costs; a step has no other way to reach its test.
std::function<StepReport(std::int64_t tick)> work;

StepReport workingStep(const Model&, const Plan&, const Settings&, std::span<const double>, State& state,
                       Workspace&) noexcept {
  const StepReport report = work(state.tick + 1);
  if (report.status == TickStatus::kOk) ++state.tick;
  return report;
}

constexpr std::int64_t kMillisecond = 1'000'000;

}  // namespace

TEST_CASE("ticks run plus missed are the elapsed grid points, in 1000 random runs", "[rt][loop]") {
  LoopMechanism m;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const auto below = [&random](std::int64_t limit) {
      return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(limit));
    };

    FakeTime time;
    const std::int64_t wake_odds = 4 + below(40);
    time.wakeLateness = [&] { return below(wake_odds) == 0 ? below(4 * kMillisecond) : below(50'000); };
    LoopOptions options;
    options.ring_capacity = 4;
    options.step = workingStep;
    options.time = time.source();
    options.stop_tick = 10 + below(60);
    TickLoop loop(m.model, m.plan, m.settings, m.initial, options);
    TickClock clock(kMillisecond, {ClockMode::kRealTime, 1, below(60'000)}, time.source());

    // When each step began and ended, by the fake clock.
    std::vector<std::int64_t> begun, ended;
    const std::int64_t slow_odds = 2 + below(10);
    work = [&](std::int64_t) {
      begun.push_back(time.now_ns);
      time.now_ns += below(slow_odds) == 0 ? below(7 * kMillisecond) : below(kMillisecond / 2);
      ended.push_back(time.now_ns);
      return StepReport{};
    };
    // The origin of the grid is the first reading of the clock in start().
    const std::int64_t origin = time.now_ns + time.reading_ns;
    const std::atomic<bool> stop{false};
    REQUIRE(loop.run(clock, stop) == TickLoop::End::kFinished);

    // Slots of the grid, counted independently. The clock is read twice between the end of the wait and the step.
    const TickStatsReport stats = loop.stats().report();
    const auto ticks = static_cast<std::int64_t>(begun.size());
    REQUIRE(stats.ticks == ticks);
    REQUIRE(stats.ticks == options.stop_tick);
    std::int64_t last_slot = 0;
    for (std::size_t i = 0; i < begun.size(); ++i) {
      const std::int64_t slot = (begun[i] - 2 * time.reading_ns - origin) / kMillisecond;
      REQUIRE(slot > last_slot);
      last_slot = slot;
    }
    REQUIRE(stats.ticks + stats.missed_deadlines == last_slot);

    REQUIRE(phaseOf(stats, Phase::kWake).count == begun.size());
    REQUIRE(phaseOf(stats, Phase::kSolve).count == begun.size());
    std::int64_t overruns = 0;
    for (std::size_t i = 0; i < begun.size(); ++i) {
      const std::int64_t slot = (begun[i] - 2 * time.reading_ns - origin) / kMillisecond;
      // After the step it is read at its end, after publishing, and by run().
      const std::int64_t end = ended[i] + 3 * time.reading_ns;
      overruns += end - origin > (slot + 1) * kMillisecond ? 1 : 0;
    }
    REQUIRE(stats.overruns == overruns);
  }
}

TEST_CASE("an injected step of 3.1 ms is one overrun, three missed deadlines, and a flag on the next tick",
          "[rt][loop]") {
  LoopMechanism m;
  FakeTime time;
  LoopOptions options;
  options.step = workingStep;
  options.time = time.source();
  options.stop_tick = 10;
  TickLoop loop(m.model, m.plan, m.settings, m.initial, options);
  TickClock clock(kMillisecond, {ClockMode::kRealTime, 1, 0}, time.source());
  work = [&time](std::int64_t tick) {
    time.now_ns += tick == 4 ? 3'100'000 : 100'000;
    return StepReport{};
  };
  const std::atomic<bool> stop{false};
  REQUIRE(loop.run(clock, stop) == TickLoop::End::kFinished);

  const TickStatsReport stats = loop.stats().report();
  CHECK(stats.ticks == 10);
  CHECK(stats.missed_deadlines == 3);
  CHECK(stats.overruns == 1);
  CHECK(phaseOf(stats, Phase::kSolve).worst_tick == 4);
  CHECK(phaseOf(stats, Phase::kSolve).maximum >= 3'100'000);

  Snapshot snapshot;
  for (std::uint64_t index = 1; index <= loop.ring().newestIndex(); ++index) {
    REQUIRE(loop.ring().read(index, snapshot).result == ReadResult::kOk);
    CHECK(snapshot.header.overrun == (snapshot.header.tick == 5));
  }
}

TEST_CASE("a step that always takes longer than the period runs at every second deadline", "[rt][loop]") {
  LoopMechanism m;
  FakeTime time;
  LoopOptions options;
  options.step = workingStep;
  options.time = time.source();
  options.stop_tick = 20;
  TickLoop loop(m.model, m.plan, m.settings, m.initial, options);
  TickClock clock(kMillisecond, {ClockMode::kRealTime, 1, 0}, time.source());
  work = [&time](std::int64_t) {
    time.now_ns += 1'200'000;
    return StepReport{};
  };
  const std::atomic<bool> stop{false};
  loop.run(clock, stop);
  CHECK(loop.stats().report().missed_deadlines == 19);
  CHECK(loop.stats().report().overruns == 20);
}

TEST_CASE("a fault ends the run, and deadlines missed before a stop are counted", "[rt][loop]") {
  LoopMechanism m;
  FakeTime time;
  LoopOptions options;
  options.step = workingStep;
  options.time = time.source();
  TickLoop loop(m.model, m.plan, m.settings, m.initial, options);
  TickClock clock(kMillisecond, {ClockMode::kRealTime, 1, 0}, time.source());
  std::atomic<bool> stop{false};

  // Asked to stop during a slow tick.
  work = [&](std::int64_t tick) {
    if (tick == 3) {
      time.now_ns += 2'500'000;
      stop = true;
    }
    return StepReport{};
  };
  CHECK(loop.run(clock, stop) == TickLoop::End::kStopped);
  CHECK(loop.state().tick == 3);
  CHECK(loop.stats().report().missed_deadlines == 2);

  // A new run has a new grid: the pause is not counted as missed.
  time.now_ns += 100 * kMillisecond;
  stop = false;
  work = [](std::int64_t tick) {
    StepReport report;
    if (tick == 6) report.status = TickStatus::kNotPositive;
    return report;
  };
  CHECK(loop.run(clock, stop) == TickLoop::End::kFaulted);
  CHECK(loop.state().tick == 5);
  CHECK(loop.stats().report().ticks == 6);
  CHECK(loop.stats().report().missed_deadlines == 2);
  CHECK(loop.run(clock, stop) == TickLoop::End::kFaulted);
  CHECK(loop.stats().report().ticks == 6);
}

TEST_CASE("the usual work of the ticks before does not explain a late tick in the first second of a run",
          "[rt][loop]") {
  LoopMechanism m;
  FakeTime time;
  LoopOptions options;
  options.step = workingStep;
  options.time = time.source();
  options.stop_tick = 20;
  TickLoop loop(m.model, m.plan, m.settings, m.initial, options);
  TickClock clock(kMillisecond, {ClockMode::kRealTime, 1, 0}, time.source());
  // Each tick works for 4 ms of CPU time; 20 of them are more than half of the 50 ms that the thread oversleeps in the
  // end, by the fake clock, and the 4 since the last sample are not.
  const UsageReader reader;
  work = [&](std::int64_t tick) {
    const std::int64_t begin = reader.read().cpu_ns;
    while (reader.read().cpu_ns - begin < 4 * kMillisecond) {}
    if (tick == 19) time.wakeLateness = [] { return 50 * kMillisecond; };
    return StepReport{};
  };
  const std::atomic<bool> stop{false};
  REQUIRE(loop.run(clock, stop) == TickLoop::End::kFinished);
  const TickStatsReport stats = loop.stats().report();
  REQUIRE(stats.worst_late.tick == 20);
  CHECK(stats.worst_late.cause != LateCause::kOwnWork);
  CHECK(stats.worst_late.cause != LateCause::kSlowRun);
}

TEST_CASE("a free run has no grid, and so no lateness of a start", "[rt][loop]") {
  LoopMechanism m;
  FakeTime time;
  LoopOptions options;
  options.step = workingStep;
  options.time = time.source();
  options.stop_tick = 10;
  TickLoop loop(m.model, m.plan, m.settings, m.initial, options);
  TickClock clock(kMillisecond, {ClockMode::kFreeRun}, time.source());
  work = [](std::int64_t) { return StepReport{}; };
  const std::atomic<bool> stop{false};
  REQUIRE(loop.run(clock, stop) == TickLoop::End::kFinished);
  CHECK(phaseOf(loop.stats().report(), Phase::kWake).count == 0);
  CHECK(phaseOf(loop.stats().report(), Phase::kTotal).count == 10);
}

TEST_CASE("a reset during a tick splits no tick", "[rt][loop]") {
  LoopMechanism m;
  FakeTime time;
  LoopOptions options;
  options.step = workingStep;
  options.time = time.source();
  options.stop_tick = 10;
  TickLoop loop(m.model, m.plan, m.settings, m.initial, options);
  TickClock clock(kMillisecond, {ClockMode::kRealTime, 1, 0}, time.source());
  work = [&](std::int64_t tick) {
    if (tick == 4) loop.stats().requestReset();
    return StepReport{};
  };
  const std::atomic<bool> stop{false};
  loop.run(clock, stop);
  const TickStatsReport stats = loop.stats().report();
  CHECK(stats.ticks == 6);
  for (std::size_t i = 0; i < kPhases; ++i) {
    const bool of_inputs = static_cast<Phase>(i) == Phase::kTurnaround;
    CHECK(stats.phases[i].count == (of_inputs ? 0 : 6));
  }
}
