// The timing report of a session as text for a terminal.
#pragma once

#include "server/session/session.h"

#include <string>

namespace tactus::server {

/// Counters, then one line for each phase with its percentiles in microseconds.
std::string timingText(Session& session);

}  // namespace tactus::server
