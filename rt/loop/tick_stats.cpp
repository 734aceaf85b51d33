#include "rt/loop/tick_stats.h"

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
    case Phase::kTurnaround: return "turnaround";
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
  if (record.turnaround_ns >= 0) bank.phase(Phase::kTurnaround).record(record.turnaround_ns, record.tick);
  addRelaxed(bank.inputs_used, record.inputs_used);
  addRelaxed(bank.inputs_superseded, record.inputs_superseded);
  addRelaxed(bank.inputs_late, record.inputs_late);
  addRelaxed<std::uint64_t>(bank.held_ticks, record.input_held ? 1 : 0);
  addRelaxed(bank.inputs_left_aside, record.inputs_left_aside);
  addRelaxed(bank.input_losses, static_cast<std::uint64_t>(record.input_losses));
  addRelaxed<std::uint64_t>(bank.safe_entries, record.safe_entry ? 1 : 0);
  addRelaxed<std::int64_t>(bank.not_converged, record.converged ? 0 : 1);
  if (record.contraction > bank.max_contraction.load(kRelaxed)) {
    bank.max_contraction.store(record.contraction, kRelaxed);
    bank.max_contraction_tick.store(record.tick, kRelaxed);
  }
  if (record.factorizations > bank.max_factorizations.load(kRelaxed))
    bank.max_factorizations.store(record.factorizations, kRelaxed);
  addRelaxed<std::int64_t>(bank.ticks, 1);
}

void TickStats::recordWake(std::int64_t lateness_ns, std::int64_t tick) noexcept {
  active().phase(Phase::kWake).record(lateness_ns, tick);
}

void TickStats::countOverrun() noexcept {
  addRelaxed<std::int64_t>(active().overruns, 1);
}

void TickStats::countGrid(const GridPoint& point, std::int64_t consecutive_overdue) noexcept {
  Bank& bank = active();
  addRelaxed(bank.missed_deadlines, point.missed);
  addRelaxed<std::int64_t>(bank.late_wakes, point.overdue_asleep > 0 ? 1 : 0);
  addRelaxed(bank.overdue_deadlines, point.overdue_at_work + point.overdue_asleep);
  addRelaxed<std::int64_t>(bank.backfilled, point.backfilled ? 1 : 0);
  addRelaxed(bank.slipped_ns, point.slipped_ns);
  if (consecutive_overdue > bank.max_consecutive_overdue.load(kRelaxed))
    bank.max_consecutive_overdue.store(consecutive_overdue, kRelaxed);
}

void TickStats::countLate(const LateTick& late) noexcept {
  Bank& bank = active();
  addRelaxed<std::int64_t>(bank.late_ticks[static_cast<std::size_t>(late.cause)], 1);
  if (late.lost_ns > bank.worst_lost_ns.load(kRelaxed)) bank.setWorstLate(late);
}

void TickStats::Bank::setWorstLate(const LateTick& late) noexcept {
  const std::uint32_t version = worst_version.load(kRelaxed);
  worst_version.store(version + 1, kRelaxed);
  worst_tick.store(late.tick, std::memory_order_release);
  worst_lost_ns.store(late.lost_ns, std::memory_order_release);
  worst_at_work.store(late.at_work, std::memory_order_release);
  worst_cause.store(late.cause, std::memory_order_release);
  worst_version.store(version + 2, std::memory_order_release);
}

LateTick TickStats::Bank::worstLate() const noexcept {
  // A writer is done within nanoseconds, and it writes only when a tick is worse than all before it.
  for (;;) {
    const std::uint32_t version = worst_version.load(std::memory_order_acquire);
    LateTick late;
    late.tick = worst_tick.load(std::memory_order_acquire);
    late.lost_ns = worst_lost_ns.load(std::memory_order_acquire);
    late.at_work = worst_at_work.load(std::memory_order_acquire);
    late.cause = worst_cause.load(std::memory_order_acquire);
    if (version % 2 == 0 && worst_version.load(kRelaxed) == version) return late;
  }
}

void TickStats::addUsage(const ThreadUsage& spent) noexcept {
  addRelaxed(active().page_faults, spent.minor_faults + spent.major_faults);
  addRelaxed(active().involuntary_switches, spent.involuntary_switches);
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
  report.overdue_deadlines = bank.overdue_deadlines.load(kRelaxed);
  report.max_consecutive_overdue = bank.max_consecutive_overdue.load(kRelaxed);
  report.backfilled = bank.backfilled.load(kRelaxed);
  report.slipped_ns = bank.slipped_ns.load(kRelaxed);
  report.inputs_used = bank.inputs_used.load(kRelaxed);
  report.inputs_superseded = bank.inputs_superseded.load(kRelaxed);
  report.inputs_late = bank.inputs_late.load(kRelaxed);
  report.held_ticks = bank.held_ticks.load(kRelaxed);
  report.inputs_left_aside = bank.inputs_left_aside.load(kRelaxed);
  report.input_losses = bank.input_losses.load(kRelaxed);
  report.safe_entries = bank.safe_entries.load(kRelaxed);
  report.page_faults = bank.page_faults.load(kRelaxed);
  report.involuntary_switches = bank.involuntary_switches.load(kRelaxed);
  for (std::size_t i = 0; i < kLateCauses; ++i) report.late_ticks[i] = bank.late_ticks[i].load(kRelaxed);
  report.worst_late = bank.worstLate();
  report.max_contraction = bank.max_contraction.load(kRelaxed);
  report.max_contraction_tick = bank.max_contraction_tick.load(kRelaxed);
  report.max_factorizations = static_cast<std::int32_t>(bank.max_factorizations.load(kRelaxed));
  report.not_converged = bank.not_converged.load(kRelaxed);
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
  for (auto* counter :
       {&ticks, &missed_deadlines, &overruns, &late_wakes, &overdue_deadlines, &max_consecutive_overdue, &backfilled,
        &slipped_ns, &page_faults, &involuntary_switches, &max_contraction_tick, &max_factorizations, &not_converged}) {
    counter->store(0, kRelaxed);
  }
  for (auto& counter : late_ticks) counter.store(0, kRelaxed);
  setWorstLate(LateTick{});
  max_contraction.store(0, kRelaxed);
  for (auto* counter :
       {&inputs_used, &inputs_superseded, &inputs_late, &held_ticks, &inputs_left_aside, &input_losses, &safe_entries})
    counter->store(0, kRelaxed);
}

}  // namespace tactus::rt
