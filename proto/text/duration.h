// Durations, periods and frequencies as people write them: one grammar for the server, its clients and the examples.
//
// A number is written in decimal notation ("1", "0.5", "2.5e-3"), at most 18 significant digits, without a sign. Its
// unit follows without a blank: ns, us, ms, s, min or h for a duration, Hz, kHz or MHz for a frequency. The arithmetic
// is exact. clients/python/tactus/units.py reads the same grammar; tests/proto/text/durations.csv holds both to it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tactus::text {

/// Nanoseconds of "250us", "1ms", "1.5s", "2min" or "1h", rounded to the nearest whole number (half rounds up).
/// @throws std::invalid_argument that names the units if the text is not a duration, or is shorter than half a
///         nanosecond, or longer than 292 years
std::int64_t parseDuration(std::string_view text);

/// Nanoseconds of a period, written as a duration ("1ms") or as a frequency ("500Hz", "1kHz").
/// @throws std::invalid_argument if the text is neither, or if the period is not a whole number of nanoseconds: ticks
///         would drift from the wall clock
std::int64_t parsePeriod(std::string_view text);

/// Hertz of "0.5Hz", "60Hz" or "2kHz".
/// @throws std::invalid_argument if the text is not a frequency above zero
double parseFrequency(std::string_view text);

/// Shortest text that parseDuration() reads back: "1ms", "1.5s", "333.333us"; "0s" for zero.
std::string formatDuration(std::int64_t nanoseconds);

/// Writes what was measured, with three significant digits: 65733 ns is "65.7us".
std::string formatMeasured(std::int64_t nanoseconds);

}  // namespace tactus::text
