// Inputs of an offline run: a CSV of actuator values over time becomes a script by ticks.
#pragma once

#include "rt/model/model.h"
#include "rt/state/actuator_input.h"

#include <cstdint>
#include <istream>
#include <string>
#include <vector>

namespace tactus::server {

/// Reads a CSV whose header is `t` (s) and names of actuators. A row at time t holds from the first tick that ends at
/// t or later, until the next row; the row at t = 0 holds from the first tick. Actuators without a column keep their
/// initial value.
///
/// @param[in] name  of the file, for messages
/// @throws Error naming file, line and column: unknown or repeated names (with the nearest known one), fields that
///         are not numbers, values that are not finite or out of the actuator's range, times that do not rise
std::vector<rt::ScriptedInput> readInputSeries(std::istream& csv, const std::string& name, const rt::Model& model,
                                               std::int64_t period_ns);

/// The same from a file. @throws Error also if it cannot be opened
std::vector<rt::ScriptedInput> readInputSeriesFile(const std::string& path, const rt::Model& model,
                                                   std::int64_t period_ns);

}  // namespace tactus::server
