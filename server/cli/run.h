// `tactus run`: a model offline, from the command line.
#pragma once

#include <cstdint>

namespace CLI {
class App;
}

namespace tactus::server {

/// Adds the subcommand; it sets `exit_code` when it runs.
void addRunCommand(CLI::App& app, int& exit_code);

/// Steps of a run that lasts for the time of `--until`, ns.
/// @throws Error if that time is not a whole number of steps
std::int64_t stepsUntil(std::int64_t until_ns, std::int64_t period_ns);

}  // namespace tactus::server
