// SessionEvent and refused input -> TickNotice.
#pragma once

#include "server/session/event_log.h"

#include "tactus/v1/simulation.pb.h"

namespace tactus::server {

/// SESSION_STARTED, SESSION_PAUSED, ..., DRAINING.
void writeNotice(const SessionEvent& event, v1::TickNotice& message);

}  // namespace tactus::server
