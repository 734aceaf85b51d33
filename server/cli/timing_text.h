// The timing report of a session of this server as text for a terminal.
#pragma once

#include "server/session/session.h"

#include <string>

namespace tactus::server {

/// State, streams and authority of the session, then the report that `tactus timing` prints, too.
std::string timingText(Session& session);

}  // namespace tactus::server
