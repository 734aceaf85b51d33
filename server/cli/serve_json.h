// What `tactus serve --json` prints: one object a line, named by "event".
#pragma once

#include "server/service/server.h"

#include <string>

namespace tactus::server {

/// "started": build, endpoint, session, clock, host, what the system granted.
/// @param pages  address of the metrics; empty: none
std::string startedLine(Server& server, Session& session, const std::string& pages);

/// "timing": the report of the session so far.
std::string timingLine(const Session& session);

/// "ended": why, state and state hash, faults, the last timing report and the recordings.
/// @param[in] mode  authority over the actuators before the end
std::string endedLine(Session& session, rt::InputMode mode, const std::string& why, const Recordings& recordings);

}  // namespace tactus::server
