// SessionEvent and refused input -> TickNotice.
#pragma once

#include "server/session/event_log.h"

#include "tactus/v1/simulation.pb.h"

#include <cstdint>

namespace tactus::server {

/// SESSION_STARTED, SESSION_PAUSED, ..., DRAINING.
/// @param lease  InputLease::id() of the stream that gets the notice, which says whether it has lost its inputs; 0:
/// none
void writeNotice(const SessionEvent& event, v1::TickNotice& message, std::uint64_t lease = 0);

}  // namespace tactus::server
