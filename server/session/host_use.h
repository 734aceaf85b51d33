// What a session that a client creates may take of the host: class, cores and pace of its tick thread.
#pragma once

#include "server/config.h"
#include "server/session/session_setup.h"

namespace tactus::server {

/// Refuses what `limits` does not allow; a session that names no cores gets those of `limits`. A priority that the
/// request did not name is lowered to the limit.
/// @param[in] named_priority  the request names the priority
/// @throws RequestError kLimitExceeded naming the field: priority, cpus[0] or period_ns
void limitHostUse(SessionSpec& spec, const HostLimits& limits, bool named_priority);

}  // namespace tactus::server
