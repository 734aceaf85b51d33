#include "server/wire/timing_report.h"

namespace tactus::server {

void writeTiming(const rt::TickStatsReport& report, v1::TimingReport& message) {
  message.set_ticks(report.ticks);
  message.set_missed_deadlines(report.missed_deadlines);
  message.set_overruns(report.overruns);
  message.set_late_wakes(report.late_wakes);
  message.set_passed_points(report.passed_points);
  message.set_longest_row(report.longest_row);
  message.set_made_up(report.made_up);
  message.set_slipped_ns(report.slipped_ns);
  message.set_inputs_used(report.inputs_used);
  message.set_inputs_superseded(report.inputs_superseded);
  message.set_held_ticks(report.held_ticks);
  message.set_page_faults(report.page_faults);
  message.set_involuntary_switches(report.involuntary_switches);
  for (std::size_t i = 0; i < rt::kPhases; ++i) {
    const rt::LatencySummary& summary = report.phases[i];
    v1::PhaseTiming& phase = *message.add_phases();
    phase.set_phase(toString(static_cast<rt::Phase>(i)));
    phase.set_count(summary.count);
    phase.set_minimum_ns(summary.minimum);
    phase.set_p50_ns(summary.p50);
    phase.set_p90_ns(summary.p90);
    phase.set_p99_ns(summary.p99);
    phase.set_p999_ns(summary.p999);
    phase.set_maximum_ns(summary.maximum);
    phase.set_worst_tick(summary.worst_tick);
    phase.set_mean_ns(summary.mean);
  }
}

void writeSessionTiming(const Session& session, v1::TimingReport& message) {
  writeTiming(session.timing(), message);
  message.set_clock(formatClock(session.spec().clock));
  message.set_period_ns(session.settings().period_ns);
  if (session.paced()) message.set_overrun_policy(formatOverrun(session.spec().overrun));
  message.set_inputs_refused(session.refusedInputs());
  message.set_spin_margin_ns(session.spinMarginNs());
  for (const rt::Grant& grant : session.grants()) message.add_realtime_grants(rt::describe(grant));
}

}  // namespace tactus::server
