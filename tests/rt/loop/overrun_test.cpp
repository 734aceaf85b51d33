// The overrun policies on a fake clock, against plain arithmetic on the slots of the grid: exact counts.
#include "rt/loop/overrun.h"

#include "rt/error.h"
#include "rt/loop/tick_clock.h"
#include "rt/loop/tick_loop.h"
#include "tests/rt/loop/fake_time.h"
#include "tests/rt/loop/loop_mechanism.h"

#include <catch2/catch.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <vector>

namespace {

using namespace tactus::rt;
using tactus::tests::FakeTime;
using tactus::tests::LoopMechanism;

constexpr std::int64_t kMillisecond = 1'000'000;

/// Whole numbers from a seed.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(seed) {}
  std::int64_t below(std::int64_t limit) {
    return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(limit));
  }
  bool oneIn(std::int64_t odds) { return below(odds) == 0; }

 private:
  std::mt19937_64 random_;
};

/// What a run has seen, counted beside the clock.
struct Tally {
  std::int64_t taken = 0, in_time = 0, missed = 0, passed = 0, slipped_ns = 0;
  std::int64_t late_in_row = 0, consecutive_overdue = 0, total_overdue = 0;
};

/// Whether the rule ends a run; the tick before was number `taken`.
bool ends(const OverrunRule& rule, Tally& tally, const GridPoint& point) {
  for (const std::int64_t passed : {point.overdue_at_work, point.overdue_asleep}) {
    if (passed == 0 || (rule.grace_ticks > 0 && tally.taken <= rule.grace_ticks)) continue;
    tally.consecutive_overdue += passed;
    tally.total_overdue += passed;
    if (rule.policy == OverrunPolicy::kStop) return true;
    if (rule.policy == OverrunPolicy::kSafe) continue;
    if (rule.max_consecutive > 0 && tally.consecutive_overdue > rule.max_consecutive) return true;
    if (rule.max_total > 0 && tally.total_overdue > rule.max_total) return true;
  }
  return false;
}

