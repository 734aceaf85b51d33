#include "server/cli/timing_text.h"

#include "proto/text/timing_text.h"
#include "server/session/session_timing.h"

#include <fmt/format.h>

namespace tactus::server {

std::string timingText(Session& session) {
  v1::TimingReport report;
  writeSessionTiming(session, report);
  // The head of the program lists what the tick thread was granted.
  report.clear_realtime_grants();
  const SessionStatus status = session.status();
  const double simulated = 1e-9 * static_cast<double>(status.tick * report.period_ns());
  return fmt::format(
      "{} {} at tick {} ({:.3f} s); streams: {} with inputs, {} observing; authority: {}; miss limit {}\n{}",
      session.spec().name, toString(status.state), status.tick, simulated, session.feed().readers().count("tick"),
      session.feed().readers().count("observe"), rt::toString(status.input_mode), session.missLimit(),
      text::timingText(report));
}

}  // namespace tactus::server
