#include "server/session/session_timing.h"

#include "server/build_info.h"
#include "server/wire/timing_report.h"

namespace tactus::server {

namespace {

void writeReader(const ReaderCounts& counts, v1::ReaderReport& message) {
  message.set_id(counts.id);
  message.set_stream(counts.stream);
  message.set_sent(counts.sent);
  message.set_missed(counts.missed);
}

}  // namespace

void writeSessionTiming(const Session& session, v1::TimingReport& message) {
  writeTiming(session.timing(), message);
  writeEnergy(session.energy(), *message.mutable_energy());
  message.set_build(madeBy());
  message.set_clock(formatClock(session.spec().clock));
  message.set_period_ns(session.settings().period_ns);
  if (session.spec().clock.paced()) message.set_overrun_policy(formatOverrun(session.spec().overrun));
  message.set_inputs_refused(session.inputs().counts().refused);
  message.set_inputs_lost(session.inputs().counts().lost);
  message.set_inputs_duplicate(session.inputs().counts().duplicate);
  message.set_inputs_late(message.inputs_late() + session.inputs().counts().late);
  if (const auto host_wake = session.thread().hostWake())
    writePhase("host wake", *host_wake, *message.mutable_host_wake());
  for (const ReaderCounts& reader : session.feed().readers().all()) writeReader(reader, *message.add_readers());
  message.set_spin_margin_ns(session.thread().spinMarginNs());
  for (const rt::Grant& grant : session.thread().grants()) message.add_realtime_grants(rt::describe(grant));
}

}  // namespace tactus::server
