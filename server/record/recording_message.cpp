#include "server/record/recording_message.h"

#include "rt/loop/time_source.h"
#include "rt/model/model.h"
#include "server/build_info.h"
#include "server/record/snapshot_message.h"
#include "server/session/session_message.h"
#include "server/wire/request_error.h"
#include "server/wire/settings_message.h"

namespace tactus::server {

v1::BuildStamp buildStamp() {
  const BuildInfo& build = buildInfo();
  v1::BuildStamp stamp;
  stamp.set_version(build.version);
  stamp.set_commit(build.commit);
  stamp.set_compiler(build.compiler);
  stamp.set_flags(build.flags);
  stamp.set_instruction_set(build.instruction_set);
  return stamp;
}

v1::RecordingSetup recordingSetup(const Session& session) {
  const SessionSpec& spec = session.spec();
  if (!spec.model_message)
    throw RequestError(Reason::kRequestInvalid, "session", "the session was made without the message of its model");
  v1::RecordingSetup setup;
  *setup.mutable_build() = buildStamp();
  *setup.mutable_model() = *spec.model_message;
  setup.set_model_hash(rt::formatHash(spec.model->hash));
  writeSettings(session.settings(), *setup.mutable_settings());
  setup.set_start_time_ns(rt::wallClockNs());

  v1::CreateSessionRequest& created = *setup.mutable_session();
  created.set_name(spec.name);
  created.set_model_name(spec.model_label);
  created.set_period_ns(session.settings().period_ns);
  created.set_clock(toProto(spec.clock.mode));
  created.set_scale(spec.clock.scale);
  created.set_iterations(static_cast<std::uint32_t>(session.settings().iterations));
  created.set_initial_condition(spec.initial_condition);
  created.set_stop_tick(spec.stop_tick);
  created.set_priority(spec.realtime.priority);
  created.mutable_cpus()->Assign(spec.realtime.cpus.begin(), spec.realtime.cpus.end());
  for (const rt::ScriptedInput& input : spec.script) {
    v1::ScriptedInput& scripted = *created.add_scripted_inputs();
    scripted.set_tick(input.tick);
    scripted.mutable_values()->Assign(input.values.begin(), input.values.end());
  }
  return setup;
}

v1::SessionSnapshot snapshotOf(const Session& session) {
  const Session::Present present = session.present();
  return snapshotOf(session, present.tick, *present.model);
}

v1::SessionSnapshot snapshotOf(const Session& session, const rt::Snapshot& tick, const rt::Model& model) {
  v1::SessionSnapshot message;
  *message.mutable_build() = buildStamp();
  message.set_model(session.spec().model_label);
  message.set_model_hash(rt::formatHash(session.model().hash));
  writeSettings(session.settings(), *message.mutable_settings());
  writeSnapshot(tick, model, hashScript(session.spec().script), message);
  return message;
}

void writeRecorder(const RecorderStatus& status, v1::Recording& message) {
  message.set_running(status.running);
  message.set_ticks(status.ticks);
  message.set_bytes(status.bytes);
  message.set_last_tick(status.last_tick);
  message.set_lost_ticks(status.lost_ticks);
  message.set_lost_signals(status.lost_signals);
  if (status.incomplete_from) message.set_incomplete_from(*status.incomplete_from);
  message.set_error(status.error);
  message.set_warning(status.warning);
  message.set_warning_tick(status.warning_tick);
  message.set_gaps(status.gaps);
}

}  // namespace tactus::server
