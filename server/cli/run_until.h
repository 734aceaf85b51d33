// The waiting of the main thread: a signal, the end of a duration, and something to do now and then.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace tactus::server {

/// Returns at SIGINT or SIGTERM, or after `duration_ns` (0: never), and says which in words. Meanwhile calls `report`
/// every `interval_ns`. From the call on the signals do not end the process.
std::string runUntil(std::int64_t duration_ns, std::int64_t interval_ns, const std::function<void()>& report);

}  // namespace tactus::server
