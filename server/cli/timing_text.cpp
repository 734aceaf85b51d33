#include "server/cli/timing_text.h"

#include "server/cli/units.h"

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
  append(text, "  inputs used %llu, superseded %llu, refused %llu; streams %u with inputs, %u observing\n",
         static_cast<unsigned long long>(report.inputs_used), static_cast<unsigned long long>(report.inputs_superseded),
         static_cast<unsigned long long>(session.refusedInputs()), session.tick_streams.load(),
         session.observers.load());
  append(text, "  tick thread: page faults %lld, involuntary switches %lld\n",
         static_cast<long long>(report.page_faults), static_cast<long long>(report.involuntary_switches));
  append(text, "  %-8s %9s %9s %9s %9s %9s %9s  %s\n", "us", "count", "p50", "p90", "p99", "p99.9", "max",
         "worst tick");
  for (std::size_t i = 0; i < rt::kPhases; ++i) {
    const rt::LatencySummary& phase = report.phases[i];
    append(text, "  %-8s %9llu %9.1f %9.1f %9.1f %9.1f %9.1f  %lld\n", rt::toString(static_cast<rt::Phase>(i)),
           static_cast<unsigned long long>(phase.count), microseconds(phase.p50), microseconds(phase.p90),
           microseconds(phase.p99), microseconds(phase.p999), microseconds(phase.maximum),
           static_cast<long long>(phase.worst_tick));
  }
  return text;
}

}  // namespace tactus::server
