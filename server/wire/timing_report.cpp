#include "server/wire/timing_report.h"

#include <cstddef>

namespace tactus::server {

void writePhase(const char* name, const rt::LatencySummary& summary, v1::PhaseTiming& phase) {
  phase.set_phase(name);
  phase.set_count(summary.count);
  phase.set_minimum_ns(summary.minimum);
  phase.set_p50_ns(summary.p50);
  phase.set_p90_ns(summary.p90);
  phase.set_p99_ns(summary.p99);
  phase.set_p999_ns(summary.p999);
  phase.set_maximum_ns(summary.maximum);
  phase.set_worst_tick(summary.worst_tick);
  phase.set_mean_ns(summary.mean);
  std::size_t octaves = summary.octaves.size();
  while (octaves > 0 && summary.octaves[octaves - 1] == 0) --octaves;
  phase.mutable_octaves()->Assign(summary.octaves.begin(),
                                  summary.octaves.begin() + static_cast<std::ptrdiff_t>(octaves));
}

void writeLateTicks(const std::array<std::int64_t, rt::kLateCauses>& counts,
                    google::protobuf::RepeatedPtrField<v1::LateTicks>& message) {
  for (std::size_t i = 0; i < rt::kLateCauses; ++i) {
    v1::LateTicks& late = *message.Add();
    late.set_cause(toString(static_cast<rt::LateCause>(i)));
    late.set_count(counts[i]);
  }
}

void writeTiming(const rt::TickStatsReport& report, v1::TimingReport& message) {
  message.set_ticks(report.ticks);
  message.set_missed_deadlines(report.missed_deadlines);
  message.set_overruns(report.overruns);
  message.set_late_wakes(report.late_wakes);
  message.set_overdue_deadlines(report.overdue_deadlines);
  message.set_max_consecutive_overdue(report.max_consecutive_overdue);
  message.set_backfilled(report.backfilled);
  message.set_slipped_ns(report.slipped_ns);
  message.set_inputs_used(report.inputs_used);
  message.set_inputs_superseded(report.inputs_superseded);
  message.set_inputs_late(report.inputs_late);
  message.set_held_ticks(report.held_ticks);
  message.set_inputs_left_aside(report.inputs_left_aside);
  message.set_input_losses(report.input_losses);
  message.set_safe_entries(report.safe_entries);
  message.set_page_faults(report.page_faults);
  message.set_involuntary_switches(report.involuntary_switches);
  message.set_maximum_contraction(report.max_contraction);
  message.set_maximum_contraction_tick(report.max_contraction_tick);
  message.set_maximum_factorizations(static_cast<std::uint32_t>(report.max_factorizations));
  message.set_not_converged(report.not_converged);
  for (std::size_t i = 0; i < rt::kPhases; ++i) {
    writePhase(toString(static_cast<rt::Phase>(i)), report.phases[i], *message.add_phases());
  }
  writeLateTicks(report.late_ticks, *message.mutable_late_ticks());
  if (report.worst_late.tick > 0) {
    v1::LateTick& worst = *message.mutable_worst_late();
    worst.set_tick(report.worst_late.tick);
    worst.set_lost_ns(report.worst_late.lost_ns);
    worst.set_at_work(report.worst_late.at_work);
    worst.set_cause(toString(report.worst_late.cause));
  }
}

void writeEnergy(const rt::EnergyReport& report, v1::EnergyBalance& message) {
  message.set_growth(report.growth);
  message.set_scale(report.scale);
  message.set_drift(report.drift);
  if (report.grows_since >= 0) message.set_grows_since(report.grows_since);
}

}  // namespace tactus::server
