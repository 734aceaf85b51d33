#include "server/cli/timing_text.h"

#include <cstdarg>
#include <cstdio>

namespace tactus::server {

namespace {

[[gnu::format(printf, 2, 3)]] void append(std::string& text, const char* format, ...) {
  char line[256];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  text += line;
}

double microseconds(std::int64_t nanoseconds) {
  return 1e-3 * static_cast<double>(nanoseconds);
}

}  // namespace

std::string timingText(Session& session) {
  const rt::TickStatsReport report = session.timing();
  const SessionStatus status = session.status();
  const double simulated = 1e-9 * static_cast<double>(status.tick * session.settings().period_ns);

  std::string text;
  append(text, "%s %s at tick %lld (%.3f s): ticks %lld, missed deadlines %lld, overruns %lld, on a held input %llu\n",
         session.spec().name.c_str(), toString(status.state), static_cast<long long>(status.tick), simulated,
         static_cast<long long>(report.ticks), static_cast<long long>(report.missed_deadlines),
         static_cast<long long>(report.overruns), static_cast<unsigned long long>(report.held_ticks));
  if (session.paced())
    append(text,
           "  overrun policy %s: grid points passed %lld (longest row %lld), late wake-ups %lld, made up %lld, slipped "
           "%.1f us\n",
           formatOverrun(session.spec().overrun).c_str(), static_cast<long long>(report.passed_points),
           static_cast<long long>(report.longest_row), static_cast<long long>(report.late_wakes),
           static_cast<long long>(report.made_up), microseconds(report.slipped_ns));
  append(text,
         "  inputs used %llu, superseded %llu, refused %llu, late %llu, lost %llu, duplicate %llu; streams %u with "
         "inputs, %u "
         "observing\n",
         static_cast<unsigned long long>(report.inputs_used), static_cast<unsigned long long>(report.inputs_superseded),
         static_cast<unsigned long long>(session.inputs.refused),
         static_cast<unsigned long long>(report.inputs_late + session.inputs.late),
         static_cast<unsigned long long>(session.inputs.lost),
         static_cast<unsigned long long>(session.inputs.duplicate), session.tick_streams.load(),
         session.observers.load());
  append(text, "  authority: %s; miss limit %lld, losses %llu, safe state entered %llu times, inputs left aside %llu\n",
         rt::toString(status.input_mode), static_cast<long long>(session.missLimit()),
         static_cast<unsigned long long>(report.input_losses), static_cast<unsigned long long>(report.safe_entries),
         static_cast<unsigned long long>(report.inputs_left_aside));
  if (session.paced()) {
    text += "  late ticks:";
    for (std::size_t i = 0; i < rt::kLateCauses; ++i)
      append(text, "%s %s %lld", i > 0 ? "," : "", rt::toString(static_cast<rt::LateCause>(i)),
             static_cast<long long>(report.late_ticks[i]));
    const rt::LateTick& worst = report.worst_late;
    if (worst.tick > 0)
      append(text, "; worst: tick %lld %s %.1f us, %s", static_cast<long long>(worst.tick),
             worst.at_work ? "took" : "overslept", microseconds(worst.lost_ns), rt::toString(worst.cause));
    text += '\n';
  }
  append(text, "  tick thread: page faults %lld, involuntary switches %lld\n",
         static_cast<long long>(report.page_faults), static_cast<long long>(report.involuntary_switches));
  append(text, "  %-10s %9s %9s %9s %9s %9s %9s  %s\n", "us", "count", "p50", "p90", "p99", "p99.9", "max",
         "worst tick");
  const auto addRow = [&text](const char* name, const rt::LatencySummary& phase) {
    append(text, "  %-10s %9llu %9.1f %9.1f %9.1f %9.1f %9.1f  %lld\n", name,
           static_cast<unsigned long long>(phase.count), microseconds(phase.p50), microseconds(phase.p90),
           microseconds(phase.p99), microseconds(phase.p999), microseconds(phase.maximum),
           static_cast<long long>(phase.worst_tick));
  };
  for (std::size_t i = 0; i < rt::kPhases; ++i) addRow(rt::toString(static_cast<rt::Phase>(i)), report.phases[i]);
  if (const auto host_wake = session.hostWake()) addRow("host wake", *host_wake);
  return text;
}

}  // namespace tactus::server
