// Inputs of a run: turns a CSV with actuator values over time into a script by ticks.
#pragma once

#include "rt/offline/core/input_signal.h"
#include "rt/state/actuator_input.h"

#include <cstdint>
#include <istream>
#include <string>
#include <vector>

namespace tactus::rt {
struct Model;
}

namespace tactus::server {

/// Reads a CSV with the header `t` (s) and names of actuators. A row at time t holds from the first tick that ends at t
/// or later until the next row. The row at t = 0 holds from the first tick. Actuators without a column keep their
/// initial value.
///
/// @param[in] name  name of the file, for messages
/// @throws Error with file, line and column: unknown or repeated names (with the nearest known one), fields that are
/// not
///         numbers, values that are not finite or outside the range of the actuator, times that do not rise
std::vector<rt::ScriptedInput> readInputSeries(std::istream& csv, const std::string& name, const rt::Model& model,
                                               std::int64_t period_ns);

/// Bytes of a file of inputs: an hour of 12 actuators at 1 kHz, with 20 characters a number.
inline constexpr std::uintmax_t kMaxInputFile = std::uintmax_t{1} << 30;

/// Reads a file. @throws Error also if it cannot be opened, is not a regular file, or has more than kMaxInputFile bytes
std::vector<rt::ScriptedInput> readInputSeriesFile(const std::string& path, const rt::Model& model,
                                                   std::int64_t period_ns);

/// The script as a signal over time. The row of a tick holds during the whole step that ends at the tick; before the
/// first row the actuators have their initial values.
rt::offline::InputSignal signalOf(const rt::Model& model, std::vector<rt::ScriptedInput> script, std::int64_t step_ns);

}  // namespace tactus::server
