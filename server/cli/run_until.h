// The wait of the main thread for a signal or the end of a duration, with a periodic report.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace tactus::server {

/// Waits for SIGINT or SIGTERM, or for `duration_ns` (0: forever), and calls `report` every `interval_ns`. From the
/// call on the signals do not end the process.
/// @param reload  called at each SIGHUP; without it that signal ends the process
/// @returns the reason of the end, as text
std::string runUntil(std::int64_t duration_ns, std::int64_t interval_ns, const std::function<void()>& report,
                     const std::function<void()>& reload = {});

}  // namespace tactus::server
