#include "rt/loop/tick_stats.h"

#include <sys/resource.h>

namespace tactus::rt {

namespace {

constexpr auto kRelaxed = std::memory_order_relaxed;

}  // namespace

const char* toString(Phase phase) noexcept {
  switch (phase) {
    case Phase::kWake: return "wake";
    case Phase::kInput: return "input";
    case Phase::kSolve: return "solve";
    case Phase::kPublish: return "publish";
    case Phase::kTotal: return "total";
  }
  return "unknown";
}

TickStats::TickStats() : banks_(std::make_unique<Bank[]>(2)) {}

void TickStats::beginTick() noexcept {
  // The emptied bank was written before the request was released.
  if (!reset_requested_.load(std::memory_order_acquire)) return;
  active_.store(1 - active_.load(kRelaxed), std::memory_order_release);
  reset_requested_.store(false, std::memory_order_release);
}

void TickStats::recordTick(const TickRecord& record) noexcept {
  Bank& bank = active();
  bank.phase(Phase::kInput).record(record.input_ns, record.tick);
  bank.phase(Phase::kSolve).record(record.solve_ns, record.tick);
  bank.phase(Phase::kPublish).record(record.publish_ns, record.tick);
  bank.phase(Phase::kTotal).record(record.input_ns + record.solve_ns + record.publish_ns, record.tick);
  addRelaxed(bank.inputs_used, record.inputs_used);
  addRelaxed(bank.inputs_superseded, record.inputs_superseded);
  addRelaxed<std::uint64_t>(bank.held_ticks, record.input_held ? 1 : 0);
  addRelaxed<std::int64_t>(bank.ticks, 1);
}

void TickStats::recordWake(std::int64_t lateness_ns, std::int64_t tick) noexcept {
  active().phase(Phase::kWake).record(lateness_ns, tick);
}

void TickStats::countOverrun() noexcept {
  addRelaxed<std::int64_t>(active().overruns, 1);
}

void TickStats::countGrid(const GridPoint& point, std::int64_t passed_in_row) noexcept {
  Bank& bank = active();
  addRelaxed(bank.missed_deadlines, point.missed);
  addRelaxed<std::int64_t>(bank.late_wakes, point.passed_asleep > 0 ? 1 : 0);
  addRelaxed(bank.passed_points, point.passed_at_work + point.passed_asleep);
  addRelaxed<std::int64_t>(bank.made_up, point.made_up ? 1 : 0);
  addRelaxed(bank.slipped_ns, point.slipped_ns);
  if (passed_in_row > bank.longest_row.load(kRelaxed)) bank.longest_row.store(passed_in_row, kRelaxed);
}

TickStats::ThreadUsage TickStats::threadUsage() noexcept {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return {usage.ru_minflt + usage.ru_majflt, usage.ru_nivcsw};
}

void TickStats::addUsage(ThreadUsage& since) noexcept {
  const ThreadUsage now = threadUsage();
  addRelaxed(active().page_faults, now.page_faults - since.page_faults);
  addRelaxed(active().involuntary_switches, now.involuntary_switches - since.involuntary_switches);
  since = now;
}

TickStatsReport TickStats::report() const {
  const std::lock_guard lock(readers_);
  const Bank& bank = banks_[active_.load(std::memory_order_acquire)];
  TickStatsReport report;
  for (std::size_t i = 0; i < kPhases; ++i) report.phases[i] = bank.phases[i].summary();
  report.ticks = bank.ticks.load(kRelaxed);
  report.missed_deadlines = bank.missed_deadlines.load(kRelaxed);
  report.overruns = bank.overruns.load(kRelaxed);
  report.late_wakes = bank.late_wakes.load(kRelaxed);
  report.passed_points = bank.passed_points.load(kRelaxed);
  report.longest_row = bank.longest_row.load(kRelaxed);
  report.made_up = bank.made_up.load(kRelaxed);
  report.slipped_ns = bank.slipped_ns.load(kRelaxed);
  report.inputs_used = bank.inputs_used.load(kRelaxed);
  report.inputs_superseded = bank.inputs_superseded.load(kRelaxed);
  report.held_ticks = bank.held_ticks.load(kRelaxed);
  report.page_faults = bank.page_faults.load(kRelaxed);
  report.involuntary_switches = bank.involuntary_switches.load(kRelaxed);
  return report;
}

void TickStats::requestReset() {
  const std::lock_guard lock(readers_);
  // A request that is still open has its emptied bank waiting.
  if (reset_requested_.load(std::memory_order_acquire)) return;
  banks_[1 - active_.load(std::memory_order_acquire)].clear();
  reset_requested_.store(true, std::memory_order_release);
}

void TickStats::Bank::clear() noexcept {
  for (LatencyHistogram& phase : phases) phase.clear();
  for (auto* counter : {&ticks, &missed_deadlines, &overruns, &late_wakes, &passed_points, &longest_row, &made_up,
                        &slipped_ns, &page_faults, &involuntary_switches}) {
    counter->store(0, kRelaxed);
  }
  for (auto* counter : {&inputs_used, &inputs_superseded, &held_ticks}) counter->store(0, kRelaxed);
}

}  // namespace tactus::rt
