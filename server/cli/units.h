// Durations, frequencies and core lists as people write them on a command line.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tactus::server {

/// Nanoseconds of "250us", "1ms", "1.5s", "2min" or "1h".
/// @throws Error naming the units, if the text is no such duration, or not above zero
std::int64_t parseDuration(const std::string& text);

/// Nanoseconds of a period, given as a duration ("1ms") or as a frequency ("500Hz", "1kHz").
/// @throws Error if it is neither, or not a whole number of nanoseconds: ticks would drift from the wall clock
std::int64_t parsePeriod(const std::string& text);

/// Shortest text that parseDuration() reads back: "1ms", "1.5s", "333.333us".
std::string formatDuration(std::int64_t nanoseconds);

/// The numbers of "0,2-3": 0, 2, 3.
/// @throws Error if the text is no such list
std::vector<int> parseCpuList(const std::string& text);

}  // namespace tactus::server
