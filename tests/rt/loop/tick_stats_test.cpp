#include "rt/loop/tick_stats.h"

#include "tests/rt/loop/phase_of.h"

#include <catch2/catch.hpp>

#include <array>
#include <atomic>
#include <cstdint>
#include <thread>
#include <utility>

namespace {

using namespace tactus::rt;
using tactus::tests::phaseOf;

void recordTicks(TickStats& stats, std::int64_t first, std::int64_t count) {
  for (std::int64_t tick = first; tick < first + count; ++tick) {
    stats.beginTick();
    TickRecord record;
    record.tick = tick;
    record.input_ns = 1;
    record.solve_ns = 20;
    record.turnaround_ns = tick % 2 == 0 ? -1 : 24;
    record.publish_ns = 3;
    record.input_held = tick % 2 == 0;
    record.inputs_used = record.input_held ? 0 : 1;
    record.inputs_superseded = 2;
    stats.recordTick(record);
  }
}

}  // namespace

TEST_CASE("the maximum contraction has its tick, and a reset forgets the maxima of the solver", "[rt][loop]") {
  TickStats stats;
  for (const auto& [tick, contraction] : {std::pair(1, 0.01), {2, 0.5}, {3, 0.2}}) {
    stats.beginTick();
    TickRecord record;
    record.tick = tick;
    record.contraction = contraction;
    record.factorizations = 4 - tick;
    record.converged = tick != 2;
    stats.recordTick(record);
  }
  TickStatsReport report = stats.report();
  CHECK(report.max_contraction == 0.5);
  CHECK(report.max_contraction_tick == 2);
  CHECK(report.max_factorizations == 3);
  CHECK(report.not_converged == 1);
  stats.requestReset();
  stats.beginTick();
  report = stats.report();
  CHECK(report.max_contraction == 0);
  CHECK(report.max_contraction_tick == 0);
  CHECK(report.max_factorizations == 0);
  CHECK(report.not_converged == 0);
}

TEST_CASE("statistics count what is recorded", "[rt][loop]") {
  TickStats stats;
  recordTicks(stats, 1, 10);
  stats.recordWake(50, 10);
  GridPoint point;
  point.missed = 3;
  point.overdue_at_work = 1;
  point.overdue_asleep = 4;
  point.slipped_ns = 700;
  stats.countGrid(point, 5);
  stats.countGrid(GridPoint{}, 0);
  stats.countOverrun();

  const TickStatsReport report = stats.report();
  CHECK(report.ticks == 10);
  CHECK(report.missed_deadlines == 3);
  CHECK(report.overruns == 1);
  CHECK(report.late_wakes == 1);
  CHECK(report.overdue_deadlines == 5);
  CHECK(report.max_consecutive_overdue == 5);
  CHECK(report.backfilled == 0);
  CHECK(report.slipped_ns == 700);
  CHECK(report.inputs_used == 5);
  CHECK(report.inputs_superseded == 20);
  CHECK(report.held_ticks == 5);
  CHECK(phaseOf(report, Phase::kWake).count == 1);
  CHECK(phaseOf(report, Phase::kWake).maximum == 50);
  CHECK(phaseOf(report, Phase::kSolve).count == 10);
  CHECK(phaseOf(report, Phase::kTotal).minimum == 24);
  CHECK(phaseOf(report, Phase::kTurnaround).count == 5);
}

TEST_CASE("a reset takes effect when the next tick starts, not before", "[rt][loop]") {
  TickStats stats;
  recordTicks(stats, 1, 10);
  stats.requestReset();
  stats.requestReset();
  GridPoint point;
  point.missed = 1;
  stats.countGrid(point, 1);
  CHECK(stats.report().ticks == 10);
  CHECK(stats.report().missed_deadlines == 1);

  recordTicks(stats, 11, 4);
  CHECK(stats.report().ticks == 4);
  CHECK(stats.report().missed_deadlines == 0);
  CHECK(phaseOf(stats.report(), Phase::kTotal).worst_tick == 11);

  // The bank that comes back is empty.
  stats.requestReset();
  recordTicks(stats, 15, 1);
  CHECK(stats.report().ticks == 1);
  CHECK(phaseOf(stats.report(), Phase::kSolve).count == 1);
}

TEST_CASE("page faults and switches are summed, and the worst late tick is stored as a whole", "[rt][loop]") {
  TickStats stats;
  stats.addUsage({3, 1, 2, 0, 0});
  stats.addUsage({5, 0, 1, 0, 0});
  stats.countLate({7, 100, false, LateCause::kPreemption});
  stats.countLate({9, 300, true, LateCause::kOwnWork});
  stats.countLate({12, 300, false, LateCause::kHostStall});
  const TickStatsReport report = stats.report();
  CHECK(report.page_faults == 9);
  CHECK(report.involuntary_switches == 3);
  CHECK(report.late_ticks == std::array<std::int64_t, kLateCauses>{1, 0, 1, 1});
  CHECK(report.worst_late.tick == 9);
  CHECK(report.worst_late.lost_ns == 300);
  CHECK(report.worst_late.at_work);
  CHECK(report.worst_late.cause == LateCause::kOwnWork);

  stats.requestReset();
  stats.beginTick();
  CHECK(stats.report().late_ticks == std::array<std::int64_t, kLateCauses>{});
  CHECK(stats.report().worst_late.tick == 0);
}

TEST_CASE("reports and resets beside a recording thread stay coherent", "[rt][loop]") {
  TickStats stats;
  std::atomic<bool> done{false};
  std::thread recorder([&] {
    for (std::int64_t tick = 1; tick <= 100'000; ++tick) recordTicks(stats, tick, 1);
    done.store(true);
  });

  // No copy may show a value that was never recorded, or percentiles out of order.
  std::uint64_t reports = 0, wrong = 0;
  while (!done.load()) {
    const TickStatsReport report = stats.report();
    ++reports;
    wrong += phaseOf(report, Phase::kSolve).maximum > 20 || phaseOf(report, Phase::kTotal).maximum > 24 ? 1u : 0u;
    for (const LatencySummary& s : report.phases) {
      wrong += s.p50 <= s.p90 && s.p90 <= s.p99 && s.p99 <= s.p999 && s.p999 <= s.maximum ? 0u : 1u;
    }
    wrong += report.ticks < 0 || report.ticks > 100'000 ? 1u : 0u;
    if (reports % 16 == 0) stats.requestReset();
  }
  recorder.join();
  CHECK(wrong == 0);

  stats.requestReset();
  recordTicks(stats, 1, 7);
  CHECK(stats.report().ticks == 7);
  CHECK(phaseOf(stats.report(), Phase::kTotal).count == 7);
}
