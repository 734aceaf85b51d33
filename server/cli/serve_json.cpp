#include "server/cli/serve_json.h"

#include "proto/text/timing_json.h"
#include "rt/model/model.h"
#include "server/build_info.h"
#include "server/session/session_timing.h"

#include <nlohmann/json.hpp>

namespace tactus::server {
namespace {

using Json = nlohmann::ordered_json;

std::string lineOf(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

Json timingOf(const Session& session) {
  v1::TimingReport report;
  writeSessionTiming(session, report);
  return text::timingJson(session.spec().name, report);
}

Json toJson(const v1::Recording& recording) {
  return {{"file", recording.file()},
          {"ticks", recording.ticks()},
          {"bytes", recording.bytes()},
          {"lost_ticks", recording.lost_ticks()},
          {"lost_signals", recording.lost_signals()},
          {"incomplete_from", recording.has_incomplete_from() ? Json(recording.incomplete_from()) : Json(nullptr)},
          {"error", recording.error()}};
}

}  // namespace

std::string startedLine(Server& server, Session& session, const std::string& pages) {
  const rt::Model& model = session.model();
  Json grants = Json::array();
  for (const rt::Grant& grant : session.thread().grants())
    grants.push_back({{"asked", grant.asked}, {"granted", grant.granted}, {"outcome", grant.outcome}});
  return lineOf({{"event", "started"},
                 {"build", madeBy()},
                 {"endpoint", server.address()},
                 {"metrics", pages},
                 {"insecure", server.service().insecure()},
                 {"session", session.spec().name},
                 {"model", session.spec().model_label},
                 {"bodies", model.bodyCount()},
                 {"joints", model.declared_joints},
                 {"rows", model.rows},
                 {"inputs", model.actuatorCount()},
                 {"state", toString(session.state())},
                 {"clock", formatClock(session.spec().clock)},
                 {"period_ns", session.settings().period_ns},
                 {"iterations", session.settings().iterations},
                 {"threads", session.threads()},
                 {"host", server.service().hostChecks().host().grade()},
                 {"realtime_grants", grants}});
}

std::string timingLine(const Session& session) {
  Json line = {{"event", "timing"}};
  line.update(timingOf(session));
  return lineOf(line);
}

std::string endedLine(Session& session, rt::InputMode mode, const std::string& why, const Recordings& recordings) {
  const SessionStatus status = session.status();
  Json files = Json::array();
  for (const v1::Recording& recording : recordings.list("")) files.push_back(toJson(recording));
  return lineOf({{"event", "ended"},
                 {"build", madeBy()},
                 {"why", why},
                 {"session", session.spec().name},
                 {"state", toString(status.state)},
                 {"tick", status.tick},
                 {"state_hash", status.state_hash ? rt::formatHash(*status.state_hash) : ""},
                 {"input_mode", rt::toString(mode)},
                 {"fault", status.fault},
                 {"energy_growth", status.energy_growth},
                 {"recordings", files},
                 {"timing", timingOf(session)}});
}

}  // namespace tactus::server
