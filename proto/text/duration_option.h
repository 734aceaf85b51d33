// Options of a command line that take a duration, a period or a frequency.
#pragma once

#include "proto/text/duration.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cstdint>
#include <stdexcept>
#include <string>

namespace tactus::text {

/// Adds an option whose text is read by `parse`. A text that it refuses is an error of usage.
/// @param[in,out] value  a value above zero is the default that the help shows
template <class Value>
CLI::Option* addParsed(CLI::App& app, const std::string& name, Value& value, Value (*parse)(std::string_view),
                       const std::string& help, const std::string& type, const std::string& initial) {
  CLI::Option* option = app.add_option_function<std::string>(
      name,
      [&value, parse, name](const std::string& text) {
        try {
          value = parse(text);
        } catch (const std::invalid_argument& error) { throw CLI::ValidationError(name, error.what()); }
      },
      help);
  option->type_name(type);
  if (!initial.empty()) option->default_str(initial);
  return option;
}

/// A duration, in nanoseconds: --duration 10s.
inline CLI::Option* addDuration(CLI::App& app, const std::string& name, std::int64_t& nanoseconds,
                                const std::string& help) {
  return addParsed(app, name, nanoseconds, parseDuration, help, "DURATION",
                   nanoseconds > 0 ? formatDuration(nanoseconds) : "");
}

/// A duration that may also be zero ("0s", which switches off what it is the duration of).
inline CLI::Option* addDurationOrZero(CLI::App& app, const std::string& name, std::int64_t& nanoseconds,
                                      const std::string& help) {
  return addParsed<std::int64_t>(
      app, name, nanoseconds, [](std::string_view text) { return text == "0s" ? 0 : parseDuration(text); }, help,
      "DURATION", formatDuration(nanoseconds));
}

/// A period, in nanoseconds: --period 1ms, --period 500Hz.
inline CLI::Option* addPeriod(CLI::App& app, const std::string& name, std::int64_t& nanoseconds,
                              const std::string& help) {
  return addParsed(app, name, nanoseconds, parsePeriod, help, "PERIOD",
                   nanoseconds > 0 ? formatDuration(nanoseconds) : "");
}

/// A frequency, in hertz: --rate 60Hz.
inline CLI::Option* addFrequency(CLI::App& app, const std::string& name, double& hertz, const std::string& help) {
  return addParsed(app, name, hertz, parseFrequency, help, "FREQUENCY", hertz > 0 ? fmt::format("{:g}Hz", hertz) : "");
}

}  // namespace tactus::text
