// Session -> TimingReport.
#pragma once

#include "server/session/session.h"

#include "tactus/v1/state.pb.h"

namespace tactus::server {

/// Phases and counters of the loop, the clock, the readers, the refused inputs and what the tick thread was granted.
void writeSessionTiming(const Session& session, v1::TimingReport& message);

}  // namespace tactus::server