/// One random run of a clock with slow ticks and late wake-ups; every number is checked at every tick.
void checkRandomRun(OverrunPolicy policy, std::uint64_t seed) {
  Dice dice(seed);
  FakeTime time;
  // A reading takes longer than a real one: the clock polls up to 60 us before each deadline.
  time.reading_ns = 200 + dice.below(600);
  const std::int64_t period = 50'000 + 1'000 * dice.below(2'000);
  const std::int64_t wake_odds = 4 + dice.below(30), work_odds = 3 + dice.below(12);
  time.wakeLateness = [&] { return dice.oneIn(wake_odds) ? dice.below(5 * period) : dice.below(period / 100); };

  OverrunRule rule;
  rule.policy = policy;
  rule.burst = 1 + dice.below(5);
  rule.grace_ticks = dice.oneIn(2) ? dice.below(8) : 0;
  if (policy != OverrunPolicy::kStop && dice.oneIn(3)) rule.max_consecutive = 1 + dice.below(8);
  if (policy != OverrunPolicy::kStop && dice.oneIn(3)) rule.max_total = 1 + dice.below(30);
  TickClock clock(period, {ClockMode::kRealTime, 1, dice.below(60'000), rule}, time.source());
  clock.start();
  const std::int64_t origin = time.now_ns;

  const std::atomic<bool> stop{false};
  Tally tally;
  for (int i = 0; i < 80; ++i) {
    const std::int64_t asked = time.now_ns;
    const GridPoint point = clock.waitNext(stop);
    const bool should_end = ends(rule, tally, point);
    REQUIRE(point.ended == should_end);
    tally.missed += point.missed;
    tally.passed += point.overdue_at_work + point.overdue_asleep;
    tally.slipped_ns += point.slipped_ns;
    const std::int64_t slot = (point.now_ns - origin - tally.slipped_ns) / period;
    const bool in_time = !point.ended && !point.late();
    if (in_time) tally.consecutive_overdue = 0;
    REQUIRE(clock.consecutiveOverdue() == tally.consecutive_overdue);
    REQUIRE(clock.totalOverdue() == tally.total_overdue);
    if (point.ended) {
      // The points up to now are never run.
      REQUIRE(tally.taken + tally.missed == slot);
      return;
    }

    // Ticks run + missed + still to be backfilled = elapsed, and never ahead of time.
    ++tally.taken;
    REQUIRE(tally.taken + tally.missed == point.index);
    REQUIRE(point.due_index == slot);
    REQUIRE(clock.elapsedPoints(point.now_ns) == slot);
    REQUIRE(point.index <= slot);
    REQUIRE(point.now_ns >= clock.deadline(point.index));
    REQUIRE(point.lateness_ns == point.now_ns + point.slipped_ns - clock.deadline(point.index));

    tally.in_time += point.backfilled ? 0 : 1;
    // A burst ends with a sleep, be it one that ends late.
    if (!point.backfilled || point.overdue_asleep > 0) tally.late_in_row = 0;
    tally.late_in_row += point.backfilled ? 1 : 0;
    if (policy != OverrunPolicy::kCatchUp) {
      REQUIRE_FALSE(point.backfilled);
      REQUIRE(point.index == slot);
    } else {
      REQUIRE(tally.late_in_row <= rule.burst);
      REQUIRE(slot - point.index <= rule.burst);
      REQUIRE(point.backfilled == (point.index < slot || asked + time.reading_ns > clock.deadline(point.index)));
    }
    if (policy == OverrunPolicy::kSlip) {
      REQUIRE(tally.missed == 0);
      REQUIRE((point.slipped_ns > 0) == (point.overdue_at_work + point.overdue_asleep > 0));
    } else {
      // Every past deadline was either met or overdue.
      REQUIRE(tally.slipped_ns == 0);
      const bool woke_late = point.backfilled && point.overdue_asleep > 0;
      REQUIRE(tally.in_time + tally.passed == (woke_late ? slot - 1 : slot));
      if (policy != OverrunPolicy::kCatchUp) REQUIRE(tally.passed == tally.missed);
    }

    time.now_ns += dice.oneIn(work_odds) ? dice.below(6 * period) : dice.below(period / 2);
  }
}

// What a step costs; a step has no other way to reach its test.
std::function<std::int64_t(std::int64_t tick)> cost;
FakeTime* step_time = nullptr;

StepReport costlyStep(const Model&, const Plan&, const Settings&, std::span<const double>, State& state,
                      Workspace&) noexcept {
  step_time->now_ns += cost(++state.tick);
  return {};
}

/// A loop of costly steps at 1 kHz under a rule.
struct Rig {
  LoopMechanism m;
  FakeTime time;
  std::unique_ptr<TickLoop> loop;
  std::unique_ptr<TickClock> clock;
  std::atomic<bool> stop{false};

  Rig(const OverrunRule& rule, std::int64_t stop_tick, std::function<std::int64_t(std::int64_t)> step_cost) {
    cost = std::move(step_cost);
    step_time = &time;
    time.reading_ns = 1;
    LoopOptions options;
    options.step = costlyStep;
    options.time = time.source();
    options.stop_tick = stop_tick;
    loop = std::make_unique<TickLoop>(m.model, m.plan, m.settings, m.initial, options);
    clock = std::make_unique<TickClock>(kMillisecond, ClockOptions{ClockMode::kRealTime, 1, 0, rule}, time.source());
  }

  TickLoop::End run() { return loop->run(*clock, stop); }
};

// A step of 3.1 ms at tick 4.
std::int64_t slowFourth(std::int64_t tick) {
  return tick == 4 ? 3'100'000 : 100'000;
}

OverrunRule ruleOf(OverrunPolicy policy, std::int64_t burst = 1) {
  OverrunRule rule;
  rule.policy = policy;
  rule.burst = burst;
  return rule;
}

/// Ticks that were flagged as late.
std::vector<std::int64_t> flaggedTicks(const TickLoop& loop) {
  std::vector<std::int64_t> flagged;
  Snapshot snapshot;
  for (std::uint64_t index = 1; index <= loop.ring().newestIndex(); ++index) {
    REQUIRE(loop.ring().read(index, snapshot).result == ReadResult::kOk);
    if (snapshot.header.overrun) flagged.push_back(snapshot.header.tick);
  }
  return flagged;
}

}  // namespace

TEST_CASE("every overrun policy counts exactly, in 2000 random runs each", "[rt][loop]") {
  const auto policy = GENERATE(OverrunPolicy::kStop, OverrunPolicy::kSkip, OverrunPolicy::kCatchUp,
                               OverrunPolicy::kSlip, OverrunPolicy::kSafe);
  CAPTURE(toString(policy));
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    CAPTURE(seed);
    checkRandomRun(policy, seed);
  }
}

TEST_CASE("each overrun policy treats a step of 3.1 ms in a tick of 1 ms as documented", "[rt][loop]") {
  SECTION("stop ends the run before the next tick") {
    Rig rig(ruleOf(OverrunPolicy::kStop), 10, slowFourth);
    CHECK(rig.run() == TickLoop::End::kOverrun);
    CHECK(rig.loop->state().tick == 4);
    CHECK(rig.clock->consecutiveOverdue() == 3);
    const TickStatsReport stats = rig.loop->stats().report();
    CHECK(stats.ticks == 4);
    CHECK(stats.missed_deadlines == 3);
    CHECK(stats.overdue_deadlines == 3);
    CHECK(stats.overruns == 1);
    CHECK_FALSE(rig.loop->faulted());

    // Another run continues where this one ended, on a new grid.
    CHECK(rig.run() == TickLoop::End::kFinished);
    CHECK(rig.loop->stats().report().ticks == 10);
    CHECK(rig.loop->stats().report().missed_deadlines == 3);
  }
  SECTION("skip misses three points and stays in phase") {
    Rig rig(ruleOf(OverrunPolicy::kSkip), 10, slowFourth);
    CHECK(rig.run() == TickLoop::End::kFinished);
    const TickStatsReport stats = rig.loop->stats().report();
    CHECK(stats.missed_deadlines == 3);
    CHECK(stats.backfilled == 0);
    CHECK(flaggedTicks(*rig.loop) == std::vector<std::int64_t>{5});
  }
  SECTION("catch-up 2 backfills two ticks at most") {
    Rig rig(ruleOf(OverrunPolicy::kCatchUp, 2), 10, slowFourth);
    CHECK(rig.run() == TickLoop::End::kFinished);
    const TickStatsReport stats = rig.loop->stats().report();
    CHECK(stats.missed_deadlines == 1);
    CHECK(stats.backfilled == 2);
    CHECK(stats.overdue_deadlines == 3);
    CHECK(stats.max_consecutive_overdue == 3);
    CHECK(flaggedTicks(*rig.loop) == std::vector<std::int64_t>{5, 6});
  }
  SECTION("catch-up 5 backfills all three") {
    Rig rig(ruleOf(OverrunPolicy::kCatchUp, 5), 10, slowFourth);
    CHECK(rig.run() == TickLoop::End::kFinished);
    CHECK(rig.loop->stats().report().missed_deadlines == 0);
    CHECK(rig.loop->stats().report().backfilled == 3);
    CHECK(flaggedTicks(*rig.loop) == std::vector<std::int64_t>{5, 6, 7});
  }
  SECTION("slip moves the grid by the lateness of the tick") {
    Rig rig(ruleOf(OverrunPolicy::kSlip), 10, slowFourth);
    CHECK(rig.run() == TickLoop::End::kFinished);
    const TickStatsReport stats = rig.loop->stats().report();
    CHECK(stats.missed_deadlines == 0);
    CHECK(stats.overdue_deadlines == 3);
    CHECK(stats.slipped_ns >= 2'100'000);
    CHECK(stats.slipped_ns < 2'100'020);
    CHECK(flaggedTicks(*rig.loop) == std::vector<std::int64_t>{5});
  }
}

TEST_CASE("the policy safe takes the actuators to their safe values and keeps ticking", "[rt][loop]") {
  const auto firstSafe = [](const TickLoop& loop) {
    Snapshot snapshot;
    for (std::uint64_t index = 1; index <= loop.ring().newestIndex(); ++index) {
      REQUIRE(loop.ring().read(index, snapshot).result == ReadResult::kOk);
      if (snapshot.header.input_mode != InputMode::kSafe) continue;
      CHECK(snapshot.inputs == std::vector<double>{0, 0});
      return snapshot.header.tick;
    }
    return std::int64_t{0};
  };
  SECTION("without limits after the first overdue deadline") {
    Rig rig(ruleOf(OverrunPolicy::kSafe), 10, slowFourth);
    CHECK(rig.run() == TickLoop::End::kFinished);
    CHECK(firstSafe(*rig.loop) == 5);
    CHECK(rig.loop->stats().report().missed_deadlines == 3);
    CHECK(rig.loop->stats().report().safe_entries == 1);
  }
  SECTION("with a limit when it is exceeded") {
    OverrunRule rule = ruleOf(OverrunPolicy::kSafe);
    rule.max_total = 7;
    // Three overdue deadlines at each of the ticks 4, 14 and 24: the third time exceeds the limit.
    Rig rig(rule, 30, [](std::int64_t tick) { return slowFourth(tick % 10); });
    CHECK(rig.run() == TickLoop::End::kFinished);
    CHECK(firstSafe(*rig.loop) == 25);
  }
  SECTION("not because of ticks in the grace of a start") {
    OverrunRule rule = ruleOf(OverrunPolicy::kSafe);
    rule.grace_ticks = 4;
    Rig rig(rule, 10, slowFourth);
    CHECK(rig.run() == TickLoop::End::kFinished);
    CHECK(firstSafe(*rig.loop) == 0);
  }
}

TEST_CASE("a step that is always too long never runs ahead of time, and its thread still sleeps", "[rt][loop]") {
  const auto always = [](std::int64_t) { return std::int64_t{1'200'000}; };
  SECTION("catch-up sleeps after each burst") {
    Rig rig(ruleOf(OverrunPolicy::kCatchUp, 3), 40, always);
    CHECK(rig.run() == TickLoop::End::kFinished);
    // Three backfilled ticks, then one in phase after a sleep.
    CHECK(rig.loop->stats().report().backfilled == 30);
    CHECK(rig.time.sleeps == 10);
  }
  SECTION("slip runs at the pace of the step") {
    Rig rig(ruleOf(OverrunPolicy::kSlip), 40, always);
    CHECK(rig.run() == TickLoop::End::kFinished);
    CHECK(rig.loop->stats().report().missed_deadlines == 0);
    CHECK(rig.loop->stats().report().overdue_deadlines == 39);
  }
  SECTION("a limit of consecutive overdue deadlines ends it") {
    OverrunRule rule = ruleOf(OverrunPolicy::kSkip);
    rule.max_consecutive = 5;
    Rig rig(rule, 0, always);
    CHECK(rig.run() == TickLoop::End::kOverrun);
    CHECK(rig.loop->state().tick == 6);
    CHECK(rig.clock->consecutiveOverdue() == 6);
  }
}

TEST_CASE("overdue deadlines of the grace ticks are counted but do not end the run", "[rt][loop]") {
  OverrunRule rule = ruleOf(OverrunPolicy::kStop);
  rule.grace_ticks = 4;
  SECTION("the fourth tick is within it") {
    Rig rig(rule, 10, slowFourth);
    CHECK(rig.run() == TickLoop::End::kFinished);
    CHECK(rig.loop->stats().report().missed_deadlines == 3);
    CHECK(rig.clock->totalOverdue() == 0);
  }
  SECTION("the fifth is not") {
    Rig rig(rule, 10, [](std::int64_t tick) { return slowFourth(tick - 1); });
    CHECK(rig.run() == TickLoop::End::kOverrun);
    CHECK(rig.loop->state().tick == 5);
  }
  SECTION("each start has its own") {
    Rig rig(rule, 20, [](std::int64_t tick) { return slowFourth((tick - 1) % 7 + 1); });
    CHECK(rig.run() == TickLoop::End::kOverrun);  // ticks 4 and 11 are slow, 11 is beyond the grace
    CHECK(rig.loop->state().tick == 11);
    CHECK(rig.run() == TickLoop::End::kOverrun);  // 18 is the seventh of this run
    CHECK(rig.loop->state().tick == 18);
  }
}

TEST_CASE("a limit in total counts overdue deadlines that are far apart", "[rt][loop]") {
  OverrunRule rule = ruleOf(OverrunPolicy::kSkip);
  rule.max_consecutive = 3;
  rule.max_total = 7;
  // Three points at ticks 4, 14 and 24: the third time is too much.
  Rig rig(rule, 0, [](std::int64_t tick) { return slowFourth(tick % 10); });
  CHECK(rig.run() == TickLoop::End::kOverrun);
  CHECK(rig.loop->state().tick == 24);
  CHECK(rig.clock->totalOverdue() == 9);
}

TEST_CASE("without overruns every policy runs the same", "[rt][loop]") {
  const auto policy = GENERATE(OverrunPolicy::kStop, OverrunPolicy::kSkip, OverrunPolicy::kCatchUp,
                               OverrunPolicy::kSlip, OverrunPolicy::kSafe);
  Rig rig(ruleOf(policy), 50, [](std::int64_t) { return std::int64_t{990'000}; });
  CHECK(rig.run() == TickLoop::End::kFinished);
  const TickStatsReport stats = rig.loop->stats().report();
  CHECK(stats.missed_deadlines + stats.overdue_deadlines + stats.overruns + stats.backfilled + stats.slipped_ns == 0);
}

TEST_CASE("a contradictory overrun rule is refused", "[rt][loop]") {
  OverrunRule rule;
  SECTION("grace") {
    rule.grace_ticks = -1;
  }
  SECTION("row") {
    rule.max_consecutive = -1;
  }
  SECTION("all") {
    rule.max_total = -1;
  }
  SECTION("burst") {
    rule = ruleOf(OverrunPolicy::kCatchUp, 0);
  }
  SECTION("stop with a limit") {
    rule.policy = OverrunPolicy::kStop;
    rule.max_consecutive = 2;
  }
  CHECK_THROWS_AS(TickClock(kMillisecond, {ClockMode::kRealTime, 1, 0, rule}), tactus::Error);
}
