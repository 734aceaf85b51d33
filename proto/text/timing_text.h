// The timing report of a session as text for a terminal: the same in the server and in the remote subcommands.
#pragma once

#include "tactus/v1/state.pb.h"

#include <cstdint>
#include <string>

namespace tactus::text {

/// Counters, then a table with one row for each phase and its percentiles in microseconds.
std::string timingText(const v1::TimingReport& report);

/// What lets ticks converge that did not.
/// @param needed  iterations, as iterationsNeeded() of the monitor
std::string iterationAdvice(int needed);

/// Microseconds of a time, with one decimal.
std::string microseconds(std::int64_t nanoseconds);

}  // namespace tactus::text
