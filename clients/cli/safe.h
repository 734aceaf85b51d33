// `tactus safe` and `tactus clear`: the actuators of a running session to their safe values, and back.
#pragma once

namespace CLI {
class App;
}

namespace tactus::client {

/// Adds both subcommands. When one has run, `exit_code` is 0, 2 (usage), 3 (server unreachable) or 1.
void addSafeCommands(CLI::App& app, int& exit_code);

}  // namespace tactus::client
