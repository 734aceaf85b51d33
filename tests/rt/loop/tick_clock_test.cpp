#include "rt/loop/tick_clock.h"

#include "rt/error.h"
#include "tests/rt/loop/fake_time.h"

#include <catch2/catch.hpp>

#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <set>

namespace {

using namespace tactus::rt;
using tactus::tests::FakeTime;

constexpr std::int64_t kMillisecond = 1'000'000;

ClockOptions fixedMargin(ClockMode mode, double scale, std::int64_t margin_ns) {
  return {mode, scale, margin_ns};
}

}  // namespace

TEST_CASE("deadlines are exact over 1e9 ticks, and elapsed points are their inverse", "[rt][loop]") {
  FakeTime time;
  std::mt19937_64 random(99);
  const std::int64_t period = GENERATE(1'000, 1'000'003, 3'333'333, 10'000'000);
  TickClock clock(period, fixedMargin(ClockMode::kRealTime, 1, 0), time.source());
  clock.start();
  const std::int64_t origin = time.now_ns;

  for (int i = 0; i < 20'000; ++i) {
    const auto k = static_cast<std::int64_t>(random() % 1'000'000'000) + 1;
    REQUIRE(clock.deadline(k) == origin + k * period);
    REQUIRE(clock.elapsedPoints(clock.deadline(k)) == k);
    REQUIRE(clock.elapsedPoints(clock.deadline(k) - 1) == k - 1);
    REQUIRE(clock.elapsedPoints(clock.deadline(k + 1) - 1) == k);
  }
  CHECK(clock.elapsedPoints(origin - 1) == 0);
  CHECK(clock.elapsedPoints(origin) == 0);
}

TEST_CASE("a scaled grid does not drift", "[rt][loop]") {
  FakeTime time;
  std::mt19937_64 random(100);
  const double scale = GENERATE(0.1, 1.0 / 3, 1.0, 7.3, 100.0);
  TickClock clock(kMillisecond, fixedMargin(ClockMode::kScaled, scale, 0), time.source());
  clock.start();
  const std::int64_t origin = time.now_ns;

  for (int i = 0; i < 20'000; ++i) {
    const auto k = static_cast<std::int64_t>(random() % 1'000'000'000) + 1;
    // The period is rounded once, to 2^-21 ns: at most 477 ns after 1e9 ticks, and the floor takes less than 1 ns.
    const long double exact = static_cast<long double>(k) * 1e6L / static_cast<long double>(scale);
    const auto error = static_cast<double>(static_cast<long double>(clock.deadline(k) - origin) - exact);
    REQUIRE(std::abs(error) <= 1.0 + std::ldexp(static_cast<double>(k), -21));
    REQUIRE(clock.elapsedPoints(clock.deadline(k)) == k);
    REQUIRE(clock.elapsedPoints(clock.deadline(k) - 1) == k - 1);
  }
}

TEST_CASE("taken plus missed grid points are the elapsed ones, in 1000 random runs with slow ticks", "[rt][loop]") {
  const std::atomic<bool> stop{false};
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const auto below = [&random](std::int64_t limit) {
      return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(limit));
    };

    // A whole number of ns in wall time, so that the slots can be counted with plain integers below.
    const std::int64_t wall = 50'000 + 1'000 * below(2'000);
    const std::int64_t factor = 1 + below(4);
    const bool scaled = below(2) == 1;
    const std::int64_t period = scaled ? wall * factor : wall;
    FakeTime time;
    time.reading_ns = 20 + below(60);
    const std::int64_t calm = 1 + below(3);
    time.wakeLateness = [&] { return below(8 * calm) == 0 ? below(3 * wall) : below(wall / 100); };
    TickClock clock(
        period,
        fixedMargin(scaled ? ClockMode::kScaled : ClockMode::kRealTime, static_cast<double>(factor), below(60'000)),
        time.source());
    clock.start();
    const std::int64_t origin = time.now_ns;

    std::set<std::int64_t> slots;
    std::int64_t taken = 0, missed = 0, last_slot = 0;
    const int ticks = 20 + static_cast<int>(below(60));
    for (int i = 0; i < ticks; ++i) {
      const std::int64_t asked = time.now_ns;
      const GridPoint point = clock.waitNext(stop);
      ++taken;
      missed += point.missed;

      // By independent arithmetic: the tick starts in its own slot, never before it, and every slot has one tick.
      const std::int64_t slot = (point.now_ns - origin) / wall;
      REQUIRE(slot == point.index);
      REQUIRE(slots.insert(slot).second);
      REQUIRE(point.lateness_ns == (point.now_ns - origin) % wall);
      REQUIRE(point.missed == slot - last_slot - 1);
      REQUIRE(taken + missed == slot);
      REQUIRE(clock.elapsedPoints(point.now_ns) == slot);

      // In phase: points that were past on arrival are not made up for.
      REQUIRE(slot > (asked - origin) / wall);
      last_slot = slot;

      // The work of the tick; one in five takes up to ten periods.
      time.now_ns += below(5) == 0 ? below(10 * wall) : below(wall / 2);
    }
    REQUIRE(missed == last_slot - taken);
  }
}

TEST_CASE("a tick of 3.1 periods misses three grid points and keeps the phase", "[rt][loop]") {
  const std::atomic<bool> stop{false};
  FakeTime time;
  time.reading_ns = 1;
  TickClock clock(kMillisecond, fixedMargin(ClockMode::kRealTime, 1, 0), time.source());
  clock.start();
  CHECK(clock.waitNext(stop).index == 1);

  time.now_ns += 3'100'000;
  GridPoint point = clock.waitNext(stop);
  CHECK(point.missed == 3);
  CHECK(point.index == 5);
  CHECK(point.lateness_ns < 10);

  point = clock.waitNext(stop);
  CHECK(point.missed == 0);
  CHECK(point.index == 6);
}

TEST_CASE("a wake-up that is several periods late misses all grid points but the last", "[rt][loop]") {
  const std::atomic<bool> stop{false};
  FakeTime time;
  time.reading_ns = 1;
  TickClock clock(kMillisecond, fixedMargin(ClockMode::kRealTime, 1, 0), time.source());
  clock.start();
  time.wakeLateness = [] { return 2'300'000; };
  const GridPoint point = clock.waitNext(stop);
  CHECK(point.index == 3);
  CHECK(point.missed == 2);
  CHECK(point.lateness_ns >= 300'000);
  CHECK(point.lateness_ns < 300'010);
}

TEST_CASE("an overrun is a tick that ends after the next grid point", "[rt][loop]") {
  const std::atomic<bool> stop{false};
  FakeTime time;
  TickClock clock(kMillisecond, fixedMargin(ClockMode::kRealTime, 1, 0), time.source());
  clock.start();
  const GridPoint point = clock.waitNext(stop);
  CHECK_FALSE(clock.overran(point, clock.deadline(point.index + 1)));
  CHECK(clock.overran(point, clock.deadline(point.index + 1) + 1));
}

TEST_CASE("free run never sleeps and misses no tick", "[rt][loop]") {
  const std::atomic<bool> stop{false};
  FakeTime time;
  TickClock clock(kMillisecond, {ClockMode::kFreeRun, 1, -1}, time.source());
  clock.start();
  for (std::int64_t k = 1; k <= 100; ++k) {
    time.now_ns += 5 * kMillisecond;
    const GridPoint point = clock.waitNext(stop);
    CHECK(point.index == k);
    CHECK(point.missed == 0);
    CHECK(point.lateness_ns == 0);
    CHECK_FALSE(clock.overran(point, time.now_ns + 100 * kMillisecond));
  }
  CHECK(time.sleeps == 0);
}

TEST_CASE("a stop ends a long wait and takes no grid point", "[rt][loop]") {
  std::atomic<bool> stop{false};
  FakeTime time;
  time.wakeLateness = [&stop] {
    stop = true;
    return 0;
  };
  constexpr std::int64_t kMinute = 60'000'000'000;
  TickClock clock(kMinute, fixedMargin(ClockMode::kRealTime, 1, 0), time.source());
  clock.start();
  const std::int64_t begin = time.now_ns;
  CHECK(clock.waitNext(stop).stopped);
  CHECK(time.now_ns - begin < kMinute);

  // Going on takes the first point.
  stop = false;
  time.wakeLateness = [] { return 0; };
  const GridPoint point = clock.waitNext(stop);
  CHECK_FALSE(point.stopped);
  CHECK(point.index == 1);
  CHECK(point.missed == 0);
}

TEST_CASE("grid points that were missed before a stop are counted once", "[rt][loop]") {
  std::atomic<bool> stop{true};
  FakeTime time;
  TickClock clock(kMillisecond, fixedMargin(ClockMode::kRealTime, 1, 0), time.source());
  clock.start();
  time.now_ns += 2'500'000;
  GridPoint point = clock.waitNext(stop);
  CHECK(point.stopped);
  CHECK(point.missed == 2);

  stop = false;
  point = clock.waitNext(stop);
  CHECK_FALSE(point.stopped);
  CHECK(point.missed == 0);
  CHECK(point.index == 3);
}

TEST_CASE("the spin margin follows the self-test within its bounds", "[rt][loop]") {
  FakeTime time;
  const auto marginAfter = [&time](std::int64_t period, std::int64_t lateness) {
    time.wakeLateness = [lateness] { return lateness; };
    TickClock clock(period, {ClockMode::kRealTime, 1, -1}, time.source());
    clock.start();
    return clock.marginNs();
  };
  // What is measured includes the reading of the clock after the wake-up.
  CHECK(marginAfter(kMillisecond, 100'000) == 100'000 + time.reading_ns);
  CHECK(marginAfter(kMillisecond, 0) == 20'000);
  CHECK(marginAfter(kMillisecond, 5'000'000) == 300'000);
  CHECK(marginAfter(100'000, 90'000) == 30'000);
  CHECK(marginAfter(10'000, 0) == 3'000);

  // One late wake-up of the fifty is enough.
  int wake_up = 0;
  time.wakeLateness = [&wake_up] { return ++wake_up == 17 ? 210'000 : 1'000; };
  TickClock clock(kMillisecond, {ClockMode::kRealTime, 1, -1}, time.source());
  clock.calibrate();
  CHECK(clock.marginNs() == 210'000 + time.reading_ns);
}

TEST_CASE("the clock sleeps to the margin and spins the rest", "[rt][loop]") {
  const std::atomic<bool> stop{false};
  FakeTime time;
  time.reading_ns = 50;
  std::int64_t woken = 0;
  time.wakeLateness = [&] {
    woken = time.now_ns;
    return 0;
  };
  TickClock clock(kMillisecond, fixedMargin(ClockMode::kRealTime, 1, 100'000), time.source());
  clock.start();
  const GridPoint point = clock.waitNext(stop);
  CHECK(woken == clock.deadline(1) - 100'000);
  CHECK(point.lateness_ns < 50);
}

TEST_CASE("a clock without a sensible period or scale is refused", "[rt][loop]") {
  CHECK_THROWS_AS(TickClock(0, {}), tactus::Error);
  CHECK_THROWS_AS(TickClock(-kMillisecond, {}), tactus::Error);
  CHECK_THROWS_AS(TickClock(10, {}), tactus::Error);
  const double bad =
      GENERATE(0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 1e9, 1e-9);
  CHECK_THROWS_AS(TickClock(kMillisecond, {ClockMode::kScaled, bad, 0}), tactus::Error);
}

TEST_CASE("no tick starts early on the clock of the machine", "[rt][loop]") {
  const std::atomic<bool> stop{false};
  TickClock clock(500'000, {ClockMode::kRealTime, 1, -1});
  clock.start();
  std::int64_t taken = 0, missed = 0;
  for (int i = 0; i < 50; ++i) {
    const GridPoint point = clock.waitNext(stop);
    ++taken;
    missed += point.missed;
    CHECK(point.now_ns >= clock.deadline(point.index));
    CHECK(point.now_ns < clock.deadline(point.index + 1));
    CHECK(taken + missed == point.index);
  }
}
